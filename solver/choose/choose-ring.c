/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-ring.c - the cheapest ring of some of the hosts that a search finds */
#include "config.h"

#include "solver/choose/choose-ring.h"

#include "base/mem.h"
#include "base/rng.h"
#include "costmodels/ring.h"
#include "solver/choose/choose-tour.h"
#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-restart.h"

#include <stdlib.h>
#include <string.h>

/* Restarts that the default budget pays for. */
#define RESTARTS 6

/* Hosts taken off the ring at a time, at most. */
#define LEAVERS 50

/* Hosts up to which a ring's order is found outright, time and again. */
#define EXACT_MAX 7

/* Moves for each host to improve the order of a ring, and pairs of hosts whose exchange is looked
 * at in the time of a move. */
#define ORDER_MOVES 10
#define PAIRS_A_MOVE 128

/* What all threads of one search share. */
struct search {
	const struct pl_host_choice *choice;
	const struct pl_ring_options *options;
	const size_t *given;
	struct pl_restarts restarts;
};

/* One thread's room for restarts, one after the other. */
struct restart {
	const struct search *s;
	uint64_t number;
	struct pl_choose_tour tour;
	struct pl_rng rng;
	size_t *order, *best; /* [n] */
	size_t *ring;         /* [k] scratch */
	bool *barred;         /* [n] scratch */
	double *part;         /* [k * k] costs among those on the ring */
	double cost, best_cost;
	uint64_t moves, moves_max;
	struct pl_err err;
};

/* As for the ring of all hosts: beyond a few hundred patience ends first. */
static uint64_t moves_per_restart(const struct pl_host_choice *choice)
{
	const uint64_t few = choice->n < 256 ? choice->n : 256;

	return 2000 + 200 * few + 50 * ((uint64_t)choice->n - few);
}

uint64_t pl_choose_ring_moves(const struct pl_host_choice *choice)
{
	return RESTARTS * moves_per_restart(choice);
}

static void restart_fini(struct restart *r)
{
	pl_choose_tour_fini(&r->tour);
	free(r->order);
	free(r->best);
	free(r->ring);
	free(r->barred);
	free(r->part);
}

static int restart_init(struct restart *r, const struct search *s, struct pl_err *err)
{
	const size_t n = s->choice->n, k = s->choice->k;

	*r = (struct restart){
		.s = s,
		.order = pl_array_create(n, sizeof(*r->order)),
		.best = pl_array_create(n, sizeof(*r->best)),
		.ring = pl_array_create(k, sizeof(*r->ring)),
		.barred = pl_array_create(n, sizeof(*r->barred)),
		.part = pl_array_create(k * k, sizeof(*r->part)),
	};
	if (r->order && r->best && r->ring && r->barred && r->part &&
	    pl_choose_tour_init(&r->tour, s->choice, err) == 0)
		return 0;
	restart_fini(r);
	return pl_err_nomem(err);
}

static double cost_of(const struct restart *r, const size_t *host_at)
{
	const struct pl_host_choice *choice = r->s->choice;

	return pl_cost_ring(choice->c, choice->n, host_at, choice->k);
}

/* At most this share of the moves that are left. */
static uint64_t part_of_moves(const struct restart *r, uint64_t wanted)
{
	const uint64_t left = r->moves_max - r->moves;

	return wanted < left ? wanted : left;
}

static bool told_to_stop(const struct restart *r)
{
	return pl_stop_now(r->s->options->stop) || atomic_load(&r->s->restarts.limit) <= r->number;
}

/* Improves the order of the ring's hosts in r->order, and counts the moves that this took. 0, or
 * -1: memory. */
static int improve_order(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;
	const size_t k = choice->k;
	const struct pl_ring_options options = {
		.seed = pl_rng_u64(&r->rng),
		.moves = part_of_moves(r, ORDER_MOVES * k),
		.threads = 1,
		.stop = r->s->options->stop,
	};
	struct pl_ring_result found = {.moves = part_of_moves(r, 1)};
	bool done;
	int rc;

	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			r->part[i * k + j] = choice->c[r->order[i] * choice->n + r->order[j]];
	for (size_t i = 0; i < k; i++)
		r->ring[i] = i;
	if (k <= EXACT_MAX)
		rc = pl_ring_exact(r->part, k, NULL, r->ring, &done, &r->err);
	else
		rc = pl_ring_search(r->part, k, &options, r->ring, &found, &r->err);
	for (size_t i = 0; i < k; i++)
		r->ring[i] = r->order[r->ring[i]];
	r->moves += found.moves;
	return rc;
}

/* Exchanges and orders, until neither gains anything. 0, or -1: memory. */
static int descend(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;
	const uint64_t pass = 1 + choice->k * (choice->n - choice->k) / PAIRS_A_MOVE;

	for (;;) {
		while (part_of_moves(r, pass) == pass && !told_to_stop(r)) {
			r->moves += pass;
			if (!pl_choose_tour_exchange(&r->tour))
				break;
		}
		pl_choose_tour_get(&r->tour, r->order);
		r->cost = cost_of(r, r->order);
		if (improve_order(r))
			return -1;
		if (cost_of(r, r->ring) >= r->cost)
			return 0;
		pl_choose_tour_set(&r->tour, r->ring, choice->k);
	}
}

