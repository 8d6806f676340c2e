/* SPDX-License-Identifier: BSD-3-Clause */
/* order-search.c - the cheapest order for any shape that annealing finds */
#include "config.h"

#include "solver/order/order-search.h"

#include "base/mem.h"
#include "solver/neighbours.h"
#include "solver/order/order-blocks.h"
#include "solver/order/order-restart.h"
#include "solver/order/order-start.h"
#include "solver/order/seating.h"
#include "solver/ring/ring-restart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIED_A_MOVE 64 /* hosts on seats of blocks, for each of the moves */
#define NEIGHBOURS 12

/* The default budget is so many times the share of a restart of the first generation: it is that of
 * four generations. */
#define SHARES 60

/* A guide is worth its time if trees are few. */
#define GUIDED_GROUPS_MAX 16

enum { START_GIVEN, START_PAIRS, START_NEAREST, START_CALLER, STARTS };

/*
 * What a restart does. No one way is the best for all shapes, networks and numbers of hosts: those
 * that led to cheap orders get most of the moves. Lai, Robbins, Asymptotically efficient adaptive
 * allocation rules (1985), have the name: the arms of a bandit.
 */
struct arm {
	enum pl_order_way way;
	double heat, guide;
};

enum { ARMS = 6 };

/* The first ones are tried first. */
static const struct arm arms_of_maxima[ARMS] = {
	{PL_ORDER_ALONE, 0.5, 1},   {PL_ORDER_FINE, 0, 0.5},  {PL_ORDER_ALONE, 0.2, 1},
	{PL_ORDER_DESCENT, 0, 0.5}, {PL_ORDER_ALONE, 0.5, 0}, {PL_ORDER_ALONE, 1, 1},
};
static const struct arm arms_of_others[ARMS] = {
	{PL_ORDER_ALONE, 0.5, 0.5}, {PL_ORDER_ALONE, 1, 0.5}, {PL_ORDER_ALONE, 0.2, 0.5},
	{PL_ORDER_ALONE, 0.2, 0},   {PL_ORDER_ALONE, 0.5, 1}, {PL_ORDER_ALONE, 0.5, 0},
};

/* In place of an arm's number: the best order of all. */
#define AGAIN ARMS

/* Restarts of one length; the next ones are twice as long. */
#define GENERATION 4

/* Lengths double, so that there are no more than these. */
#define RESTARTS_MAX (64 * GENERATION)

/* What all threads of one search share. */
struct search {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	const struct pl_order_search_options *options;
	size_t n;
	struct pl_shape guide; /* n_hops is 0: none */
	struct pl_neighbours nb;
	bool in_chains;
	bool descends, fine, norms;
	struct pl_levels levels; /* where it does */
	size_t *base;            /* [n] the hosts as these number them */
	size_t *start[STARTS];   /* the cheapest first */
	size_t n_starts;
	struct pl_restarts restarts;
	size_t arm_of[RESTARTS_MAX]; /* by restart */
	double cost_of[RESTARTS_MAX];
	size_t *best; /* [n] scratch, then the result */
};

static uint64_t first_share(size_t n)
{
	const uint64_t few = n < 512 ? n : 512;

	return 2500 + 125 * few + 25 * ((uint64_t)n - few);
}

uint64_t pl_order_search_moves(size_t n)
{
	return SHARES * first_share(n);
}

/* The arms by the cheapest order that each led to before restart @first, those that were not tried
 * last: an insertion sort. */
static void rank_arms(const struct search *s, uint64_t first, size_t *ranked)
{
	double cost[ARMS];

	for (size_t a = 0; a < ARMS; a++)
		cost[a] = INFINITY;
	for (uint64_t k = 0; k < first; k++)
		if (s->arm_of[k] < ARMS)
			cost[s->arm_of[k]] = fmin(cost[s->arm_of[k]], s->cost_of[k]);
	for (size_t a = 0; a < ARMS; a++) {
		size_t i = a;

		for (; i > 0 && cost[ranked[i - 1]] > cost[a]; i--)
			ranked[i] = ranked[i - 1];
		ranked[i] = a;
	}
}

/* Of each generation but the first, a restart is for the arm that led to the cheapest order, one
 * for the best order, one for each arm in turn, and one for the second best arm. */
