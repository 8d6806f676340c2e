/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-run.h - measure the hosts of an MPI job by its own messages: a matrix */
#ifndef PLINK_PROBES_MPI_RUN_H
#define PLINK_PROBES_MPI_RUN_H

#include "probes/prober.h"
#include "src/matrix.h"

#include <mpi.h>

struct pl_mpi_options {
	struct pl_prober_options prober; /* what pl_mpi_ask takes of it */
	int ping_bytes;                  /* of the messages whose round trip is
					  * measured, both ways */
	int transfer_bytes; /* of those that bandwidth is made of; 0: none */
};

struct pl_mpi_report {
	size_t n_rounds;
	uint64_t messages;  /* counted round trips, of either length */
	int64_t elapsed_ns; /* from the first round to the matrix */
};

/*
 * Every process of @comm calls it: process i is on host i. In each round of
 * schedule.h the two of a pair send messages there and back, the lower one first;
 * between rounds is a barrier. On process 0, which alone needs @hosts, *matrix
 * becomes what plink-probe writes, with the method "mpi", and where transfers are
 * asked for a layer "p10-time" of bandwidth: their bytes by the 10th percentile of
 * their times less half of the round trip's; on the others NULL. @report: process
 * 0's. 0, or -1 with @err set, and the others are left waiting.
 */
int pl_mpi_run(MPI_Comm comm, const struct pl_hosts *hosts,
	       const struct pl_mpi_options *options, struct pl_matrix **matrix,
	       struct pl_mpi_report *report, struct pl_err *err);

#endif
