/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - the shell script that asks a host */
#ifndef PLINK_SRC_DOCTOR_SCRIPT_H
#define PLINK_SRC_DOCTOR_SCRIPT_H

/* The command that the launcher starts. It reads its script from standard input, so that no shell
 * in between interprets it. */
#define PL_DOCTOR_SHELL "sh"

/* The script to be sent first, which ends any output before it with a new line; and the one that
 * asks for the time. */
extern const char pl_doctor_script_hello[];
extern const char pl_doctor_script_clock[];

/* Where files may be on a host, in addition to its PATH. */
struct pl_doctor_places {
	/* its command; NULL: the agent is sent to the host */
	const char *agent;
	const char *beside;     /* folder of this program, or NULL */
	const char *libdir;     /* of the preload libraries */
	const char *libexecdir; /* of plink-mpi-check */
	unsigned each_s;        /* time limit of each program there */
};

/* The script that asks all other questions; facts.h describes the answers. It writes nothing on the
 * host. The caller frees it; NULL: out of memory. */
char *pl_doctor_script_facts(const struct pl_doctor_places *places);

#endif
