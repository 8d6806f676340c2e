/* SPDX-License-Identifier: BSD-3-Clause */
/* plain-annealing.c - what the search for orders is compared with */
#include "config.h"

#include "bench/plain-annealing.h"

#include "src/mem.h"
#include "src/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RANGE_MAX 16
#define SAMPLES 50
#define COLD 1e-3

struct annealing {
	const struct pl_objective *o;
	struct pl_rng rng;
	size_t n;
	size_t *now, *next, *best; /* [n] */
	double cost, best_cost;
};

double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double neighbour(struct annealing *s)
{
	const size_t most = s->n < RANGE_MAX ? s->n : RANGE_MAX;
	size_t a = pl_rng_below(&s->rng, s->n);

	memcpy(s->next, s->now, s->n * sizeof(*s->next));
	if (pl_rng_below(&s->rng, 2)) {
		const size_t b = pl_rng_below(&s->rng, s->n);

		s->next[a] = s->now[b];
		s->next[b] = s->now[a];
	} else {
		const size_t len = pl_rng_below(&s->rng, most + 1);

		a = pl_rng_below(&s->rng, s->n - len + 1);
		pl_rng_shuffle(&s->rng, s->next + a, len);
	}
	return pl_objective_full(s->o, s->next);
}

static double mean_change(struct annealing *s)
{
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += fabs(neighbour(s) - s->cost);
	return sum / SAMPLES;
}

static void take(struct annealing *s, double cost)
{
	size_t *old = s->now;

	s->now = s->next;
	s->next = old;
	s->cost = cost;
	if (cost >= s->best_cost)
		return;
	s->best_cost = cost;
	memcpy(s->best, s->now, s->n * sizeof(*s->best));
}

static void anneal(struct annealing *s, double seconds)
{
	const double start = processor_seconds(), hot = mean_change(s);
	double part = 0, heat = hot;

	for (uint64_t k = 0; part < 1; k++) {
		const double cost = neighbour(s), more = cost - s->cost;

		if (more <= 0 || pl_rng_double(&s->rng) < exp(-more / heat))
			take(s, cost);
		if (k % 8)
			continue;
		part = (processor_seconds() - start) / seconds;
		heat = hot * pow(COLD, part) + 1e-300;
	}
}

int plain_annealing(const struct pl_objective *o, size_t n, uint64_t seed,
		    double seconds, size_t *host_at, double *cost,
		    struct pl_err *err)
{
	struct annealing s = {.o = o, .n = n};
	int rc = -1;

	s.now = pl_array_create(n, sizeof(*s.now));
	s.next = pl_array_create(n, sizeof(*s.next));
	s.best = pl_array_create(n, sizeof(*s.best));
	if (!s.now || !s.next || !s.best) {
		pl_err_nomem(err);
		goto out;
	}
	pl_rng_init(&s.rng, seed, 0);
	memcpy(s.now, host_at, n * sizeof(*host_at));
	memcpy(s.best, host_at, n * sizeof(*host_at));
	s.cost = s.best_cost = pl_objective_full(o, host_at);
	anneal(&s, seconds);
	memcpy(host_at, s.best, n * sizeof(*host_at));
	*cost = s.best_cost;
	rc = 0;
out:
	free(s.now);
	free(s.next);
	free(s.best);
	return rc;
}
