/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth.h - annealing of sums of maxima by a smooth cost in their stead */
#ifndef PLINK_SOLVER_ORDER_SMOOTH_H
#define PLINK_SOLVER_ORDER_SMOOTH_H

#include "base/err.h"
#include "base/rng.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hop as one of its seats sees it. */
struct pl_smooth_hop {
	uint32_t other, group;
	bool enters;
	double times, bytes;
};

/* What a round costs between hosts that are usual apart, and its hops now. */
struct pl_smooth_round {
	double usual, cheapest, dearest;
	uint32_t group;
};

/*
 * Most exchanges leave every round's dearest hop what it was, and tell nothing.
 * So a hop that costs x counts here as ((x - zero) / (dearest - zero))^8, with
 * what the cheapest and the dearest hop of its round cost at the beginning,
 * times the difference of both. Where job->fine, to the 16th, and as they are
 * now. One thread's; shape and costs are borrowed.
 */
struct pl_smooth {
	const struct pl_shape *shape;
	struct pl_costs costs;
	struct pl_objective *true_cost;
	size_t n;
	bool plain;                /* a hop costs its cell */
	struct pl_smooth_hop *hop; /* by seat; those that cost the same once */
	size_t *from;              /* [n + 1] */
	double *usual;             /* [n_groups] of a hop between any two */
	double *zero;              /* [n_groups] what counts nothing */
	double *scale;             /* [n_groups] 1 / (dearest - zero) */
	double *weight;            /* [n_groups] what the dearest counts */
	int doublings;             /* of the power's exponent */
	struct pl_smooth_round *round; /* [n_groups] scratch */
	size_t *at;                    /* [n] by seat */
	size_t *best;                  /* [n] result of the last run */
	double best_cost;              /* the true one */
};

/* What one run is to do. Borrowed for the call. */
struct pl_smooth_job {
	const size_t *start; /* [n] hosts by seat */
	size_t first, end;   /* seats first .. end - 1 change their hosts */
	uint64_t moves;
	double heat; /* in dearest hops */
	/* Rounds of one kind that are about as dear are taken as one, so
	 * that none is favoured for having been the cheapest at first. */
	bool level;
	/* The start is good: blocks of seats change their hosts as well, and
	 * what is seldom of use is seldom tried. */
	bool fine;
	bool (*stop)(const void *arg);
	const void *arg;
};

/* Of a shape without hops from a seat to itself, and with an objective.
 * 0, or -1 with @err set and nothing to release. */
int pl_smooth_init(struct pl_smooth *s, const struct pl_shape *shape,
		   const struct pl_costs *costs, struct pl_err *err);
void pl_smooth_fini(struct pl_smooth *s);

/* Exchanges hosts from job->start on; the result is in best and best_cost, the
 * start itself where nothing truly cheaper was found. Gives the moves done:
 * fewer than asked for where job->stop, looked at now and then, said so. */
uint64_t pl_smooth_run(struct pl_smooth *s, const struct pl_smooth_job *job,
		       struct pl_rng *rng);

#endif
