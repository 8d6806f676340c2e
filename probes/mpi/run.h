/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - measures the hosts of an MPI job by its own messages: a matrix */
#ifndef PLINK_PROBES_MPI_RUN_H
#define PLINK_PROBES_MPI_RUN_H

#include "base/matrix/matrix.h"
#include "probes/mpi/turns.h"

/*
 * Measures all pairs; every process of @comm calls it, process i on host i. In
 * each round of schedule.h the two hosts of a pair send messages there and
 * back, the lower one first; between rounds all wait for one another. Then the
 * pairs of again.h are measured a second time, by pings alone.
 * On process 0, which alone needs @hosts, *matrix becomes a matrix as
 * plink-probe writes it, with the method "mpi". Where transfers are asked for,
 * it has a layer "p10-time" of bandwidth: the bytes of a transfer divided by
 * the 10th percentile of their times less half the round trip's. Cells for
 * which the budget did not last are missing, with the reason. On the other
 * processes *matrix is NULL. @report is filled on process 0; probes and packets
 * are messages of either length, packets with those of the warm-up. 0, or -1
 * with @err set, and the others are left waiting.
 */
int pl_mpi_run(MPI_Comm comm, const struct pl_hosts *hosts, const struct pl_mpi_options *options,
	       struct pl_matrix **matrix, struct pl_probe_report *report, struct pl_err *err);

#endif
