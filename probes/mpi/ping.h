/* SPDX-License-Identifier: BSD-3-Clause */
/* ping.h - messages of a job's own MPI, there and back, timed */
#ifndef PLINK_PROBES_MPI_PING_H
#define PLINK_PROBES_MPI_PING_H

#include "probes/pair/prober.h"

#include <mpi.h>

/* One end of a pair of processes. */
struct pl_mpi_end {
	MPI_Comm comm;
	int peer;     /* its rank there */
	char *buffer; /* for the longest message either way */
};

/* Bytes of a message and of its answer. */
struct pl_mpi_lengths {
	int there, back;
};

/*
 * Sends message after message, each when the one before is answered, until the
 * prober has enough; meanwhile the peer must be in pl_mpi_answer with the same
 * lengths. The first few, in which MPI may connect, are in no figure but
 * packets. MPI loses nothing, or ends the job: of @o silence_ns and n_flows do
 * not count. Nothing is sent where limit_ns is not above 0. 0, or -1: out of
 * memory, and the peer is left waiting.
 */
int pl_mpi_ask(const struct pl_mpi_end *end,
	       const struct pl_mpi_lengths *lengths,
	       const struct pl_prober_options *o, struct pl_probed_pair *pair);

/* Answers until the peer has enough. */
void pl_mpi_answer(const struct pl_mpi_end *end,
		   const struct pl_mpi_lengths *lengths);

#endif
