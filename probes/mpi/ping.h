/* SPDX-License-Identifier: BSD-3-Clause */
/* ping.h - times messages that a job's own MPI sends there and back */
#ifndef PLINK_PROBES_MPI_PING_H
#define PLINK_PROBES_MPI_PING_H

#include "probes/pair/prober.h"

#include <mpi.h>
#include <signal.h>

/* One end of a pair of processes. */
struct pl_mpi_end {
	MPI_Comm comm;
	int peer;                          /* rank of the other end in comm */
	char *buffer;                      /* room for the longest message */
	const volatile sig_atomic_t *stop; /* non-zero: no more; or NULL */
};

/* Bytes of a message and of its answer. */
struct pl_mpi_lengths {
	int there, back;
};

/*
 * Sends messages to the peer, each after the answer to the one before, until the prober has enough.
 * Meanwhile the peer must be in pl_mpi_answer with the same lengths. The first few messages, in
 * which MPI may connect, count only in pair->packets. MPI loses nothing, or ends the job, so
 * silence_ns and n_flows of @o are ignored. Nothing is sent where limit_ns is not above 0. 0, or
 * -1: out of memory, and the peer is left waiting.
 */
int pl_mpi_ask(const struct pl_mpi_end *end, const struct pl_mpi_lengths *lengths,
	       const struct pl_prober_options *o, struct pl_probed_pair *pair);

/* Answers until the peer has enough. */
void pl_mpi_answer(const struct pl_mpi_end *end, const struct pl_mpi_lengths *lengths);

#endif
