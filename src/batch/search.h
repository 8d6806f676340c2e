/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h - the short jobs of plink-batch run so far */
#ifndef PLINK_SRC_BATCH_SEARCH_H
#define PLINK_SRC_BATCH_SEARCH_H

#include "src/batch/batch.h"

#include <signal.h>

struct batch_search {
	const struct batch_options *o;
	struct pl_points points;
	bool over; /* stopped, or a limit is reached */
	const volatile sig_atomic_t *stopped;
};

/* Writes the state file. 0, or -1 with @err set. */
int batch_search_save(const struct batch_search *s, struct pl_err *err);

/* Seconds of all jobs so far, and those of their workers. */
void batch_search_spent(const struct batch_search *s, double *seconds, double *workers_s);

/* What the search may still take with so many workers; below 0: nothing. */
double batch_search_left_s(const struct batch_search *s, size_t workers);

/* The factor of the learning rate with this batch. */
double batch_rate_of(const struct batch_options *o, uint64_t batch);

/* Index of the smallest batch for so many workers; o->batches.len: none. */
size_t batch_first(const struct batch_options *o, size_t workers);

/* After a job: its log of norms stays if it had the least workers and the largest batch, for the
 * comparison; others go. */
void batch_compare_keep(const struct batch_search *s, const struct pl_batch_point *p);

/* What the largest batch costs in epochs, if the jobs have losses: the job with the smallest batch
 * runs once more, and the points get their relative epochs. What is wrong with the job or its log
 * is said, no error. 0, or -1 with @err set: the state file. */
int batch_compare(struct batch_search *s, struct pl_err *err);

#endif
