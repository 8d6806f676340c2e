/* SPDX-License-Identifier: BSD-3-Clause */
/* tabu.c - quadratic assignment by robust tabu search */
#include "config.h"

#include "solver/assign/tabu.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS 256 /* iterations between two looks at the clock */

/* A host may not come back for up to so many iterations for each seat; the cube
 * of a uniform number chooses among them. */
#define TENURE 8

/* Two hosts that have not been where an exchange puts them for so many
 * iterations for each pair of seats are exchanged at any price. */
#define ASPIRATION 5

struct tabu {
	const struct pl_assign_problem *p;
	size_t n;
	size_t *at;       /* [n] host of each seat */
	double *delta;    /* [n * n] of exchanging seats i < j */
	uint64_t *banned; /* [n * n] seat i, host h: until this iteration */
};

double pl_assign_cost(const struct pl_assign_problem *p, const size_t *host_at)
{
	const size_t n = p->n;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t cell = host_at[i] * n + host_at[j];

			sum += p->messages[i * n + j] * p->costs.c[cell];
			if (p->costs.per_byte)
				sum += p->bytes[i * n + j] *
				       p->costs.per_byte[cell];
		}
	return sum;
}

/* What one product of flow and distance changes by when the hosts of seats @r
 * and @s change places: O(n). */
static double change(const double *f, const double *d, const size_t *at,
		     size_t n, size_t r, size_t s)
{
	const size_t a = at[r], b = at[s];
	double sum =
		(f[r * n + s] - f[s * n + r]) * (d[b * n + a] - d[a * n + b]);

	for (size_t k = 0; k < n; k++) {
		const size_t h = at[k];

		if (k == r || k == s)
			continue;
		sum += (f[k * n + r] - f[k * n + s]) *
		       (d[h * n + b] - d[h * n + a]);
		sum += (f[r * n + k] - f[s * n + k]) *
		       (d[b * n + h] - d[a * n + h]);
	}
	return sum;
}

/* What the change by exchanging @i and @j has changed by, since the hosts of @r
 * and @s, all different, have changed places: O(1). */
static double drift(const double *f, const double *d, const size_t *at,
		    size_t n, size_t i, size_t j, size_t r, size_t s)
{
	const size_t hi = at[i], hj = at[j], hr = at[r], hs = at[s];

	return (f[r * n + i] - f[r * n + j] + f[s * n + j] - f[s * n + i]) *
		       (d[hs * n + hi] - d[hs * n + hj] + d[hr * n + hj] -
			d[hr * n + hi]) +
	       (f[i * n + r] - f[j * n + r] + f[j * n + s] - f[i * n + s]) *
		       (d[hi * n + hs] - d[hj * n + hs] + d[hj * n + hr] -
			d[hi * n + hr]);
}

static double full_delta(const struct tabu *t, size_t i, size_t j)
{
	const struct pl_assign_problem *p = t->p;
	double sum = change(p->messages, p->costs.c, t->at, t->n, i, j);

	if (p->costs.per_byte)
		sum += change(p->bytes, p->costs.per_byte, t->at, t->n, i, j);
	return sum;
}

/* Exchanges the hosts of two seats. */
static void exchange(struct tabu *t, size_t r, size_t s)
{
	const struct pl_assign_problem *p = t->p;
	const size_t n = t->n, host = t->at[r];

	t->at[r] = t->at[s];
	t->at[s] = host;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			double *delta = &t->delta[i * n + j];

			if (i == r || i == s || j == r || j == s) {
				*delta = full_delta(t, i, j);
				continue;
			}
			*delta += drift(p->messages, p->costs.c, t->at, n, i, j,
					r, s);
			if (p->costs.per_byte)
				*delta += drift(p->bytes, p->costs.per_byte,
						t->at, n, i, j, r, s);
		}
}

/* The best exchange that is allowed; false: none is. */
static bool choose(const struct tabu *t, uint64_t now, double cost, double best,
		   size_t *r, size_t *s)
{
	const uint64_t patience = ASPIRATION * (uint64_t)t->n * t->n;
	double least = INFINITY;
	bool urgent = false;

	for (size_t i = 0; i < t->n; i++)
		for (size_t j = i + 1; j < t->n; j++) {
			const uint64_t bi = t->banned[i * t->n + t->at[j]];
			const uint64_t bj = t->banned[j * t->n + t->at[i]];
			const double delta = t->delta[i * t->n + j];
			const bool due =
				bi + patience < now && bj + patience < now;

			if (bi >= now && bj >= now && !due &&
			    cost + delta >= best)
				continue;
			if (due < urgent || (due == urgent && delta >= least))
				continue;
			urgent = due;
			least = delta;
			*r = i;
			*s = j;
		}
	return least < INFINITY;
}

/* The hosts that leave two seats may not come back for a while. */
static void ban(struct tabu *t, struct pl_rng *rng, uint64_t now, size_t r,
		size_t s)
{
	const double most = TENURE * (double)t->n;
	const double a = pl_rng_double(rng), b = pl_rng_double(rng);

	t->banned[r * t->n + t->at[r]] = now + (uint64_t)(a * a * a * most) + 1;
	t->banned[s * t->n + t->at[s]] = now + (uint64_t)(b * b * b * most) + 1;
}

static void search(struct tabu *t, struct pl_rng *rng, uint64_t *iterations,
		   const struct pl_stop *stop, size_t *host_at)
{
	const size_t bytes = t->n * sizeof(*host_at);
	const uint64_t start = ASPIRATION * (uint64_t)t->n * t->n + 1;
	double cost = pl_assign_cost(t->p, host_at), best = cost;
	uint64_t i = 0;

	for (; i < *iterations; i++) {
		size_t r = 0, s = 0;

		if (i % LOOKS == 0 && pl_stop_now(stop))
			break;
		if (!choose(t, start + i, cost, best, &r, &s))
			break;
		ban(t, rng, start + i, r, s);
		cost += t->delta[r * t->n + s];
		exchange(t, r, s);
		if (cost < best - 1e-9 * fabs(best)) {
			cost = best = pl_assign_cost(t->p, t->at);
			memcpy(host_at, t->at, bytes);
		}
	}
	*iterations = i;
}

int pl_assign_tabu(const struct pl_assign_problem *p, struct pl_rng *rng,
		   uint64_t *iterations, const struct pl_stop *stop,
		   size_t *host_at, struct pl_err *err)
{
	struct tabu t = {.p = p, .n = p->n};
	int rc = -1;

	t.at = pl_array_create(p->n, sizeof(*t.at));
	t.delta = pl_array_create(p->n * p->n, sizeof(*t.delta));
	t.banned = pl_array_create(p->n * p->n, sizeof(*t.banned));
	if (!t.at || !t.delta || !t.banned) {
		pl_err_nomem(err);
	} else {
		memcpy(t.at, host_at, p->n * sizeof(*host_at));
		for (size_t i = 0; i < p->n; i++)
			for (size_t j = i + 1; j < p->n; j++)
				t.delta[i * p->n + j] = full_delta(&t, i, j);
		search(&t, rng, iterations, stop, host_at);
		rc = 0;
	}
	free(t.at);
	free(t.delta);
	free(t.banned);
	return rc;
}
