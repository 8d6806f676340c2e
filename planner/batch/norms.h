/* SPDX-License-Identifier: BSD-3-Clause */
/* norms.h - the norms of gradients, iteration by iteration, as a job has written them
 * (plink-batch(1), NORMS) */
#ifndef PLINK_PLANNER_BATCH_NORMS_H
#define PLINK_PLANNER_BATCH_NORMS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

#define PL_BATCH_WORKERS_MAX 65536
#define PL_BATCH_SAMPLES_MAX 1000000000000 /* of a batch, of a data set */

/* An iteration. Norms are those of gradients that are means over samples. */
struct pl_norms_step {
	uint64_t iteration;
	double local_sq; /* mean over the workers of their squared norms */
	double mean_sq;  /* squared norm of the workers' mean */
	double seconds;  /* from its begin to that of the next; NaN: not told */
	double loss;     /* NaN: not told */
};

/* Start with {0}, end with fini. */
struct pl_norms {
	size_t workers;
	uint64_t batch; /* samples of an iteration, of all workers; 0: not
			 * told */
	struct pl_norms_step *step;
	size_t n, room;
};

/*
 * Reads a log into @norms, which must be empty. A last line without its end is left out: its job is
 * still writing, or was ended. 0, or -1 with @norms empty and @err set: PL_EINPUT with the place,
 * or PL_EPARTIAL, with it, for norms that are not finite.
 */
int pl_norms_parse(struct pl_norms *norms, struct pl_text *text, struct pl_err *err);
int pl_norms_read(struct pl_norms *norms, const char *path, struct pl_err *err);
void pl_norms_fini(struct pl_norms *norms);

#endif
