/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.h - the norms of gradients, read from a job's all-reduces */
/*
 * An all-reduce that adds up gradients has the vector of this process before, and the sum of all
 * afterwards. The wrapper of MPI_Allreduce (generate.awk) calls the two functions before and after
 * it. In an iteration that is looked at, each process takes the squared norm of its own vectors,
 * and of its share of the sums; one more all-reduce of three numbers on the same communicator ends
 * the iteration. Its first process writes a line (plink-batch(1), NORMS).
 */
#ifndef PLINK_SHIM_MPI_STATS_NOISE_H
#define PLINK_SHIM_MPI_STATS_NOISE_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/path.h"

#include <stdbool.h>
#include <stdint.h>

/* Known to all processes alike. */
struct pl_stats_noise_setting {
	struct pl_stats_options options;
	uint64_t batch;      /* of all processes; 0: not known */
	char path[PATH_MAX]; /* the log of MPI_COMM_WORLD; "": none */
	char base[PATH_MAX]; /* how logs of others begin; "": none */
};

/* Are all-reduces looked at? From MPI_Init to MPI_Finalize, if asked for. */
extern bool pl_stats_noise_on;

/* By this process' environment: @file is the statistics', absolute. Says what is wrong, and sets
 * options.every to 0 then. */
void pl_stats_noise_read_setting(struct pl_stats_noise_setting *setting, const char *file);

/* Collective: looks from here on, if the setting asks for it. */
void pl_stats_noise_start(const struct pl_stats_noise_setting *setting);
void pl_stats_noise_stop(void);

/* What is known of a communicator. */
struct pl_stats_noise;

/* Before an all-reduce on the program's communicator @comm: NULL, the same on all its processes, if
 * it is not looked at. */
struct pl_stats_noise *pl_stats_noise_before(const void *in, const void *out, int count,
					     MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/* After it, with its result @rc. Ends the iteration: collective then. */
void pl_stats_noise_after(struct pl_stats_noise *noise, int rc, const void *out, int count,
			  MPI_Datatype type, MPI_Comm comm);

#endif
