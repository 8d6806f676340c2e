/* SPDX-License-Identifier: BSD-3-Clause */
/* assign.h - the ranks of a job with any traffic, placed on hosts with slots */
#ifndef PLINK_SOLVER_ASSIGN_ASSIGN_H
#define PLINK_SOLVER_ASSIGN_ASSIGN_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What position @src sends to position @dst. Both directions may occur, and a pair several times:
 * they add up. */
struct pl_assign_flow {
	uint32_t src, dst;      /* below n_pos; src == dst costs nothing */
	double messages, bytes; /* finite, >= 0 */
};

/*
 * The quadratic assignment problem: an assignment host_at[n_pos] costs the sum over the flows, with
 * a = host_at[src] and b = host_at[dst], of
 *
 *     messages * c[a][b] + bytes * per_byte[a][b]
 *
 * and nothing between positions on one host. All is borrowed.
 */
struct pl_assign_problem {
	size_t n_pos; /* below UINT32_MAX */
	const struct pl_assign_flow *flow;
	size_t n_flows;
	const struct pl_costs *costs; /* per_byte NULL: bytes do not count */
	const size_t *slots;          /* [hosts] positions that a host has room for;
					 NULL: one each */
};

/* Up to this many slots, the best of all exchanges is made again and again (population.h); beyond,
 * a few of them are tried (assign-levels.h). A host counts n_pos slots at most. */
#define PL_ASSIGN_DENSE_MAX 96

/* A move is one exchange made, up to PL_ASSIGN_DENSE_MAX slots; beyond, one that was tried. {0}
 * except for seed and moves. */
struct pl_assign_options {
	uint64_t seed, stream;      /* as of pl_rng_init */
	uint64_t moves;             /* in total */
	double target;              /* end at this cost or less; 0: none */
	const struct pl_stop *stop; /* NULL: never */
	/* called after a restart */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

struct pl_assign_result {
	double cost_given, cost; /* as pl_assign_cost computes it */
	uint64_t moves, restarts;
	bool stopped; /* before the moves were used up */
};

/* The cost of host_at[n_pos], computed from all flows. */
double pl_assign_cost(const struct pl_assign_problem *problem, const size_t *host_at);

/*
 * Improves host_at[n_pos] (in: an assignment in which no host has more
 * positions than slots; out: the best one found). The result is never dearer:
 * host_at stays as it was unless something cheaper was found. The same seed,
 * stream and moves give the same assignment, unless *stop came first. One
 * thread. 0, or -1
 * with @err set and host_at as it was: PL_EUSAGE if positions, slots and
 * host_at do not fit, or out of memory.
 */
int pl_assign_search(const struct pl_assign_problem *problem,
		     const struct pl_assign_options *options, size_t *host_at,
		     struct pl_assign_result *result, struct pl_err *err);

/*
 * *bound becomes a lower bound on the cost of every assignment: that of Gilmore (J. SIAM 10, 1962)
 * and Lawler (Management Science 9, 1963), which allows for rounding. The flows out of a position
 * cost at least as much as if the largest went where it is cheapest. Up to PL_ASSIGN_BOUND_MAX
 * slots an assignment problem decides which position is where; beyond, each is where that costs it
 * least. 0, or -1 with @err set as for pl_assign_search.
 */
#define PL_ASSIGN_BOUND_MAX 128
int pl_assign_bound(const struct pl_assign_problem *problem, double *bound, struct pl_err *err);

#endif
