/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - measure the hosts of an MPI job by its own messages: a matrix */
#ifndef PLINK_PROBES_MPI_RUN_H
#define PLINK_PROBES_MPI_RUN_H

#include "base/matrix/matrix.h"
#include "probes/mpi/turns.h"

/*
 * Every process of @comm calls it: process i is on host i. In each round of
 * schedule.h the two of a pair send messages there and back, the lower one
 * first; between rounds all wait for one another. Then the pairs of again.h are
 * measured a second time, by pings alone. On process 0, which alone needs
 * @hosts, *matrix becomes what plink-probe writes, with the method "mpi", and
 * where transfers are asked for a layer "p10-time" of bandwidth: their bytes by
 * the 10th percentile of their times less half of the round trip's; on the
 * others NULL. What the budget did not last for is missing, with the reason.
 * @report is filled on process 0; probes are messages, of either length, and so
 * are packets, with those of the warm-up. 0, or -1 with @err set, and the
 * others are left waiting.
 */
int pl_mpi_run(MPI_Comm comm, const struct pl_hosts *hosts,
	       const struct pl_mpi_options *options, struct pl_matrix **matrix,
	       struct pl_probe_report *report, struct pl_err *err);

#endif
