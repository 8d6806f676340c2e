/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cross.c - one restart of the ring search: many short searches, then crossing */
#include "config.h"

#include "solver/ring/ring-cross.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rings to cross: below the least they soon become one; beyond the most there is nothing to gain,
 * for a thousand hosts and in the time that they take. */
#define RINGS_MIN 10
#define RINGS_MAX 100

/* Moves of a ring, for each host, and what its start counts. Directed rings have fewer ways to
 * change, and take longer to find them. */
#define MOVES_PER_HOST 3
#define MOVES_PER_HOST_DIRECTED 10
#define START_PER_HOST 1

/* The share of the moves that rings get. */
#define RINGS_SHARE 0.75

/* Changes that a ring tries at a time, and what one counts. */
#define TRIES 20
#define TRY_MOVES 2

/* After so many rounds without any change there will be none. */
#define ROUNDS_IDLE 3

/* Streams of random numbers that a restart has: a ring's number, and */
#define STREAMS 256
#define STREAM_CROSS 254
#define STREAM_KICKS 255

static size_t count_rings(size_t n, bool symmetric, uint64_t moves)
{
	const size_t each = START_PER_HOST + (symmetric ? MOVES_PER_HOST : MOVES_PER_HOST_DIRECTED);
	const double n_rings = RINGS_SHARE * (double)moves / ((double)each * (double)n);

	if (n_rings < RINGS_MIN || n < 5)
		return 0;
	return n_rings < RINGS_MAX ? (size_t)n_rings : RINGS_MAX;
}

int pl_ring_cross_init(struct pl_ring_cross *x, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, uint64_t moves, struct pl_err *err)
{
	const size_t n_rings = count_rings(hops->n, nb->symmetric, moves);

	memset(x, 0, sizeof(*x));
	x->best = pl_array_create(hops->n, sizeof(*x->best));
	x->turn = pl_array_create(n_rings + 1, sizeof(*x->turn));
	if (!x->best || !x->turn) {
		pl_ring_cross_fini(x);
		return pl_err_nomem(err);
	}
	if (pl_ring_restart_init(&x->short_one, hops, nb, err) ||
	    (n_rings > 0 && (pl_ring_pool_init(&x->some, n_rings / 4, hops, nb, err) ||
			     pl_ring_pool_init(&x->all, n_rings, hops, nb, err)))) {
		pl_ring_cross_fini(x);
		return -1;
	}
	return 0;
}

void pl_ring_cross_fini(struct pl_ring_cross *x)
{
	pl_ring_restart_fini(&x->short_one);
	pl_ring_pool_fini(&x->some);
	pl_ring_pool_fini(&x->all);
	free(x->turn);
	free(x->best);
	memset(x, 0, sizeof(*x));
}

static void keep(struct pl_ring_cross *x, const size_t *host_at, double cost)
{
	if (cost >= x->best_cost)
		return;
	memcpy(x->best, host_at, x->short_one.ls.n * sizeof(*x->best));
	x->best_cost = cost;
}

/* Moves that are left. */
static uint64_t left(const struct pl_ring_cross *x, const struct pl_ring_job *job)
{
	return x->moves < job->moves ? job->moves - x->moves : 0;
}

/* A short search by itself, or one that goes on from the best ring. */
static enum pl_restart_end search(struct pl_ring_cross *x, const struct pl_ring_job *job)
{
	const enum pl_restart_end end = pl_ring_restart_run(&x->short_one, job);

	x->moves += x->short_one.moves;
	keep(x, x->short_one.best, x->short_one.best_cost);
	return end;
}

/* Every ring takes from the next one in a random turn. False: nothing came of it. */
static bool go_round(struct pl_ring_cross *x, struct pl_ring_pool *p, const struct pl_ring_job *job)
{
	bool any = false;

	for (size_t i = 0; i < p->n_rings; i++)
		x->turn[i] = i;
	pl_rng_shuffle(&x->rng, x->turn, p->n_rings);
	for (size_t i = 0; i < p->n_rings; i++) {
		const uint64_t most = left(x, job) / TRY_MOVES;
		uint64_t tries = 0;

		if (most == 0 || pl_ring_told_to_stop(job))
			break;
		any = pl_ring_pool_cross(p, x->turn[i], x->turn[(i + 1) % p->n_rings],
					 most < TRIES ? most : TRIES, &x->rng, &tries) ||
		      any;
		x->moves += TRY_MOVES * tries;
	}
	return any;
}

static enum pl_restart_end cross(struct pl_ring_cross *x, struct pl_ring_pool *p,
				 const struct pl_ring_job *job)
{
	int idle = 0;

	while (idle < ROUNDS_IDLE && left(x, job) >= TRY_MOVES) {
		idle = go_round(x, p, job) ? 0 : idle + 1;
		pl_tour_get(&p->ring[p->best], x->short_one.order);
		keep(x, x->short_one.order, p->cost[p->best]);
		if (pl_ring_reached(x->best_cost, job->target, p->n))
			return PL_RESTART_REACHED;
		if (pl_ring_told_to_stop(job))
			return PL_RESTART_STOPPED;
	}
	return PL_RESTART_SPENT;
}

/* Makes the rings, the first one from the job's start, and crosses them. */
static enum pl_restart_end breed(struct pl_ring_cross *x, size_t n_rings,
				 const struct pl_ring_job *job)
{
	const size_t n = x->short_one.ls.n;
	const double each = RINGS_SHARE * (double)job->moves / (double)n_rings;
	struct pl_ring_job one = *job;

	one.moves = (uint64_t)each - START_PER_HOST * n;
	for (size_t i = 0; i < n_rings; i++) {
		enum pl_restart_end end;

		one.stream = job->stream + i;
		end = search(x, &one);
		if (end != PL_RESTART_SPENT)
			return end;
		x->moves += START_PER_HOST * n;
		one.start = NULL;
		pl_ring_pool_add(&x->all, x->short_one.best);
		if (i >= x->some.room)
			continue;
		pl_ring_pool_add(&x->some, x->short_one.best);
		if (i + 1 == x->some.room)
			end = cross(x, &x->some, job);
		if (end != PL_RESTART_SPENT)
			return end;
	}
	return cross(x, &x->all, job);
}

enum pl_restart_end pl_ring_cross_run(struct pl_ring_cross *x, const struct pl_ring_job *job)
{
	const struct pl_ring_local *ls = &x->short_one.ls;
	const size_t n_rings = count_rings(ls->n, ls->nb->symmetric, job->moves);
	struct pl_ring_job here = *job;
	enum pl_restart_end end;

	here.stream = job->number * STREAMS;
	x->moves = 0;
	x->best_cost = INFINITY;
	if (n_rings == 0)
		return search(x, &here);
	pl_ring_pool_clear(&x->some);
	pl_ring_pool_clear(&x->all);
	pl_rng_init(&x->rng, job->seed, here.stream + STREAM_CROSS);
	end = breed(x, n_rings, &here);
	if (end != PL_RESTART_SPENT)
		return end;
	here.stream += STREAM_KICKS;
	here.start = x->best;
	here.nearest = false;
	here.cold = true;
	here.moves = left(x, job);
	return search(x, &here);
}
