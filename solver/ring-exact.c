/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-exact.c - the cheapest ring of a few hosts, by dynamic programming */
#include "config.h"

#include "solver/ring-exact.h"

#include "src/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/*
 * A state is a set of hosts of 1..n-1 (bit h-1) and one of them, the last:
 * best[set * m + last] is the cheapest way from host 0 through the set to it.
 */
struct table {
	size_t m; /* hosts besides host 0 */
	double *best;
};

static double step(const double *c, size_t n, size_t src, size_t dst)
{
	return c[src * n + dst];
}

static void fill(struct table *t, const double *c, size_t n)
{
	const size_t m = t->m;

	for (size_t i = 0; i < ((size_t)1 << m) * m; i++)
		t->best[i] = INFINITY;
	for (size_t h = 0; h < m; h++)
		t->best[((size_t)1 << h) * m + h] = step(c, n, 0, h + 1);
	for (size_t set = 1; set < (size_t)1 << m; set++)
		for (size_t last = 0; last < m; last++) {
			const double so_far = t->best[set * m + last];

			for (size_t h = 0; set >> last & 1 && h < m; h++) {
				const size_t with = set | (size_t)1 << h;
				const double cost =
					so_far + step(c, n, last + 1, h + 1);

				if (with != set && cost < t->best[with * m + h])
					t->best[with * m + h] = cost;
			}
		}
}

/* Walks back from the full set; @next is the host that follows. */
static size_t best_last(const struct table *t, const double *c, size_t n,
			size_t set, size_t next)
{
	size_t found = 0;
	double least = INFINITY;

	for (size_t h = 0; h < t->m; h++) {
		const double cost =
			t->best[set * t->m + h] + step(c, n, h + 1, next);

		if (set >> h & 1 && cost < least) {
			least = cost;
			found = h;
		}
	}
	return found;
}

int pl_ring_exact(const double *c, size_t n, size_t *host_at,
		  struct pl_err *err)
{
	struct table t = {.m = n - 1};
	size_t set, next = 0;

	assert(n >= 1 && n <= PL_RING_EXACT_MAX);
	host_at[0] = 0;
	if (n == 1)
		return 0;
	t.best = pl_array_create(((size_t)1 << t.m) * t.m, sizeof(*t.best));
	if (!t.best)
		return pl_err_nomem(err);
	fill(&t, c, n);
	set = ((size_t)1 << t.m) - 1;
	for (size_t pos = n - 1; pos > 0; pos--) {
		const size_t h = best_last(&t, c, n, set, next);

		next = h + 1;
		host_at[pos] = next;
		set &= ~((size_t)1 << h);
	}
	free(t.best);
	return 0;
}
