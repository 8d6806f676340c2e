/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.h - the answers of a host */
/*
 * They are lines of this form, before which a launcher may print text of its own:
 *
 *     plink-doctor KEY TEXT
 *
 * The keys:
 *
 *     hello             a shell runs there
 *     clock SECONDS     since 1970 by its clock; with a fraction if possible
 *     node NAME         its own name
 *     machine NAME      its architecture
 *     agent TEXT        what the agent's command prints for --version
 *     plink TEXT        what plink-exec prints for it
 *     mpi TEXT          the first lines of mpirun's; absent: there is none
 *     shim SUM BYTES    checksum and size of the preload library for that MPI
 *     shim-for TEXT     the MPI that it was made for
 *     shim-mpi TEXT     the MPI library that it is loaded with there
 *     shim-fault TEXT   why it cannot be loaded
 *     nccl TEXT         the file of libnccl that the loader finds
 *     end               the answer is complete
 */
#ifndef PLINK_SRC_DOCTOR_FACTS_H
#define PLINK_SRC_DOCTOR_FACTS_H

#include "probes/launch/fault.h"

#include <stdbool.h>
#include <stdint.h>

#define PL_DOCTOR_TEXT 256
#define PL_DOCTOR_FAULT 640
#define PL_DOCTOR_MARK "plink-doctor "

/* A time between two limits, in ns; lo > hi: not known. */
struct pl_doctor_span {
	int64_t lo_ns, hi_ns;
};

/* One host. Texts that it did not give are empty. Start with {0}. */
struct pl_doctor_facts {
	const char *name;                    /* borrowed */
	const char *user;                    /* to log in as; borrowed; NULL: none is named */
	bool whole;                          /* all of its answers have come */
	char fault[PL_DOCTOR_FAULT];         /* the reason if not ... */
	const struct pl_launch_fault *known; /* ... if it is a known one */
	char node[PL_DOCTOR_TEXT], machine[PL_DOCTOR_TEXT];
	char agent[PL_DOCTOR_TEXT], plink[PL_DOCTOR_TEXT];
	char mpi[PL_DOCTOR_TEXT], nccl[PL_DOCTOR_TEXT];
	char shim[PL_DOCTOR_TEXT], shim_for[PL_DOCTOR_TEXT];
	char shim_mpi[PL_DOCTOR_TEXT], shim_fault[PL_DOCTOR_TEXT];
	/* [n_skews] first and last: its clock minus this machine's */
	struct pl_doctor_span skew[2];
	unsigned n_skews;
	bool probed; /* its agent should take part in probing ... */
	/* ... and could not, for this reason */
	char probe_fault[PL_DOCTOR_FAULT];
};

enum pl_doctor_key {
	PL_DOCTOR_STRANGE, /* not such a line, or an unknown key */
	PL_DOCTOR_FACT,    /* stored */
	PL_DOCTOR_HELLO,
	PL_DOCTOR_CLOCK,
	PL_DOCTOR_END,
};

/* Reads a line and stores what it states; a text that is too long is cut. For PL_DOCTOR_CLOCK, the
 * time of the host's clock is within *clock, ns since 1970. */
enum pl_doctor_key pl_doctor_hear(struct pl_doctor_facts *f, const char *line,
				  struct pl_doctor_span *clock);

/* Reads "1764000000.25" (seconds since 1970) to *clock, in ns. Without a valid fraction, *clock
 * spans a whole second. 0, or -1: not a time. */
int pl_doctor_clock_parse(const char *s, struct pl_doctor_span *clock);

/* Adds a reading: the host's clock showed @clock at some moment within @asked, by this machine's
 * clock; both in ns since 1970. A third reading replaces the second. */
void pl_doctor_read_clock(struct pl_doctor_facts *f, struct pl_doctor_span clock,
			  struct pl_doctor_span asked);

/* The span of the host's clock minus this machine's on which all readings agree. If they do not,
 * because a clock was set in between: that of the first. Not known without a reading. */
struct pl_doctor_span pl_doctor_skew(const struct pl_doctor_facts *f);

/* The version in "TOOL (plink) VERSION", which may stand anywhere in @text, copied to @version
 * (PL_DOCTOR_TEXT bytes) and returned; NULL: not there. */
const char *pl_doctor_version(const char *text, const char *tool, char version[PL_DOCTOR_TEXT]);

#endif
