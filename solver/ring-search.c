/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-search.c - the cheapest ring that an iterated local search finds */
#include "config.h"

#include "solver/ring-search.h"

#include "costmodels/ring.h"
#include "solver/neighbours.h"
#include "solver/ring-local.h"
#include "src/mem.h"
#include "src/rng.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS 10

/* A kick stays within this many hosts: far apart, its parts would be repaired
 * one by one and nothing learnt. */
#define KICK_SPAN 50

/* Restarts that the default budget pays for. */
#define RESTARTS 4

/* What all threads of one search share. */
struct search {
	const double *c;
	size_t n;
	const struct pl_ring_options *options;
	const size_t *given;
	struct pl_neighbours nb;
	uint64_t n_restarts;
	pthread_mutex_t lock; /* for all below */
	uint64_t next;        /* restart to be started */
	size_t *best;
	double best_cost;
	uint64_t best_restart;
	struct pl_ring_result *result;
	struct pl_err err;
};

/* One thread's own. */
struct worker {
	struct search *s;
	struct pl_ring_local ls;
	struct pl_rng rng;
	size_t *order; /* scratch */
	size_t *saved; /* best ring of this restart, but for the present one */
	double saved_cost;
};

/* Enough for a good ring; beyond a few hundred hosts patience ends first. */
static uint64_t moves_per_restart(size_t n)
{
	const uint64_t few = n < 256 ? n : 256;

	return 200 + 300 * few + 100 * ((uint64_t)n - few);
}

uint64_t pl_ring_moves(size_t n)
{
	return RESTARTS * moves_per_restart(n);
}

