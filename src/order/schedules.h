/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.h - which schedules are written, and for which sizes */
#ifndef PLINK_SRC_ORDER_SCHEDULES_H
#define PLINK_SRC_ORDER_SCHEDULES_H

#include "base/err.h"
#include "base/stop.h"
#include "engine/schedule.h"
#include "src/order/schedule-candidates.h"
#include "src/order/schedule-clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A schedule is taken if it is predicted to be faster than the library's own all-reduce by more
 * than this, in percent: by more where it is small, since a schedule has more messages, and what
 * processors take for these is known less well than rates are (bench/results/engine.txt). */
#define PL_REORDER_SMALL ((uint64_t)128 << 10)
#define PL_REORDER_AHEAD_SMALL 25.0
#define PL_REORDER_AHEAD 5.0

/* All-reduces of one size. */
struct pl_reorder_trial {
	uint64_t bytes;
	struct pl_reorder_own_time own;
	size_t best; /* the candidate that is taken, or would be */
	double seconds;
	double without_s; /* the best without hubs; INFINITY: not known */
	bool taken;       /* otherwise the library is left to run them */
};

/* Start with {0}, end with fini. */
struct pl_reorder_schedules {
	struct pl_schedules file; /* with the hosts in the order found */
	size_t *of;               /* [file.n]: the candidate of each schedule */
	struct pl_reorder_candidates candidates;
	struct pl_reorder_trial *trial; /* [n_trials], the smallest first */
	size_t n_trials;
	char why_not[160]; /* the reason if nothing is predicted */
};

/*
 * Finds them for the order in @a, which must outlive them. Where the options
 * name one, it is for all sizes from the smallest named on. Otherwise each size
 * from 2 KiB on (or the smallest named) has the one that is predicted to be
 * fastest, or none, where it is not so much faster than the library; if
 * nothing can be predicted, the first candidate is for 256 KiB and more. 0, or
 * -1 with @err set; as pl_reorder_candidates_init and
 * pl_reorder_candidate_make, and PL_EPARTIAL if no schedule is fast enough at
 * any size.
 */
int pl_reorder_schedules_find(struct pl_reorder_schedules *s, const struct pl_reorder_answer *a,
			      const struct pl_stop *stop, struct pl_err *err);
void pl_reorder_schedules_fini(struct pl_reorder_schedules *s);

#endif