static size_t pick_arm(const struct search *s, uint64_t number)
{
	const uint64_t generation = number / GENERATION;
	size_t ranked[ARMS];

	if (generation == 0)
		return number % ARMS;
	rank_arms(s, generation * GENERATION, ranked);
	switch (number % GENERATION) {
	case 0:
		return ranked[0];
	case 1:
		return AGAIN;
	case 2:
		return (GENERATION + generation - 1) % ARMS;
	default:
		return ranked[1];
	}
}

/* The start and the arm of a restart. */
static void plan_restart(struct search *s, struct pl_order_job *job)
{
	const size_t number = pick_arm(s, job->number);
	const struct arm *arm = s->descends ? arms_of_maxima : arms_of_others;

	s->arm_of[job->number] = number;
	job->way = PL_ORDER_AGAIN;
	job->start = s->restarts.leader;
	job->guide = arm->guide;
	if (number == AGAIN)
		return;
	arm += number;
	job->way = arm->way;
	job->heat = arm->heat;
	job->guide = arm->guide;
	job->start = s->start[job->number % s->n_starts];
}

static void run_restarts(struct search *s, struct pl_order_restart *r, struct pl_order_job *job)
{
	while (pl_restarts_take(&s->restarts, &job->number, &job->moves)) {
		struct pl_restarts_done done = {.number = job->number};

		plan_restart(s, job);
		done.end = pl_order_restart_run(r, job);
		done.moves = r->moves;
		done.order = r->best;
		done.cost = pl_seating_full(&r->seating, r->best);
		s->cost_of[done.number] = done.cost;
		pl_restarts_hand_in(&s->restarts, &done);
	}
}

/* 0, or -1 with @err set; must be released in both cases. */
static int room_init(struct search *s, struct pl_order_restart *r, struct pl_err *err)
{
	if (pl_seating_init(&r->seating, s->shape, s->guide.n_hops ? &s->guide : NULL, s->costs,
			    s->options->slots, err))
		return -1;
	r->best = pl_array_create(s->n, sizeof(*r->best));
	if (!r->best)
		return pl_err_nomem(err);
	r->norms = s->norms;
	if (r->norms && pl_objective_add_norms(r->seating.cost, err))
		return -1;
	return !s->descends ? 0 : pl_order_descent_init(&r->descent, &s->levels, err);
}

static void *work(void *arg)
{
	struct search *s = arg;
	struct pl_order_restart r = {.nb = &s->nb, .base = s->base, .in_chains = s->in_chains};
	struct pl_order_job job = {
		.seed = s->options->seed,
		.target = s->options->target,
		.may_lead = s->options->may_lead,
		.stop = s->options->stop,
		.limit = &s->restarts.limit,
	};
	struct pl_err err = {0};

	if (room_init(s, &r, &err))
		pl_restarts_fail(&s->restarts, &err);
	else
		run_restarts(s, &r, &job);
	pl_seating_fini(&r.seating);
	pl_order_descent_fini(&r.descent);
	free(r.best);
	return NULL;
}

/* Do three hops of four join neighbouring positions? */
static bool is_in_chains(const struct pl_shape *shape)
{
	size_t n = 0;

	for (size_t h = 0; h < shape->n_hops; h++)
		n += shape->hop[h].src + 1 == shape->hop[h].dst ||
		     shape->hop[h].dst + 1 == shape->hop[h].src;
	return 4 * n >= 3 * shape->n_hops;
}

/* Costs of hops between hosts, with the bytes they carry on average; NULL: out of memory. */
static double *mean_costs(const struct pl_shape *shape, const struct pl_costs *costs)
{
	const size_t n = costs->n;
	double *near = pl_array_create(n * n, sizeof(*near));
	double bytes = 0;

	for (size_t h = 0; h < shape->n_hops; h++)
		bytes += shape->hop[h].bytes / (double)shape->n_hops;
	for (size_t i = 0; near && i < n * n; i++)
		near[i] = costs->c[i] + (costs->per_byte ? bytes * costs->per_byte[i] : 0);
	return near;
}

/* Puts @host first: where n is a power of two by renumbering the seats (p XOR its seat), which
 * leaves blocks what they are; else by a swap. */
