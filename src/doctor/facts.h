/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.h - what a host says of itself when it is asked */
/*
 * Lines of the form
 *
 *     plink-doctor KEY TEXT
 *
 * which a launcher may have put words of its own before, with the keys
 *
 *     hello             a shell runs there
 *     clock SECONDS     since 1970 by its clock; with a fraction where it can
 *     node NAME         what the machine calls itself
 *     machine NAME      its architecture
 *     agent TEXT        what the agent's command says to --version
 *     plink TEXT        and plink-exec
 *     mpi TEXT          and mpirun, its first lines; absent: there is none
 *     shim SUM BYTES    checksum of the library to be preloaded, of that MPI
 *     shim-for TEXT     the MPI that it was made for
 *     shim-mpi TEXT     the MPI library that it gets there
 *     shim-fault TEXT   why it cannot be loaded
 *     nccl TEXT         the file of libnccl that the loader finds
 *     end               nothing is missing above
 */
#ifndef PLINK_SRC_DOCTOR_FACTS_H
#define PLINK_SRC_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#define PL_DOCTOR_TEXT 256
#define PL_DOCTOR_FAULT 640
#define PL_DOCTOR_MARK "plink-doctor "

/* Something is between the two, ns; nothing is known while lo > hi. */
struct pl_doctor_span {
	int64_t lo_ns, hi_ns;
};

/* One host. Texts are empty where it said nothing; start with {0}. */
struct pl_doctor_facts {
	const char *name;            /* borrowed */
	bool whole;                  /* it has said all it had to say */
	char fault[PL_DOCTOR_FAULT]; /* why not */
	char node[PL_DOCTOR_TEXT], machine[PL_DOCTOR_TEXT];
	char agent[PL_DOCTOR_TEXT], plink[PL_DOCTOR_TEXT];
	char mpi[PL_DOCTOR_TEXT], nccl[PL_DOCTOR_TEXT];
	char shim[PL_DOCTOR_TEXT], shim_for[PL_DOCTOR_TEXT];
	char shim_mpi[PL_DOCTOR_TEXT], shim_fault[PL_DOCTOR_TEXT];
	struct pl_doctor_span skew[2]; /* [n_skews] first and last: its clock
					* less this machine's */
	unsigned n_skews;
	bool probed; /* its agent was to take part in probing ... */
	char probe_fault[PL_DOCTOR_FAULT]; /* ... and could not for this */
};

enum pl_doctor_key {
	PL_DOCTOR_STRANGE, /* no such line, or a key that is not known */
	PL_DOCTOR_FACT,    /* it is kept */
	PL_DOCTOR_HELLO,
	PL_DOCTOR_CLOCK,
	PL_DOCTOR_END,
};

/* Takes in a line; for CLOCK *clock is the time between whose limits the host's
 * was then, ns since 1970. A text that is too long is cut. */
enum pl_doctor_key pl_doctor_hear(struct pl_doctor_facts *f, const char *line,
				  struct pl_doctor_span *clock);

/* "1764000000.25": a fraction that is missing or no number leaves a second
 * open. 0, or -1: it is no time. */
int pl_doctor_clock_parse(const char *s, struct pl_doctor_span *clock);

/* Adds a reading: @clock was what the host's clock said at some moment of
 * @asked, by this machine's, ns since 1970. A third reading takes the second's
 * place. */
void pl_doctor_read_clock(struct pl_doctor_facts *f,
			  struct pl_doctor_span clock,
			  struct pl_doctor_span asked);

/* What all readings agree on: its clock less this machine's is in there. The
 * first one where they do not, since it was set; nothing is known where there
 * is none. */
struct pl_doctor_span pl_doctor_skew(const struct pl_doctor_facts *f);

/* The version in "TOOL (plink) VERSION", wherever that stands in @text; NULL:
 * it is not there. Fills @version, PL_DOCTOR_TEXT bytes, and gives it. */
const char *pl_doctor_version(const char *text, const char *tool,
			      char version[PL_DOCTOR_TEXT]);

#endif