/* A ring of all hosts, without those that cost most to have on it. */
static int start_shrinking(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;
	const struct pl_ring_options options = {
		.seed = pl_rng_u64(&r->rng),
		.moves = part_of_moves(r, ORDER_MOVES * choice->n),
		.threads = 1,
		.stop = r->s->options->stop,
	};
	struct pl_ring_result found;

	memcpy(r->order, r->s->given, choice->n * sizeof(*r->order));
	if (pl_ring_search(choice->c, choice->n, &options, r->order, &found, &r->err))
		return -1;
	r->moves += found.moves;
	pl_choose_tour_set(&r->tour, r->order, choice->n);
	pl_choose_tour_shrink(&r->tour);
	return 0;
}

static int start(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;
	size_t host;

	r->moves = 0;
	pl_rng_init(&r->rng, r->s->options->seed, r->number);
	if (r->number == 0) {
		pl_choose_tour_set(&r->tour, r->s->given, choice->k);
		return 0;
	}
	if (r->number == 1)
		return start_shrinking(r);
	host = pl_rng_below(&r->rng, choice->n);
	pl_choose_tour_set(&r->tour, &host, 1);
	memset(r->barred, 0, choice->n * sizeof(*r->barred));
	pl_choose_tour_grow(&r->tour, r->barred);
	return 0;
}

/* Some neighbours leave; whether they may come back at once is random. */
static void kick(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;
	const size_t most = choice->k - 1 < LEAVERS ? choice->k - 1 : LEAVERS;
	const size_t n_leavers = 1 + pl_rng_below(&r->rng, most);
	const bool bar = pl_rng_u64(&r->rng) & 1;
	size_t host = r->order[pl_rng_below(&r->rng, choice->k)];

	memset(r->barred, 0, choice->n * sizeof(*r->barred));
	for (size_t i = 0; i < n_leavers; i++) {
		const size_t next = r->tour.next[host];

		r->barred[host] = bar;
		pl_choose_tour_remove(&r->tour, host);
		host = next;
	}
	pl_choose_tour_grow(&r->tour, r->barred);
}

/* Keeps the present ring if it costs no more, or goes back to the last one. */
static void judge(struct restart *r)
{
	const struct pl_host_choice *choice = r->s->choice;

	if (r->cost <= r->best_cost) {
		memcpy(r->best, r->order, choice->n * sizeof(*r->best));
		r->best_cost = r->cost;
	} else {
		memcpy(r->order, r->best, choice->n * sizeof(*r->order));
		pl_choose_tour_set(&r->tour, r->best, choice->k);
	}
}

static enum pl_restart_end run(struct restart *r)
{
	const struct pl_ring_options *options = r->s->options;

	if (start(r) || descend(r))
		return PL_RESTART_STOPPED;
	r->best_cost = r->cost;
	for (judge(r);;) {
		if (pl_ring_reached(r->best_cost, options->target, r->s->choice->n))
			return PL_RESTART_REACHED;
		if (r->moves >= r->moves_max)
			return PL_RESTART_SPENT;
		if (told_to_stop(r))
			return PL_RESTART_STOPPED;
		kick(r);
		if (descend(r))
			return PL_RESTART_STOPPED;
		judge(r);
	}
}

static void hand_in(struct search *s, struct restart *r, enum pl_restart_end end)
{
	const struct pl_restarts_done done = {
		.number = r->number,
		.moves = r->moves,
		.order = r->best,
		.cost = r->best_cost,
		.end = end,
	};

	pl_restarts_hand_in(&s->restarts, &done);
}

static void *work(void *arg)
{
	struct search *s = arg;
	struct pl_err err = {0};
	struct restart r;

	if (restart_init(&r, s, &err)) {
		pl_restarts_fail(&s->restarts, &err);
		return NULL;
	}
	while (pl_restarts_take(&s->restarts, &r.number, &r.moves_max)) {
		const enum pl_restart_end end = run(&r);

		if (r.err.code != PL_OK) {
			pl_restarts_fail(&s->restarts, &r.err);
			break;
		}
		hand_in(s, &r, end);
	}
	restart_fini(&r);
	return NULL;
}

static int search(struct search *s, const struct pl_restarts_plan *plan, size_t *host_at,
		  struct pl_ring_result *result, struct pl_err *err)
{
	if (pl_restarts_init(&s->restarts, plan, err))
		return -1;
	if (pl_restarts_run(&s->restarts, work, s, err)) {
		pl_restarts_fini(&s->restarts);
		return -1;
	}
	pl_restarts_sum(&s->restarts, &result->restarts, &result->moves);
	result->stopped = s->restarts.stopped && !s->restarts.reached;
	if (s->restarts.best_cost < result->cost_given) {
		memcpy(host_at, s->restarts.best, plan->n * sizeof(*host_at));
		result->cost = s->restarts.best_cost;
	}
	pl_restarts_fini(&s->restarts);
	return 0;
}

int pl_choose_ring(const struct pl_host_choice *choice, const struct pl_ring_options *options,
		   size_t *host_at, struct pl_ring_result *result, struct pl_err *err)
{
	struct search s = {.choice = choice, .options = options, .given = host_at};
	const uint64_t moves = options->moves;
	const uint64_t share = moves_per_restart(choice);
	const struct pl_restarts_plan plan = {
		.n = choice->n,
		.moves = moves,
		.share = share,
		.limit = moves / share + (moves % share != 0 || moves == 0),
		.threads = options->threads,
		.progress = options->progress,
		.progress_arg = options->progress_arg,
	};

	memset(result, 0, sizeof(*result));
	result->cost_given = result->cost = pl_cost_ring(choice->c, choice->n, host_at, choice->k);
	if (choice->k < 2 || pl_ring_reached(result->cost, options->target, choice->n))
		return 0;
	return search(&s, &plan, host_at, result, err);
}
