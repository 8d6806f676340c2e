/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h - the order of hosts in which a step of a job costs least */
#ifndef PLINK_ORDER_JOB_SOLVE_H
#define PLINK_ORDER_JOB_SOLVE_H

#include "base/err.h"
#include "base/stop.h"
#include "order/job/cost.h"
#include "solver/assign/assign.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to this many seats all orders are tried: the result is the optimum. */
#define PL_JOB_EXACT_MAX 8

struct pl_job_search_options {
	uint64_t seed;
	uint64_t moves;   /* in total: exchanges that are tried */
	unsigned threads; /* >= 1 */
	double bound;     /* of the cost: end where it is reached; 0: none */
	/* [seats.n] hosts exchange places only where this is the same; NULL: all may */
	const size_t *class;
	const struct pl_stop *stop; /* NULL: never */
	/* called after a restart, by any of the threads, one at a time */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

struct pl_job_search_result {
	double cost_given, cost;
	uint64_t moves;
	bool stopped; /* before the moves were used up */
	bool exact;   /* all orders were tried, or the bound was reached */
};

/* The default number of moves for so many seats. */
uint64_t pl_job_search_moves(size_t n_seats);

/*
 * Improves host_at[seats.n], which is never dearer afterwards. Restarts begin
 * with the given order, and with orders in which the hosts, neighbours in a
 * tree of their distances, fill the groups of one kind after the other, nested
 * in any order of the kinds; each is improved by exchanges of two seats, by
 * annealing. Where the job makes no other calls than traffic, it is solved as a
 * quadratic assignment problem (solver/assign/); where all orders cost the same
 * (pl_job_cost_is_even), nothing is tried. The same seed and moves give
 * the same order for any number of threads, unless *stop came first. 0, or -1
 * with @err set and host_at as it was: as pl_job_cost_create.
 */
int pl_job_search(const struct pl_job_cost_options *cost, const struct pl_job_search_options *o,
		  size_t *host_at, struct pl_job_search_result *r, struct pl_err *err);

/* seeds.c: the orders to start from. Start with {0}, end with fini. */
struct pl_job_seeds {
	size_t *host_at; /* [n * n_seats] */
	size_t n;
};
/* @given[seats.n] is the first. 0, or -1: out of memory. */
int pl_job_seeds_init(struct pl_job_seeds *s, const struct pl_job_cost_options *cost,
		      const size_t *class, const size_t *given);
void pl_job_seeds_fini(struct pl_job_seeds *s);

/* flows.c: do these kinds make no other calls than traffic? Then their orders are those of a
 * quadratic assignment problem. */
bool pl_job_only_sends(const struct pl_job_cost_options *o);

/* The hosts of that problem are machines: hosts at no distance, such as the entries of a list with
 * a line for each rank, are one. Start with {0}, end with fini. */
struct pl_job_flows {
	size_t *machine_of; /* [costs.n] by host */
	size_t *slots;      /* [machines] seats there */
	double *c, *per_byte;
	struct pl_costs costs;
	struct pl_assign_flow *flow;
	struct pl_assign_problem problem;
};
/* For the hosts host_at[seats.n]. 0, or -1: out of memory. */
int pl_job_flows_init(struct pl_job_flows *f, const struct pl_job_cost_options *o,
		      const size_t *host_at);
void pl_job_flows_fini(struct pl_job_flows *f);

/* Solves the problem: host_at[seats.n] is made cheaper, if possible. 0, or -1 with @err set. */
int pl_job_flows_search(const struct pl_job_flows *f, const struct pl_assign_options *options,
			size_t *host_at, struct pl_assign_result *r, struct pl_err *err);

/*
 * *bound: no order of the hosts host_at[seats.n] costs less than this (which does not depend on
 * their order). The sum of what holds for each kind alone, O(hosts^2) for each; or, if that is
 * higher, what holds for kinds whose groups cannot all be among near hosts at once (bound-kinds.c)
 * or, where there is only traffic, for all flows (pl_assign_bound). 0, or -1: out of memory.
 */
int pl_job_bound(const struct pl_job_cost *c, const size_t *host_at, double *bound);

#endif
