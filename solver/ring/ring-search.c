/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-search.c - the cheapest ring that an iterated local search finds */
#include "config.h"

#include "solver/ring/ring-search.h"

#include "costmodels/ring.h"
#include "solver/neighbours.h"
#include "solver/ring/ring-cross.h"

#include <string.h>

#define NEIGHBOURS 10

/* Restarts that the default budget pays for. */
#define RESTARTS 2

/* What all threads of one search share. */
struct search {
	const double *c;
	size_t n;
	const struct pl_ring_options *options;
	bool symmetric;
	const size_t *given;
	struct pl_neighbours nb;
	struct pl_restarts restarts;
};

/* Enough for each host to be kicked many times; for more than a thousand hosts, fewer, to save
 * time. */
uint64_t pl_ring_moves(size_t n)
{
	const uint64_t few = n < 1000 ? n : 1000;

	return 16000 + 1200 * few + 200 * ((uint64_t)n - few);
}

static uint64_t moves_per_restart(const struct search *s)
{
	return pl_ring_moves(s->n) / RESTARTS;
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

/* Of the equal ways to write a ring, one: by its first host, and where both directions cost the
 * same by its second. */
static void normalise(const struct search *s, size_t *host_at)
{
	pl_ring_rotate(host_at, s->n, s->given[0]);
	if (s->symmetric && host_at[1] > host_at[s->n - 1])
		reverse(host_at + 1, s->n - 1);
}

static void hand_in(struct search *s, struct pl_ring_cross *r, uint64_t number,
		    enum pl_restart_end end)
{
	struct pl_restarts_done done = {
		.number = number,
		.moves = r->moves,
		.order = r->best,
		.end = end,
	};
	struct pl_err err = {0};

	normalise(s, r->best);
	done.cost = pl_cost_ring(s->c, s->n, r->best, s->n);
	if (r->short_one.ls.tour.lost) {
		pl_err_nomem(&err);
		pl_restarts_fail(&s->restarts, &err);
	}
	pl_restarts_hand_in(&s->restarts, &done);
}

static void *work(void *arg)
{
	struct search *s = arg;
	const struct pl_hops hops = {.n = s->n, .c = s->c};
	struct pl_ring_cross r;
	struct pl_err err = {0};
	struct pl_ring_job job = {
		.seed = s->options->seed,
		.nearest = true,
		.target = s->options->target,
		.stop = s->options->stop,
		.limit = &s->restarts.limit,
	};
	const uint64_t share = moves_per_restart(s);
	const uint64_t room = s->options->moves < share ? s->options->moves : share;

	if (pl_ring_cross_init(&r, &hops, &s->nb, room, &err)) {
		pl_restarts_fail(&s->restarts, &err);
		return NULL;
	}
	while (pl_restarts_take(&s->restarts, &job.number, &job.moves)) {
		job.start = job.number == 0 ? s->given : NULL;
		hand_in(s, &r, job.number, pl_ring_cross_run(&r, &job));
	}
	pl_ring_cross_fini(&r);
	return NULL;
}

static uint64_t count_restarts(uint64_t moves, const struct search *s)
{
	const uint64_t share = moves_per_restart(s);

	if (s->n < 3) /* there is only one ring */
		return 0;
	if (s->n < 4)
		return 1;
	return moves / share + (moves % share != 0 || moves == 0);
}

int pl_ring_search(const double *c, size_t n, const struct pl_ring_options *options,
		   size_t *host_at, struct pl_ring_result *result, struct pl_err *err)
{
	struct search s = {
		.c = c,
		.n = n,
		.options = options,
		.symmetric = pl_costs_symmetric(c, n),
		.given = host_at,
	};
	const struct pl_restarts_plan plan = {
		.n = n,
		.moves = options->moves,
		.share = moves_per_restart(&s),
		.limit = count_restarts(options->moves, &s),
		.threads = options->threads,
		.progress = options->progress,
		.progress_arg = options->progress_arg,
	};
	int rc = -1;

	memset(result, 0, sizeof(*result));
	result->cost_given = result->cost = pl_cost_ring(c, n, host_at, n);
	if (plan.limit == 0 || pl_ring_reached(result->cost, options->target, n))
		return 0;
	if (pl_restarts_init(&s.restarts, &plan, err))
		return -1;
	if (pl_neighbours_init(&s.nb, c, n, NEIGHBOURS, options->weight, err) ||
	    pl_restarts_run(&s.restarts, work, &s, err))
		goto out;
	pl_restarts_sum(&s.restarts, &result->restarts, &result->moves);
	result->stopped = s.restarts.stopped && !s.restarts.reached;
	if (s.restarts.best_cost < result->cost_given) {
		memcpy(host_at, s.restarts.best, n * sizeof(*host_at));
		result->cost = s.restarts.best_cost;
	}
	rc = 0;
out:
	pl_neighbours_fini(&s.nb);
	pl_restarts_fini(&s.restarts);
	return rc;
}
