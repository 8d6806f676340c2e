/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-master.h - links between hosts as a linear program, and what it
 * proves */
#ifndef PLINK_SOLVER_RING_RING_MASTER_H
#define PLINK_SOLVER_RING_RING_MASTER_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/ring/lp.h"
#include "solver/ring/ring-separate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Costs are whole numbers here; this many are what a hop costs about. */
#define PL_MASTER_HOP ((int64_t)1 << 36)
/* No ring worth while takes that link. All others cost PL_MASTER_HOP * n at
 * most. */
#define PL_MASTER_NEVER INT64_MAX

enum pl_master_end {
	PL_MASTER_ABOVE, /* the bound is at the limit: nothing to be found */
	PL_MASTER_RING,  /* the links make a ring */
	PL_MASTER_SPLIT, /* there is a link to be decided: split */
	PL_MASTER_STUCK, /* GLPK cannot tell more */
	PL_MASTER_STOPPED,
};

/*
 * Each host has two links (directed: one out and one in), each group of hosts
 * is left, and cuts with teeth hold. Only links that matter are columns; the
 * others are priced now and then.
 *
 * What it proves does not rest on what GLPK calls optimal: whatever the prices
 * of hosts and cuts, a ring costs no less than the sum of the prices and of all
 * links that are too cheap by them. Prices are rounded to whole numbers and
 * that is added up without any error. Neumaier, Shcherbina, Math. Program. 99
 * (2004).
 */
struct pl_ring_master {
	size_t n;
	bool symmetric;     /* links a < b only */
	int64_t *cost;      /* [n * n] PL_MASTER_NEVER: not to be taken */
	signed char *fixed; /* [n * n] 1: taken, -1: not, 0: open */
	int64_t *left;      /* [n * n] cost less prices, by the last solution */
	int64_t *price;     /* of rows */
	size_t price_room;
	int *col;  /* [n * n] the link's, 0: none */
	int spare; /* column that stands in for cuts */
	struct pl_lp *lp;
	struct pl_ring_cut *cut; /* rows from first_cut on */
	size_t n_cuts, cuts_room;
	int first_cut;
	int *at; /* scratch for rows and columns */
	double *value;
	size_t entries_room;
	double *x, *link; /* [n * n] last solution; both ways together */
	struct pl_ring_separation sep;
	int64_t last,
		bound; /* proved by the last solution; best at this node */
};

/* Of costs[n * n] (copied), n from 3 to PL_CUT_HOSTS_MAX, with the links of the
 * ring host_at[n] in it. 0, or -1 with @err set and nothing to release. */
int pl_ring_master_init(struct pl_ring_master *m, const int64_t *cost, size_t n,
			bool symmetric, const size_t *host_at,
			struct pl_err *err);
void pl_ring_master_fini(struct pl_ring_master *m);

/* What to solve for. */
struct pl_master_aim {
	int64_t limit; /* rings from this cost on do not matter */
	const struct pl_stop *stop;
	uint64_t iterations_max; /* of all, see pl_lp_iterations */
};

/* Solves, cuts and prices until nothing more comes of it. m->bound is at most
 * the cost of every ring with the links as they are fixed. -1 with @err set:
 * memory. */
int pl_ring_master_solve(struct pl_ring_master *m,
			 const struct pl_master_aim *aim,
			 enum pl_master_end *end, struct pl_err *err);

/* The link to split at: much in doubt, and dear, so that both halves cost
 * more. */
size_t pl_ring_master_pick(const struct pl_ring_master *m);

/* Decides the link (row * n + column): taken 1, not -1, open 0. */
void pl_ring_master_fix(struct pl_ring_master *m, size_t link, int taken);

/* Never again those open links with which, by the last solution, a ring costs
 * @limit or more. For good: only where nothing is fixed. */
void pl_ring_master_exclude(struct pl_ring_master *m, int64_t limit);

#endif
