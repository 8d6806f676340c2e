/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-exact.c - the cheapest ring of a few hosts, by dynamic programming */
#include "config.h"

#include "solver/ring/ring-exact.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Sets between two looks at the stop: a millisecond. */
#define LOOK 4095

/*
 * Held and Karp's recursion. A state is a set of the hosts 1..n-1 (bit h-1) and one host of the
 * set; its cell has the cost of the cheapest way from host 0 through the whole set that ends there.
 * The cells of a set begin at first[set].
 */
struct table {
	const double *c;
	size_t n, m; /* hosts; besides host 0 */
	uint32_t *first;
	double *cell;
};

static double step(const struct table *t, size_t src, size_t dst)
{
	return t->c[src * t->n + dst];
}

static uint32_t lowest(uint32_t set)
{
	return (uint32_t)__builtin_ctz(set);
}

/* The cheapest way through @set to @next (a host), the last before it in
 * *by. */
static double cheapest(const struct table *t, uint32_t set, size_t next, uint32_t *by)
{
	const double *cell = &t->cell[t->first[set]];
	double least = INFINITY;

	for (uint32_t left = set; left; left &= left - 1) {
		const uint32_t h = lowest(left);
		const double cost = *cell++ + step(t, h + 1, next);

		if (cost < least) {
			least = cost;
			*by = h;
		}
	}
	return least;
}

static bool fill(struct table *t, const struct pl_stop *stop)
{
	const uint32_t n_sets = (uint32_t)1 << t->m;
	uint32_t used = 0;

	for (uint32_t set = 1; set < n_sets; set++) {
		double *cell = &t->cell[used];

		if ((set & LOOK) == 0 && pl_stop_now(stop))
			return false;
		t->first[set] = used;
		for (uint32_t left = set; left; left &= left - 1) {
			const uint32_t h = lowest(left);
			const uint32_t rest = set & ~((uint32_t)1 << h);
			uint32_t by;

			*cell++ = rest ? cheapest(t, rest, h + 1, &by) : step(t, 0, h + 1);
			used++;
		}
	}
	return true;
}

/* Goes back from the full set along the cheapest ring. */
static void walk_back(const struct table *t, size_t *host_at)
{
	uint32_t set = ((uint32_t)1 << t->m) - 1;
	size_t next = 0;

	host_at[0] = 0;
	for (size_t pos = t->n - 1; pos > 0; pos--) {
		uint32_t h = lowest(set);

		cheapest(t, set, next, &h);
		next = h + 1;
		host_at[pos] = next;
		set &= ~((uint32_t)1 << h);
	}
}

int pl_ring_exact(const double *c, size_t n, const struct pl_stop *stop, size_t *host_at,
		  bool *done, struct pl_err *err)
{
	struct table t = {.c = c, .n = n, .m = n - 1};

	assert(n >= 1 && n <= PL_RING_EXACT_MAX);
	*done = true;
	if (n == 1) {
		host_at[0] = 0;
		return 0;
	}
	t.first = pl_array_create((size_t)1 << t.m, sizeof(*t.first));
	t.cell = pl_array_create(t.m << (t.m - 1), sizeof(*t.cell));
	if (!t.first || !t.cell) {
		free(t.first);
		free(t.cell);
		return pl_err_nomem(err);
	}
	*done = fill(&t, stop);
	if (*done)
		walk_back(&t, host_at);
	free(t.first);
	free(t.cell);
	return 0;
}
