/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - the lines of shell that a host is asked with */
#ifndef PLINK_SRC_DOCTOR_SCRIPT_H
#define PLINK_SRC_DOCTOR_SCRIPT_H

/* The command that a launcher starts: it takes its lines from its input, so
 * that no shell on the way reads them first. */
#define PL_DOCTOR_SHELL "sh"

/* To be sent first, for whatever was said before; and the question for the
 * time. */
extern const char pl_doctor_script_hello[];
extern const char pl_doctor_script_clock[];

/* Where things may be on a host, beside what its PATH has. */
struct pl_doctor_places {
	const char *agent;  /* its command; NULL: it is sent there */
	const char *beside; /* folder of the running program here, or NULL */
	const char *libdir; /* of the libraries to be preloaded */
	const char *libexecdir; /* of plink-mpi-check */
	unsigned each_s;        /* how long a program there may take */
};

/* All other questions; the answers are in facts.h. Nothing is written there.
 * The caller's to free; NULL: out of memory. */
char *pl_doctor_script_facts(const struct pl_doctor_places *places);

#endif
