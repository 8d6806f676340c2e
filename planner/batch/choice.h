/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - which number of workers and which batch: the fastest, the cheapest, the knee between
 * them */
#ifndef PLINK_PLANNER_BATCH_CHOICE_H
#define PLINK_PLANNER_BATCH_CHOICE_H

#include "planner/batch/laws.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is to be chosen from, and its prices. */
struct pl_batch_space {
	const uint64_t *workers, *batch; /* [n_workers], [n_batches] */
	size_t n_workers, n_batches;
	double samples;              /* of the data set */
	double worker_price;         /* dollars an hour */
	double memory_price;         /* dollars an hour for each GiB that a worker
				      * needs; 0: memory costs nothing */
	double memory_bytes;         /* of a worker; INFINITY: no limit */
	double time_limit_s, budget; /* INFINITY: no limit */
};

struct pl_batch_laws {
	struct pl_step_law step;
	struct pl_epoch_law epoch;
	struct pl_memory_law memory;
};

/* One number of workers with one batch. What was measured there counts, and a law's word where
 * nothing was. */
struct pl_batch_cell {
	size_t workers;
	double batch;
	double seconds, epochs; /* of an iteration; NaN: nobody knows */
	bool seconds_measured, epochs_measured;
	double iterations; /* epochs * samples / batch (eq. 4) */
	double time_s;     /* iterations * seconds (eq. 3) */
	double per_hour;   /* dollars, of all workers */
	double cost;       /* dollars (eq. 5) */
	bool on_front;     /* no other is both faster and cheaper */
};

/* All cells that are possible, workers first; indices into them, n_cells for none. Start with {0},
 * end with fini. */
struct pl_batch_plan {
	struct pl_batch_cell *cell;
	size_t n_cells;
	size_t fastest, cheapest, knee;
	size_t *front; /* [n_front] from the fastest to the cheapest */
	size_t n_front;
	/* cells that are not there: of more samples than workers' memory takes or than have failed;
	 * that no law tells, or to which laws give no positive number; beyond the limits of time or
	 * money */
	size_t n_too_large, n_unknown, n_beyond;
};

/* Fits all laws. 0, or -1: out of memory. */
int pl_batch_laws_fit(struct pl_batch_laws *laws, enum pl_step_form step, enum pl_epoch_form epoch,
		      const struct pl_points *points, bool corners);

/* 0, or -1 with @err set; no cell at all is no error. */
int pl_batch_plan_make(struct pl_batch_plan *plan, const struct pl_batch_space *space,
		       const struct pl_batch_laws *laws, const struct pl_points *points,
		       struct pl_err *err);
void pl_batch_plan_fini(struct pl_batch_plan *plan);

#endif
