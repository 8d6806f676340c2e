/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-levels.c - many positions: pairs of them first, and pairs of pairs */
#include "config.h"

#include "solver/assign/assign-levels.h"

#include "base/mem.h"
#include "base/rng.h"
#include "solver/assign/assign-anneal.h"
#include "solver/assign/halve.h"
#include "solver/assign/split.h"
#include "solver/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS 12

/* So few positions are not made pairs. */
#define POSITIONS_MIN 64

/* Moves of the first restart, for each position; half of them on each level are left for the levels
 * above. */
#define MOVES 32

/* One restart in four begins at the higher one with the largest blocks. */
#define HEAT 0.1
#define HEAT_HIGH 1

/* Bipartitioning takes as long as so many moves for each position. */
#define SPLIT_MOVES 64
#define SPLITS_MAX 16

struct search {
	const struct pl_assign_options *options;
	struct pl_neighbours nb;
	double *cost; /* [hosts * hosts] of all flows together */
	struct pl_rng rng;
	double heat; /* of the largest blocks */
	struct pl_assign_result *result;
};

static int anneal(struct search *s, const struct pl_assign_flows *f, uint64_t moves, double heat,
		  size_t *host_at, struct pl_err *err)
{
	const struct pl_assign_anneal_job job = {
		.flows = f,
		.nb = &s->nb,
		.moves = moves,
		.heat = heat,
		.stop = s->options->stop,
	};
	uint64_t done = 0;
	const int rc = pl_assign_anneal(&job, host_at, &s->rng, &done, err);

	s->result->moves += done;
	s->result->stopped |= done < moves;
	return rc;
}

static int descend(struct search *s, const struct pl_assign_flows *f, uint64_t moves,
		   size_t *host_at, struct pl_err *err);

/* Assigns pairs, and with them the positions: host_at[n_pos]. */
static int descend_pairs(struct search *s, const struct pl_assign_half *half, size_t n_pos,
			 uint64_t moves, size_t *host_at, struct pl_err *err)
{
	size_t *at = pl_array_create(half->flows.n_pos, sizeof(*at));
	int rc;

	if (!at)
		return pl_err_nomem(err);
	for (size_t p = 0; p < n_pos; p++)
		at[half->pair_of[p]] = host_at[p];
	rc = descend(s, &half->flows, moves, at, err);
	for (size_t p = 0; rc == 0 && p < n_pos; p++)
		host_at[p] = at[half->pair_of[p]];
	free(at);
	return rc;
}

/* From the largest blocks down to these positions; host_at[n_pos]: in and
 * out. */
static int descend(struct search *s, const struct pl_assign_flows *f, uint64_t moves,
		   size_t *host_at, struct pl_err *err)
{
	struct pl_assign_half half;
	bool halved = false;
	int rc = 0;

	if (f->n_pos > POSITIONS_MIN && pl_assign_halve(f, host_at, &half, &halved, err))
		return -1;
	if (halved) {
		const uint64_t above = moves - moves / 2;

		moves -= above;
		rc = descend_pairs(s, &half, f->n_pos, above, host_at, err);
		pl_assign_half_fini(&half);
	}
	if (rc)
		return -1;
	return anneal(s, f, moves, halved ? HEAT : s->heat, host_at, err);
}

static double cost_of(const struct pl_assign_flows *f, const size_t *host_at)
{
	double sum = 0;

	for (size_t p = 0; p < f->n_pos; p++)
		for (size_t k = f->first[p]; k < f->first[p + 1]; k++)
			sum += pl_assign_hop(f, host_at[p], host_at[f->peer[k].pos],
					     f->peer[k].out);
	return sum;
}

/* The cheapest of several assignments by bipartitioning, which take no more than about a quarter of
 * the time of so many moves. */
static int divide(struct search *s, const struct pl_assign_flows *f, uint64_t moves,
		  size_t *host_at, struct pl_err *err)
{
	const uint64_t n = moves / 4 / (SPLIT_MOVES * (uint64_t)f->n_pos);
	size_t *at = pl_array_create(f->n_pos, sizeof(*at));
	double least = INFINITY;
	int rc = at ? 0 : pl_err_nomem(err);

	for (uint64_t k = 0; rc == 0 && k <= n && k < SPLITS_MAX; k++) {
		double cost;

		if (k > 0 && pl_stop_now(s->options->stop))
			break;
		rc = pl_assign_split(f, s->cost, &s->rng, at, err);
		cost = rc == 0 ? cost_of(f, at) : INFINITY;
		if (cost < least) {
			least = cost;
			memcpy(host_at, at, f->n_pos * sizeof(*at));
		}
	}
	free(at);
	return rc;
}

static int search(struct search *s, const struct pl_assign_flows *f, size_t *best, size_t *at,
		  struct pl_err *err)
{
	const uint64_t moves = s->options->moves;
	struct pl_assign_result *r = s->result;
	struct pl_restarts_progress now = {.cost = cost_of(f, best)};
	uint64_t share = MOVES * (uint64_t)f->n_pos;

	while (!r->stopped && r->moves < moves && now.cost > s->options->target) {
		const uint64_t left = moves - r->moves;
		double cost;

		s->heat = r->restarts % 4 == 3 ? HEAT_HIGH : HEAT;
		memcpy(at, best, f->n_pos * sizeof(*at));
		if (r->restarts % 2 == 0 && divide(s, f, share, at, err))
			return -1;
		if (descend(s, f, left < share ? left : share, at, err))
			return -1;
		cost = cost_of(f, at);
		if (cost < now.cost) {
			now.cost = cost;
			memcpy(best, at, f->n_pos * sizeof(*at));
		}
		now.restarts = ++r->restarts;
		now.moves = r->moves;
		if (s->options->progress)
			s->options->progress(s->options->progress_arg, &now);
		share *= 2;
	}
	return 0;
}

/* What all messages and bytes together would cost between each two hosts, by which neighbours are
 * chosen. */
static double *cost_of_all(const struct pl_assign_flows *f)
{
	double *c = pl_array_create(f->n_hosts, f->n_hosts * sizeof(*c));
	struct pl_assign_load all = {.messages = 0};

	for (size_t k = 0; k < f->first[f->n_pos]; k++) {
		all.messages += f->peer[k].out.messages;
		all.bytes += f->peer[k].out.bytes;
	}
	for (size_t a = 0; c && a < f->n_hosts; a++)
		for (size_t b = 0; b < f->n_hosts; b++)
			c[a * f->n_hosts + b] = pl_assign_hop(f, a, b, all);
	return c;
}

int pl_assign_levels(const struct pl_assign_flows *flows, const struct pl_assign_options *options,
		     size_t *host_at, struct pl_assign_result *result, struct pl_err *err)
{
	struct search s = {.options = options, .result = result};
	size_t *at;
	int rc;

	s.cost = cost_of_all(flows);
	if (!s.cost)
		return pl_err_nomem(err);
	if (pl_neighbours_init(&s.nb, s.cost, flows->n_hosts, NEIGHBOURS, NULL, err)) {
		free(s.cost);
		return -1;
	}
	pl_rng_init(&s.rng, options->seed, options->stream);
	at = pl_array_create(flows->n_pos, sizeof(*at));
	rc = at ? search(&s, flows, host_at, at, err) : pl_err_nomem(err);
	free(at);
	free(s.cost);
	pl_neighbours_fini(&s.nb);
	return rc;
}
