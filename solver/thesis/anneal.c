/* SPDX-License-Identifier: BSD-3-Clause */
/* anneal.c - simulated annealing as in the thesis */
#include "config.h"

#include "solver/thesis/anneal.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "solver/order/order-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART_MAX 16 /* hosts shuffled at a time */
#define FIRST 100   /* changes that are tried to find the first heat */
#define COOLEST 1e-4
#define LOOK 64 /* moves between two looks at the clock */

struct annealing {
	const struct pl_anneal_options *o;
	size_t n;
	struct pl_objective *objective;
	size_t *pos_host, *now, *next, *best; /* [n_pos], [n] */
	double cost, best_cost;
	double hottest; /* 0: not known yet */
	double differences;
	int64_t start_ns;
	struct pl_rng rng;
};

static double cost_of(struct annealing *a, const size_t *host_at)
{
	pl_order_expand(host_at, a->n, a->o->slots, a->pos_host);
	return pl_objective_full(a->objective, a->pos_host);
}

static void change(struct annealing *a)
{
	memcpy(a->next, a->now, a->n * sizeof(*a->now));
	if (pl_rng_below(&a->rng, 2) == 0) {
		const size_t i = (size_t)pl_rng_below(&a->rng, a->n);
		const size_t j = (size_t)pl_rng_below(&a->rng, a->n);

		a->next[i] = a->now[j];
		a->next[j] = a->now[i];
	} else {
		const size_t most = a->n < PART_MAX ? a->n : PART_MAX;
		const size_t len = 2 + (size_t)pl_rng_below(&a->rng, most - 1);
		const size_t first = (size_t)pl_rng_below(&a->rng, a->n - len + 1);

		pl_rng_shuffle(&a->rng, &a->next[first], len);
	}
}

/* How much of the moves or of the time is used up, 0 to 1. */
static double progress(const struct annealing *a, uint64_t move)
{
	const struct pl_stop *stop = a->o->stop;
	double span;

	if (a->o->moves < UINT64_MAX)
		return (double)move / (double)a->o->moves;
	if (!stop || !stop->deadline_ns)
		return 0;
	span = (double)(stop->deadline_ns - a->start_ns);
	return span > 0 ? (double)(pl_clock_ns() - a->start_ns) / span : 1;
}

static bool accept(struct annealing *a, double difference, double heat)
{
	return difference <= 0 || (heat > 0 && pl_rng_double(&a->rng) < exp(-difference / heat));
}

static void move(struct annealing *a, double heat)
{
	double cost;

	change(a);
	if (a->o->may_lead && !a->o->may_lead[a->next[0]])
		return;
	cost = cost_of(a, a->next);
	a->differences += fabs(cost - a->cost);
	if (!accept(a, cost - a->cost, heat))
		return;
	memcpy(a->now, a->next, a->n * sizeof(*a->now));
	a->cost = cost;
	if (cost >= a->best_cost)
		return;
	memcpy(a->best, a->now, a->n * sizeof(*a->now));
	a->best_cost = cost;
}

static uint64_t run(struct annealing *a)
{
	double heat = 0;
	uint64_t k;

	for (k = 0; k < a->o->moves; k++) {
		if (k == FIRST)
			a->hottest = a->differences / FIRST;
		if (k % LOOK == 0 || k == FIRST) {
			if (pl_stop_now(a->o->stop))
				break;
			heat = a->hottest * pow(COOLEST, fmin(1, progress(a, k)));
		}
		move(a, k < FIRST ? INFINITY : heat);
	}
	return k;
}

static int create_parts(struct annealing *a, struct pl_err *err)
{
	a->pos_host = pl_array_create(a->o->shape->n_pos, sizeof(*a->pos_host));
	a->now = pl_array_create(a->n, sizeof(*a->now));
	a->next = pl_array_create(a->n, sizeof(*a->next));
	a->best = pl_array_create(a->n, sizeof(*a->best));
	if (!a->pos_host || !a->now || !a->next || !a->best)
		return pl_err_nomem(err);
	a->objective = pl_objective_create(a->o->shape, a->o->costs, err);
	return a->objective ? 0 : -1;
}

int pl_anneal(const struct pl_anneal_options *options, size_t *host_at,
	      struct pl_anneal_result *result, struct pl_err *err)
{
	struct annealing a = {
		.o = options,
		.n = options->costs->n,
		.start_ns = pl_clock_ns(),
	};
	int rc = create_parts(&a, err);

	*result = (struct pl_anneal_result){.moves = 0};
	if (rc)
		goto out;
	pl_rng_init(&a.rng, options->seed, 0);
	memcpy(a.now, host_at, a.n * sizeof(*host_at));
	memcpy(a.best, host_at, a.n * sizeof(*host_at));
	a.cost = a.best_cost = result->cost_given = cost_of(&a, host_at);
	if (a.n > 1)
		result->moves = run(&a);
	memcpy(host_at, a.best, a.n * sizeof(*host_at));
	result->cost = a.best_cost;
out:
	pl_objective_destroy(a.objective);
	free(a.pos_host);
	free(a.now);
	free(a.next);
	free(a.best);
	return rc;
}
