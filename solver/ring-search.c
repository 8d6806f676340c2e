/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-search.c - the cheapest ring that an iterated local search finds */
#include "config.h"

#include "solver/ring-search.h"

#include "costmodels/ring.h"
#include "solver/neighbours.h"
#include "solver/ring-restart.h"
#include "src/mem.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS 10

/* Restarts that the default budget pays for. */
#define RESTARTS 4

/* What all threads of one search share. */
struct search {
	const double *c;
	size_t n;
	const struct pl_ring_options *options;
	const size_t *given;
	struct pl_neighbours nb;
	/* restarts from this number on are not wanted: there are no moves for
	 * them, or an earlier one reached the target */
	atomic_uint_fast64_t limit;
	pthread_mutex_t lock; /* for all below, and for writing limit */
	uint64_t next;        /* restart to be started */
	uint64_t *moves;      /* by restart: those done */
	struct pl_ring_progress progress;
	size_t moves_room;
	size_t *best;
	double best_cost;
	uint64_t best_restart;
	bool reached, stopped;
	struct pl_err err;
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

/* The next restart; false when there is none. */
static bool take(struct search *s, struct pl_ring_job *job)
{
	const uint64_t share = moves_per_restart(s->n);
	bool any;

	pthread_mutex_lock(&s->lock);
	any = s->next < s->limit && !s->stopped && s->err.code == PL_OK;
	if (any && pl_array_grow((void **)&s->moves, &s->moves_room, s->next,
				 sizeof(*s->moves))) {
		pl_err_nomem(&s->err);
		any = false;
	}
	job->number = s->next;
	s->next += any;
	pthread_mutex_unlock(&s->lock);
	job->start = job->number == 0 ? s->given : NULL;
	job->moves = s->options->moves - job->number * share;
	if (job->moves > share)
		job->moves = share;
	return any;
}

/*
 * Keeps the result if it is the best by (cost, restart); of those that reached
 * the target, the first, whatever the last bits of its cost: later ones might not
 * have been started.
 */
static void hand_in(struct search *s, struct pl_ring_restart *r,
		    uint64_t number, enum pl_ring_end end)
{
	bool better;
	double cost;

	normalise(s, r->best);
	cost = pl_cost_ring(s->c, s->n, r->best, s->n);
	pthread_mutex_lock(&s->lock);
	if (r->ls.tour.lost)
		pl_err_nomem(&s->err);
	s->moves[number] = r->moves;
	if (number >= s->limit)
		goto out;
	better = end == PL_RING_REACHED ||
		 (!s->reached &&
		  (cost < s->best_cost ||
		   (cost == s->best_cost && number < s->best_restart)));
	if (end == PL_RING_REACHED) {
		s->reached = true;
		s->limit = number + 1;
	} else if (end == PL_RING_STOPPED) {
		s->stopped = true;
	}
	if (better) {
		memcpy(s->best, r->best, s->n * sizeof(*s->best));
		s->best_cost = cost;
		s->best_restart = number;
	}
	s->progress.restarts++;
	s->progress.moves += r->moves;
	s->progress.cost = s->best_cost;
	if (s->options->progress)
		s->options->progress(s->options->progress_arg, &s->progress);
out:
	pthread_mutex_unlock(&s->lock);
}

static void *work(void *arg)
{
	struct search *s = arg;
	struct pl_ring_restart r;
	struct pl_ring_job job = {
		.seed = s->options->seed,
		.target = s->options->target,
		.stop = s->options->stop,
		.limit = &s->limit,
	};

	if (pl_ring_restart_init(&r, s->c, s->n, &s->nb, NULL)) {
		pthread_mutex_lock(&s->lock);
		pl_err_nomem(&s->err);
		pthread_mutex_unlock(&s->lock);
		return NULL;
	}
	while (take(s, &job))
		hand_in(s, &r, job.number, pl_ring_restart_run(&r, &job));
	pl_ring_restart_fini(&r);
	return NULL;
}

/* Threads beside this one; who cannot be started is not missed. */
static int run_threads(struct search *s, struct pl_err *err)
{
	uint64_t want = s->options->threads;
	pthread_t *thread;
	size_t n_started = 0;

	if (want > s->limit)
		want = s->limit;
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

/* Moves and restarts that count: those up to the one that ended the search. */
static void sum_up(const struct search *s, struct pl_ring_result *result)
{
	result->restarts = s->next < s->limit ? s->next : s->limit;
	for (uint64_t i = 0; i < result->restarts; i++)
		result->moves += s->moves[i];
	result->stopped = s->stopped && !s->reached;
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
		.best_cost = INFINITY,
		.limit = count_restarts(options->moves, n),
	};
	int rc = -1;

	memset(result, 0, sizeof(*result));
	result->cost_given = result->cost = pl_cost_ring(c, n, host_at, n);
	if (s.limit == 0 || pl_ring_reached(result->cost, options->target, n))
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
	sum_up(&s, result);
	if (s.best_cost < result->cost_given) {
		memcpy(host_at, s.best, n * sizeof(*host_at));
		result->cost = s.best_cost;
	}
	rc = 0;
out:
	pl_neighbours_fini(&s.nb);
	free(s.moves);
	free(s.best);
	pthread_mutex_destroy(&s.lock);
	return rc;
}
