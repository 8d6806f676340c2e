/* SPDX-License-Identifier: BSD-3-Clause */
/* alternate.c - the differences of two rings: cycles of links of the one and the other */
#include "config.h"

#include "solver/ring/alternate.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int pl_alternate_init(struct pl_alternate *x, size_t n, struct pl_err *err)
{
	*x = (struct pl_alternate){.n = n};
	x->host = pl_array_create(2 * n, sizeof(*x->host));
	x->first = pl_array_create(n + 1, sizeof(*x->first));
	x->todo = pl_array_create(4 * n, sizeof(*x->todo));
	x->n_todo = pl_array_create(2 * n, sizeof(*x->n_todo));
	x->way = pl_array_create(2 * n + 1, sizeof(*x->way));
	x->seen = pl_array_create(2 * n, sizeof(*x->seen));
	if (!x->host || !x->first || !x->todo || !x->n_todo || !x->way || !x->seen) {
		pl_alternate_fini(x);
		return pl_err_nomem(err);
	}
	memset(x->seen, 0xff, 2 * n * sizeof(*x->seen));
	return 0;
}

void pl_alternate_fini(struct pl_alternate *x)
{
	free(x->host);
	free(x->first);
	free(x->todo);
	free(x->n_todo);
	free(x->way);
	free(x->seen);
	memset(x, 0, sizeof(*x));
}

static bool linked(const struct pl_tour *t, uint32_t host, uint32_t other)
{
	return pl_tour_next(t, host) == other || pl_tour_prev(t, host) == other;
}

/* Notes the links of @host on @t that @other does not have, as links of a (0) or b (1). */
static void note(struct pl_alternate *x, uint32_t host, const struct pl_tour *t,
		 const struct pl_tour *other, size_t which)
{
	const size_t k = 2 * host + which;
	const uint32_t beside[] = {pl_tour_next(t, host), pl_tour_prev(t, host)};

	x->n_todo[k] = 0;
	for (int i = 0; i < 2; i++)
		if (!linked(other, host, beside[i]))
			x->todo[2 * k + x->n_todo[k]++] = beside[i];
}

/* The same with directions: from each host on along a, and back along b. */
static void note_directed(struct pl_alternate *x, uint32_t host, const struct pl_tour *a,
			  const struct pl_tour *b)
{
	const uint32_t next = pl_tour_next(a, host);
	const uint32_t prev = pl_tour_prev(b, host);

	x->n_todo[2 * host] = next != pl_tour_next(b, host);
	x->todo[4 * host] = next;
	x->n_todo[2 * host + 1] = prev != pl_tour_prev(a, host);
	x->todo[4 * host + 2] = prev;
}

static void strike(struct pl_alternate *x, uint32_t host, uint32_t other, size_t which)
{
	const size_t k = 2 * host + which;

	if (x->todo[2 * k] == other)
		x->todo[2 * k] = x->todo[2 * k + 1];
	x->n_todo[k]--;
}

/* Takes the way from place @from on, but for its last host, as a cycle. */
static void take(struct pl_alternate *x, size_t from, size_t end)
{
	size_t at = x->first[x->n_cycles];

	/* from an odd place on it starts with a link of b */
	if (from % 2) {
		x->host[at++] = x->way[end - 1];
		for (size_t i = from; i < end - 1; i++)
			x->host[at++] = x->way[i];
	} else {
		for (size_t i = from; i < end; i++)
			x->host[at++] = x->way[i];
	}
	for (size_t i = from; i < end; i++)
		x->seen[2 * x->way[i] + i % 2] = UINT32_MAX;
	x->first[++x->n_cycles] = at;
}

/* Follows links from @start until none are left there. */
static void walk(struct pl_alternate *x, uint32_t start, struct pl_rng *rng)
{
	size_t len = 0;
	uint32_t host = start;

	for (;;) {
		const size_t which = len % 2, k = 2 * host + which;
		uint32_t next;

		if (x->seen[k] != UINT32_MAX) {
			const size_t from = x->seen[k];

			take(x, from, len);
			len = from;
		}
		if (len == 0 && x->n_todo[2 * host] == 0)
			return;
		x->way[len] = host;
		x->seen[2 * host + len % 2] = (uint32_t)len;
		next = x->todo[2 * k + (x->n_todo[k] > 1 ? pl_rng_below(rng, 2) : 0)];
		strike(x, host, next, which);
		if (!x->directed)
			strike(x, next, host, which);
		host = next;
		len++;
	}
}

void pl_alternate_find(struct pl_alternate *x, const struct pl_tour *a, const struct pl_tour *b,
		       bool directed, struct pl_rng *rng)
{
	x->n_cycles = 0;
	x->first[0] = 0;
	x->directed = directed;
	for (uint32_t h = 0; h < x->n; h++) {
		if (directed) {
			note_directed(x, h, a, b);
			continue;
		}
		note(x, h, a, b, 0);
		note(x, h, b, a, 1);
	}
	for (uint32_t h = 0; h < x->n; h++)
		if (x->n_todo[2 * h] > 0)
			walk(x, h, rng);
}