static void reverse(size_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const size_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

void pl_ring_rotate(size_t *host_at, size_t n, size_t host)
{
	size_t first = 0;

	while (host_at[first] != host)
		first++;
	reverse(host_at, first);
	reverse(host_at + first, n - first);
	reverse(host_at, n);
}

/* Of the equal ways to write a ring, one: by its first host, and where both
 * directions cost the same by its second. */
static void normalise(const struct search *s, size_t *host_at)
{
	pl_ring_rotate(host_at, s->n, s->given[0]);
	if (s->nb.symmetric && host_at[1] > host_at[s->n - 1])
		reverse(host_at + 1, s->n - 1);
}

/* Goes on from a random host to the nearest one left. */
static void start_nearest(struct worker *w)
{
	const struct search *s = w->s;
	size_t *left = w->order; /* [done, n): hosts not yet visited */

	for (size_t i = 0; i < s->n; i++)
		left[i] = i;
	for (size_t done = 0; done < s->n; done++) {
		size_t pick = done, t;

		if (done == 0)
			pick = pl_rng_below(&w->rng, s->n);
		for (size_t i = done + 1; done > 0 && i < s->n; i++) {
			const double *row = s->c + left[done - 1] * s->n;

			if (row[left[i]] < row[left[pick]])
				pick = i;
		}
		t = left[done];
		left[done] = left[pick];
		left[pick] = t;
	}
}

static void start(struct worker *w, uint64_t restart)
{
	pl_rng_init(&w->rng, w->s->options->seed, restart);
	if (restart == 0)
		memcpy(w->order, w->s->given, w->s->n * sizeof(*w->order));
	else
		start_nearest(w);
	pl_tour_set(&w->ls.tour, w->order);
	for (size_t i = 0; i < w->s->n; i++)
		pl_ring_local_push(&w->ls, w->ls.tour.at[i]);
	pl_ring_local_run(&w->ls);
	pl_tour_keep(&w->ls.tour);
	w->saved_cost = INFINITY;
}

/*
 * Double bridge: three neighbouring ways X Y Z become Z Y X; four hops change
 * and no direction. Returns what it costs.
 */
static double kick(struct worker *w)
{
	struct pl_tour *t = &w->ls.tour;
	const uint32_t n = t->n;
	const uint32_t span = n - 1 < KICK_SPAN ? n - 1 : KICK_SPAN;
	const uint32_t from = (uint32_t)pl_rng_below(&w->rng, n);
	uint32_t cut[4]; /* places after @from where the ways start and end */
	uint32_t src[4], dst[4];
	double delta = 0;

	cut[0] = 0;
	cut[3] = 3 + (uint32_t)pl_rng_below(&w->rng, span - 2);
	cut[1] = 1 + (uint32_t)pl_rng_below(&w->rng, cut[3] - 2);
	cut[2] = cut[1] + 1 +
		 (uint32_t)pl_rng_below(&w->rng, cut[3] - cut[1] - 1);
	for (int i = 0; i < 4; i++) {
		src[i] = t->at[(from + cut[i]) % n];
		dst[i] = pl_tour_next(t, src[i]);
		delta -= w->s->c[src[i] * w->s->n + dst[i]];
	}
	/* X = dst0..src1, Y = dst1..src2, Z = dst2..src3 */
	pl_tour_exchange(t, dst[0], src[1], src[3]); /* Y Z X */
	pl_tour_exchange(t, dst[1], src[2], src[3]); /* Z Y X */
	for (int i = 0; i < 4; i++) {
		const uint32_t after[] = {dst[2], dst[0], dst[1], dst[3]};
		const uint32_t before[] = {src[0], src[2], src[3], src[1]};

		delta += w->s->c[before[i] * w->s->n + after[i]];
		pl_ring_local_push(&w->ls, src[i]);
		pl_ring_local_push(&w->ls, dst[i]);
	}
	return delta;
}

/* Sets the present ring aside if it is the best of this restart. */
static void save(struct worker *w)
{
	double cost;

	pl_tour_get(&w->ls.tour, w->order);
	cost = pl_cost_ring(w->s->c, w->s->n, w->order, w->s->n);
	if (cost < w->saved_cost) {
		memcpy(w->saved, w->order, w->s->n * sizeof(*w->saved));
		w->saved_cost = cost;
	}
}

/* Kicks until the share is used up, and keeps what is no worse; after a long time
 * without any gain, one that is worse, to get away. Returns how many. */
static uint64_t iterate(struct worker *w, uint64_t moves, bool *stopped)
{
	const uint64_t patience = 50 + 20 * (uint64_t)w->s->n;
	uint64_t done, stalled = 0;

	if (w->s->n < 4) /* local search has tried everything */
		moves = 0;
	for (done = 0; done < moves; done++) {
		double delta;

		if (done % 64 == 0 && pl_stop_now(w->s->options->stop)) {
			*stopped = true;
			break;
		}
		if (stalled >= patience)
			save(w);
		delta = kick(w) - pl_ring_local_run(&w->ls);
		if (delta > 0 && stalled < patience)
			pl_tour_undo(&w->ls.tour);
		stalled = delta < 0 || stalled >= patience ? 0 : stalled + 1;
		pl_tour_keep(&w->ls.tour);
	}
	save(w);
	return done;
}

/* Keeps the result if it is the best by (cost, restart). */
static void hand_in(struct worker *w, uint64_t restart, uint64_t moves,
		    bool stopped)
{
	struct search *s = w->s;
	double cost;

	normalise(s, w->saved);
	cost = pl_cost_ring(s->c, s->n, w->saved, s->n);
	pthread_mutex_lock(&s->lock);
	s->result->moves += moves;
	s->result->restarts++;
	s->result->stopped |= stopped;
	if (w->ls.tour.lost)
		pl_err_nomem(&s->err);
	if (cost < s->best_cost ||
	    (cost == s->best_cost && restart < s->best_restart)) {
		memcpy(s->best, w->saved, s->n * sizeof(*s->best));
		s->best_cost = cost;
		s->best_restart = restart;
	}
	pthread_mutex_unlock(&s->lock);
}

/* The next restart's number and its moves; false when all are taken. */
static bool take(struct search *s, uint64_t *restart, uint64_t *moves)
{
	const uint64_t share = moves_per_restart(s->n);
	bool any;

	pthread_mutex_lock(&s->lock);
	any = s->next < s->n_restarts && !s->result->stopped &&
	      s->err.code == PL_OK;
	*restart = s->next;
	s->next += any;
	pthread_mutex_unlock(&s->lock);
	*moves = s->options->moves - *restart * share;
	if (*moves > share)
		*moves = share;
	return any;
}

static void *work(void *arg)
{
	struct search *s = arg;
	struct worker w = {.s = s};
	struct pl_err err = {0};
	uint64_t restart, moves;

	w.order = pl_array_create(s->n, sizeof(*w.order));
	w.saved = pl_array_create(s->n, sizeof(*w.saved));
	if (!w.order || !w.saved ||
	    pl_ring_local_init(&w.ls, s->c, s->n, &s->nb, &err)) {
		pthread_mutex_lock(&s->lock);
		pl_err_nomem(&s->err);
		pthread_mutex_unlock(&s->lock);
		free(w.order);
		free(w.saved);
		return NULL;
	}
	while (take(s, &restart, &moves)) {
		bool stopped = false;

		start(&w, restart);
		moves = iterate(&w, moves, &stopped);
		hand_in(&w, restart, moves, stopped);
	}
	pl_ring_local_fini(&w.ls);
	free(w.order);
	free(w.saved);
	return NULL;
}

/* Threads beside this one; who cannot be started is not missed. */
static int run_threads(struct search *s, struct pl_err *err)
{
	uint64_t want = s->options->threads;
	pthread_t *thread;
	size_t n_started = 0;

	if (want > s->n_restarts)
		want = s->n_restarts;
	thread = pl_array_create(want, sizeof(*thread));
	if (!thread)
		return pl_err_nomem(err);
	while (n_started + 1 < want &&
	       !pthread_create(&thread[n_started], NULL, work, s))
		n_started++;
	work(s);
	for (size_t i = 0; i < n_started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	if (s->err.code != PL_OK) {
		if (err)
			*err = s->err;
		return -1;
	}
	return 0;
}

static uint64_t count_restarts(uint64_t moves, size_t n)
{
	const uint64_t share = moves_per_restart(n);

	if (n < 3) /* there is only one ring */
		return 0;
	if (n < 4)
		return 1;
	return moves / share + (moves % share != 0 || moves == 0);
}

int pl_ring_search(const double *c, size_t n,
		   const struct pl_ring_options *options, size_t *host_at,
		   struct pl_ring_result *result, struct pl_err *err)
{
	struct search s = {
		.c = c,
		.n = n,
		.options = options,
		.given = host_at,
		.result = result,
		.best_cost = INFINITY,
		.n_restarts = count_restarts(options->moves, n),
	};
	int rc = -1;

	memset(result, 0, sizeof(*result));
	result->cost_given = result->cost = pl_cost_ring(c, n, host_at, n);
	if (s.n_restarts == 0)
		return 0;
	pthread_mutex_init(&s.lock, NULL);
	s.best = pl_array_create(n, sizeof(*s.best));
	if (!s.best) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_neighbours_init(&s.nb, c, n, NEIGHBOURS, options->weight, err) ||
	    run_threads(&s, err))
		goto out;
	if (s.best_cost < result->cost_given) {
		memcpy(host_at, s.best, n * sizeof(*host_at));
		result->cost = s.best_cost;
	}
	rc = 0;
out:
	pl_neighbours_fini(&s.nb);
	free(s.best);
	pthread_mutex_destroy(&s.lock);
	return rc;
}
