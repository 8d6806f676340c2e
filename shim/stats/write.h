/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h - the file of a job's statistics (plink-stats(5)) */
#ifndef PLINK_SHIM_STATS_WRITE_H
#define PLINK_SHIM_STATS_WRITE_H

#include "shim/stats/sums.h"
#include "src/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* A function that is counted: "allreduce", "nonblocking". */
struct pl_stats_call {
	const char *name, *kind;
};

/* What is said of the job as a whole. */
struct pl_stats_job {
	const char *mode; /* "world", "aside", "off" */
	char plan[256];   /* that the ranks follow; "": none */
	char order[768];  /* of it: "allreduce ring openmpi"; "": none */
	int n_ranks;
	time_t started, ended;
	double seconds;                    /* between the two */
	const char *clock;                 /* "tsc", "monotonic" */
	const struct pl_stats_call *calls; /* by number, as in keys */
};

void pl_stats_write_text(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums);
void pl_stats_write_json(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums);

/* JSON where the name ends in ".json", otherwise text; in full or not at all. 0,
 * or -1 with @err set. */
int pl_stats_write(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums, struct pl_err *err);

#endif