static void put_first(size_t *host_at, size_t n, size_t host, size_t *scratch)
{
	size_t seat = 0;

	while (host_at[seat] != host)
		seat++;
	if (n & (n - 1)) {
		host_at[seat] = host_at[0];
		host_at[0] = host;
		return;
	}
	for (size_t p = 0; p < n; p++)
		scratch[p] = host_at[p ^ seat];
	memcpy(host_at, scratch, n * sizeof(*host_at));
}

static int make_starts(struct search *s, const double *near, const size_t *given,
		       struct pl_err *err)
{
	const size_t bytes = s->n * sizeof(*given);

	s->n_starts = s->options->start ? STARTS : STARTS - 1;
	for (size_t k = 0; k < s->n_starts; k++) {
		s->start[k] = pl_array_create(s->n, sizeof(*given));
		if (!s->start[k])
			return pl_err_nomem(err);
	}
	memcpy(s->start[START_GIVEN], given, bytes);
	if (s->options->start)
		memcpy(s->start[START_CALLER], s->options->start, bytes);
	memcpy(s->start[START_NEAREST], given, bytes);
	if (!pl_stop_now(s->options->stop))
		pl_order_start_nearest(near, s->n, given[0], s->start[START_NEAREST]);
	if (pl_order_start_pairs(near, s->n, s->options->stop, s->start[START_PAIRS], err))
		return -1;
	for (size_t k = 0; s->options->may_lead && k < s->n_starts; k++)
		put_first(s->start[k], s->n, given[0], s->best);
	return 0;
}

/* By cost, insertion sort: equals stay as they are. */
static void sort_starts(struct search *s, struct pl_seating *seating)
{
	double cost[STARTS];

	for (size_t k = 0; k < s->n_starts; k++) {
		const double x = pl_seating_full(seating, s->start[k]);
		size_t *order = s->start[k], i = k;

		for (; i > 0 && cost[i - 1] > x; i--) {
			cost[i] = cost[i - 1];
			s->start[i] = s->start[i - 1];
		}
		cost[i] = x;
		s->start[i] = order;
	}
}

/*
 * Pairing puts hosts that are near each other on seats side by side. Where seats far apart exchange
 * the most bytes, as when halving begins at the largest distance, they belong there: seats with
 * their bits reversed.
 */
static void turn_base(struct search *s, struct pl_seating *seating)
{
	for (size_t p = 0; p < s->n; p++) {
		size_t seat = 0;

		for (size_t bit = 1; bit < s->n; bit *= 2)
			seat = 2 * seat + ((p & bit) != 0);
		s->best[seat] = s->base[p];
	}
	if (pl_seating_full(seating, s->best) < pl_seating_full(seating, s->base))
		memcpy(s->base, s->best, s->n * sizeof(*s->base));
}

/* Descents are for shapes that cost their most expensive hop. They start from
 * the hosts paired by nearness, a power of two of them seated well in
 * blocks. */
static int make_levels(struct search *s, struct pl_seating *seating, struct pl_err *err)
{
	const uint64_t moves = s->options->moves;
	const uint64_t work = moves < PL_ORDER_BLOCKS_WORK / TRIED_A_MOVE ? TRIED_A_MOVE * moves
									  : PL_ORDER_BLOCKS_WORK;
	const size_t alike = seating->alike;

	if (pl_stop_now(s->options->stop))
		s->descends = false;
	if (!s->descends)
		return 0;
	s->base = pl_array_create(s->n, sizeof(*s->base));
	if (!s->base)
		return pl_err_nomem(err);
	memcpy(s->base, s->start[START_PAIRS], s->n * sizeof(*s->base));
	/* if hosts are left over, blocks do not decide */
	s->fine = (s->n & (s->n - 1)) == 0;
	if (s->fine && s->costs->per_byte)
		turn_base(s, seating);
	if (s->fine &&
	    pl_order_blocks(s->shape, s->costs, alike, work, s->options->stop, s->base, err))
		return -1;
	return pl_levels_init(&s->levels, s->shape, s->costs, alike, s->base, err);
}

static bool is_guided(const struct pl_shape *shape)
{
	return shape->kind == PL_LONGEST_PATH && shape->n_groups <= GUIDED_GROUPS_MAX;
}

