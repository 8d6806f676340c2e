/* SPDX-License-Identifier: BSD-3-Clause */
/* tabu.h - tabu search among all exchanges of two slots */
#ifndef PLINK_SOLVER_ASSIGN_TABU_H
#define PLINK_SOLVER_ASSIGN_TABU_H

#include "base/rng.h"
#include "base/stop.h"
#include "solver/assign/flows.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages and what they cost, or bytes and what they cost. */
struct pl_assign_product {
	bool directed; /* neither flow nor c are the same both ways */
	double *flow;  /* [n * n] by place; both ways in each, unless directed */
	double *both;  /* [n * n] by place: flow, and flow back */
	double *c;     /* [n * n] by slot; likewise if flow is not */
};

/*
 * There are as many places as slots: the positions, and behind them places without flows for the
 * slots that are free, so that a move into a free slot is an exchange, too. For one thread at a
 * time.
 */
struct pl_assign_tabu {
	const struct pl_assign_flows *flows; /* borrowed */
	size_t n;                            /* places */
	struct pl_assign_product product[2];
	size_t n_products;
	double *pair;    /* [n * n] by place: what their exchange costs more
			    than the four entries of at tell */
	double *at;      /* [n * n] by place: what u would cost where v is */
	double *now;     /* [n] by place: the diagonal of at */
	double *change;  /* [4 * n] scratch */
	size_t *slot_of; /* [n] by place */
	size_t *host_of; /* [n] by slot */
	uint64_t *until; /* [n_pos * n_hosts]: no return to that host before
			    this step */
	uint64_t step;
	double cost;
	size_t *best; /* [n_pos] by position: host */
	double best_cost;
};

/* 0, or -1 with @err set and nothing to release. */
int pl_assign_tabu_init(struct pl_assign_tabu *t, const struct pl_assign_flows *flows,
			struct pl_err *err);
void pl_assign_tabu_fini(struct pl_assign_tabu *t);

/* Makes host_at[n_pos] the present assignment, and the best. */
void pl_assign_tabu_set(struct pl_assign_tabu *t, const size_t *host_at);

/* Exchanges two places: O(n^2) time, less if they have few flows. */
void pl_assign_tabu_exchange(struct pl_assign_tabu *t, size_t u, size_t v);

/* What one run is to do. Borrowed for the call. */
struct pl_assign_tabu_job {
	uint64_t steps;
	double target; /* end at this cost or less */
	const struct pl_stop *stop;
};

/*
 * Makes the best exchange that is not tabu, again and again, from the present assignment; *steps
 * becomes how many. The result is t->best. Robust tabu search: Taillard, Parallel Computing 17
 * (1991); without its second aspiration, since restarts do the same.
 */
enum pl_restart_end pl_assign_tabu_run(struct pl_assign_tabu *t,
				       const struct pl_assign_tabu_job *job, struct pl_rng *rng,
				       uint64_t *steps);

#endif
