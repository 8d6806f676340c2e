/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-master.h - a linear programme of the links of rings, and the bound it proves */
#ifndef PLINK_SOLVER_RING_RING_MASTER_H
#define PLINK_SOLVER_RING_RING_MASTER_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/ring/lp.h"
#include "solver/ring/ring-separate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Costs are whole numbers here; a typical hop costs about this. */
#define PL_MASTER_HOP ((int64_t)1 << 36)
/* A link of this cost is never used. All others cost at most PL_MASTER_HOP *
 * n. */
#define PL_MASTER_NEVER INT64_MAX

enum pl_master_end {
	PL_MASTER_ABOVE, /* the bound has reached the limit: nothing can be
			    gained */
	PL_MASTER_RING,  /* the links make a ring */
	PL_MASTER_SPLIT, /* a link has to be decided: split */
	PL_MASTER_STUCK, /* GLPK gets no further */
	PL_MASTER_STOPPED,
};

/*
 * Constraints: each host has two links (directed: one out and one in), each group of hosts is left,
 * and cuts with teeth hold. Only links that matter are columns; the others are priced now and then.
 *
 * The bound does not rely on GLPK's claim that a solution is optimal. Whatever the prices of hosts
 * and cuts, a ring costs at least the sum of all prices plus the sum of (cost minus prices) over
 * all links for which that is negative. Prices are rounded to whole numbers, so that these sums
 * have no rounding error. Neumaier, Shcherbina, Math. Program. 99 (2004).
 */
struct pl_ring_master {
	size_t n;
	bool symmetric;     /* only links with a < b */
	int64_t *cost;      /* [n * n] PL_MASTER_NEVER: not used */
	signed char *fixed; /* [n * n] 1: in the ring, -1: not in it, 0: open */
	int64_t *left;      /* [n * n] cost minus prices of the last solution */
	int64_t *price;     /* of rows */
	size_t price_room;
	int *col;  /* [n * n] column of the link, 0: none */
	int spare; /* column that stands in for missing links in cuts */
	struct pl_lp *lp;
	struct pl_ring_cut *cut; /* rows from first_cut on */
	size_t n_cuts, cuts_room;
	int first_cut;
	int *at; /* scratch for rows and columns */
	double *value;
	size_t entries_room;
	double *x, *link; /* [n * n] last solution; sum of both directions */
	struct pl_ring_separation sep;
	int64_t last, bound; /* proved by the last solution; best at this node */
};

/* For cost[n * n] (copied), n from 3 to PL_CUT_HOSTS_MAX. The links of the ring host_at[n] become
 * columns. 0, or -1 with @err set and nothing to release. */
int pl_ring_master_init(struct pl_ring_master *m, const int64_t *cost, size_t n, bool symmetric,
			const size_t *host_at, struct pl_err *err);
void pl_ring_master_fini(struct pl_ring_master *m);

/* The aim of pl_ring_master_solve. */
struct pl_master_aim {
	int64_t limit; /* rings of this cost or more do not matter */
	const struct pl_stop *stop;
	uint64_t iterations_max; /* in all, see pl_lp_iterations */
};

/* Solves, adds cuts and prices links until none of these helps. m->bound is then a lower bound on
 * every ring that keeps to the links as they are fixed. -1 with @err set: out of memory. */
int pl_ring_master_solve(struct pl_ring_master *m, const struct pl_master_aim *aim,
			 enum pl_master_end *end, struct pl_err *err);

/* Picks the link to split at: one that is undecided and dear, so that both branches cost more. */
size_t pl_ring_master_pick(const struct pl_ring_master *m);

/* Fixes the link (row * n + column): 1 in the ring, -1 not in it, 0 open. */
void pl_ring_master_fix(struct pl_ring_master *m, size_t link, int taken);

/* Excludes for good all open links with which, by the last solution, a ring costs @limit or more.
 * Call it only while no link is fixed. */
void pl_ring_master_exclude(struct pl_ring_master *m, int64_t limit);

#endif
