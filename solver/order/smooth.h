/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth.h - annealing of sums of maxima with a smooth cost in their place */
#ifndef PLINK_SOLVER_ORDER_SMOOTH_H
#define PLINK_SOLVER_ORDER_SMOOTH_H

#include "base/err.h"
#include "base/rng.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hop as seen from one of its seats. */
struct pl_smooth_hop {
	uint32_t other, group;
	bool enters;
	double times, bytes;
};

/* The cost of a round if its hosts are at the mean distance, and the costs of its hops now. */
struct pl_smooth_round {
	double usual, cheapest, dearest;
	uint32_t group;
};

/*
 * Most exchanges leave the dearest hop of every round the same, and so give the search no
 * direction. So a hop of cost x counts as ((x - zero) / (dearest - zero))^8, times dearest - zero,
 * where zero and dearest are the costs of the cheapest and of the dearest hop of its round at the
 * beginning. With job->fine the exponent is 16, and the two costs are updated during the run. For
 * one thread at a time; shape and costs are borrowed.
 */
struct pl_smooth {
	const struct pl_shape *shape;
	struct pl_costs costs;
	struct pl_objective *true_cost;
	size_t n;
	bool plain;                    /* the cost of a hop is its cell */
	struct pl_smooth_hop *hop;     /* by seat; hops of equal cost once */
	size_t *from;                  /* [n + 1] */
	double *usual;                 /* [n_groups] at mean costs */
	double *zero;                  /* [n_groups] a hop of this cost counts 0 */
	double *scale;                 /* [n_groups] 1 / (dearest - zero) */
	double *weight;                /* [n_groups] the dearest hop counts this */
	int doublings;                 /* log2 of the exponent */
	struct pl_smooth_round *round; /* [n_groups] scratch */
	size_t *at;                    /* [n] by seat */
	size_t *best;                  /* [n] result of the last run */
	double best_cost;              /* by the true cost */
};

/* What one run is to do. Borrowed for the call. */
struct pl_smooth_job {
	const size_t *start; /* [n] hosts by seat */
	size_t first, end;   /* seats first .. end - 1 change their hosts */
	uint64_t moves;
	double heat; /* in units of the dearest hop */
	/* Rounds of one kind that cost about the same are treated as one, so that no round is
	 * favoured because it was the cheapest at first. */
	bool level;
	/* The start is good: exchange blocks of seats as well, and try kinds of exchanges that
	 * seldom help less often. */
	bool fine;
	bool (*stop)(const void *arg);
	const void *arg;
};

/* For a shape without hops from a seat to itself, and one that
 * pl_objective_create accepts. 0, or -1 with @err set and nothing to
 * release. */
int pl_smooth_init(struct pl_smooth *s, const struct pl_shape *shape, const struct pl_costs *costs,
		   struct pl_err *err);
void pl_smooth_fini(struct pl_smooth *s);

/*
 * Anneals from job->start; the result is in best and best_cost: the start itself if nothing of
 * lower true cost was found. Returns the number of moves done, which is less than job->moves if
 * job->stop, called now and then, returned true.
 */
uint64_t pl_smooth_run(struct pl_smooth *s, const struct pl_smooth_job *job, struct pl_rng *rng);

#endif