static int prepare(struct search *s, struct pl_seating *seating, const size_t *given,
		   struct pl_err *err)
{
	double *near = mean_costs(s->shape, s->costs);
	const size_t k = s->n - 1 < NEIGHBOURS ? s->n - 1 : NEIGHBOURS;
	int rc = -1;

	if (!near)
		return pl_err_nomem(err);
	if (make_starts(s, near, given, err) ||
	    pl_neighbours_init(&s->nb, near, s->n, k, NULL, err))
		goto out;
	if (make_levels(s, seating, err))
		goto out;
	sort_starts(s, seating);
	s->in_chains = is_in_chains(s->shape);
	rc = 0;
	if (is_guided(s->shape))
		rc = pl_order_guide(&s->guide, s->shape, err);
out:
	free(near);
	return rc;
}

static void release(struct search *s)
{
	for (size_t k = 0; k < STARTS; k++)
		free(s->start[k]);
	pl_neighbours_fini(&s->nb);
	pl_shape_fini(&s->guide);
	pl_levels_fini(&s->levels);
	free(s->base);
	free(s->best);
}

static int search_starts(struct search *s, struct pl_seating *seating, const size_t *given,
			 struct pl_order_search_result *result, struct pl_err *err)
{
	const struct pl_restarts_plan plan = {
		.n = s->n,
		.moves = s->options->moves,
		.share = first_share(s->n),
		.limit = s->options->moves ? RESTARTS_MAX : 1,
		.doubling = GENERATION,
		.waits = true,
		.threads = s->options->threads,
		.progress = s->options->progress,
		.progress_arg = s->options->progress_arg,
	};
	int rc = -1;

	if (pl_stop_now(s->options->stop)) { /* no time to prepare anything */
		memcpy(s->best, given, s->n * sizeof(*s->best));
		result->stopped = true;
		return 0;
	}
	if (pl_restarts_init(&s->restarts, &plan, err))
		return -1;
	if (prepare(s, seating, given, err) == 0 &&
	    pl_restarts_run(&s->restarts, work, s, err) == 0) {
		pl_restarts_sum(&s->restarts, &result->restarts, &result->moves);
		result->stopped = s->restarts.stopped && !s->restarts.reached;
		memcpy(s->best, s->restarts.best, s->n * sizeof(*s->best));
		rc = 0;
	}
	pl_restarts_fini(&s->restarts);
	return rc;
}

int pl_order_search(const struct pl_shape *shape, const struct pl_costs *costs,
		    const struct pl_order_search_options *options, size_t *host_at,
		    struct pl_order_search_result *result, struct pl_err *err)
{
	struct search s = {
		.shape = shape,
		.costs = costs,
		.options = options,
		.n = costs->n,
	};
	struct pl_seating seating;
	double best_cost;
	int rc = -1;

	memset(result, 0, sizeof(*result));
	if (pl_seating_check(shape, s.n, options->slots, err) ||
	    pl_seating_init(&seating, shape, NULL, costs, options->slots, err))
		return -1;
	s.best = pl_array_create(s.n, sizeof(*s.best));
	if (!s.best) {
		pl_err_nomem(err);
		goto out;
	}
	s.descends = shape->kind == PL_SUM_OF_MAXIMA && seating.alike > 0;
	s.norms = shape->kind == PL_SUM_OF_MAXIMA || shape->kind == PL_SLOWEST;
	pl_seating_set(&seating, host_at);
	result->cost_given = result->cost = pl_seating_full(&seating, host_at);
	if (options->target > 0 && pl_ring_reached(result->cost, options->target, s.n)) {
		rc = 0; /* the given order is as cheap as any can be */
		goto out;
	}
	if (s.n <= PL_ORDER_EXACT_MAX) {
		result->exact = pl_order_exact(&seating, options, s.best, &result->moves);
		result->stopped = !result->exact;
	} else if (search_starts(&s, &seating, host_at, result, err)) {
		goto out;
	}
	best_cost = pl_seating_full(&seating, s.best);
	if (best_cost < result->cost_given) {
		memcpy(host_at, s.best, s.n * sizeof(*host_at));
		result->cost = best_cost;
	}
	rc = 0;
out:
	release(&s);
	pl_seating_fini(&seating);
	return rc;
}
