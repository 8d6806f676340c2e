/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-exact.c - the cheapest ring of some of few hosts, by dynamic programming */
#include "config.h"

#include "solver/choose/choice.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/*
 * Hosts that may lead come first in host[]. A ring is found from its first host there, number
 * @start: a state is a set of those behind it (bit 0: the next) and one of the set, the last;
 * best[set * m + last] is the cheapest way to it.
 */
struct table {
	const struct pl_host_choice *choice;
	size_t host[PL_CHOOSE_EXACT_MAX];
	size_t n_leaders;
	size_t start, m; /* hosts behind it */
	double *best;
};

/* The cheapest ring so far. */
struct found {
	double cost;
	size_t start, set, last;
};

static void list_hosts(struct table *t)
{
	const struct pl_host_choice *choice = t->choice;
	size_t used = 0;

	for (int leads = 1; leads >= 0; leads--) {
		for (size_t h = 0; h < choice->n; h++)
			if ((!choice->may_lead || choice->may_lead[h]) == leads)
				t->host[used++] = h;
		if (leads)
			t->n_leaders = used;
	}
}

/* From one host to another, by their numbers behind the start; m: the start. */
static double step(const struct table *t, size_t src, size_t dst)
{
	const size_t a = src == t->m ? t->start : t->start + 1 + src;
	const size_t b = dst == t->m ? t->start : t->start + 1 + dst;

	return t->choice->c[t->host[a] * t->choice->n + t->host[b]];
}

/* Goes on from one state, or back to the start where there are enough. */
static void expand(struct table *t, size_t set, size_t last, struct found *found)
{
	const double so_far = t->best[set * t->m + last];

	if ((size_t)__builtin_popcountll(set) + 1 == t->choice->k) {
		const double cost = so_far + step(t, last, t->m);

		if (cost < found->cost)
			*found = (struct found){cost, t->start, set, last};
		return;
	}
	for (size_t h = 0; h < t->m; h++) {
		const size_t with = set | (size_t)1 << h;
		const double cost = so_far + step(t, last, h);

		if (with != set && cost < t->best[with * t->m + h])
			t->best[with * t->m + h] = cost;
	}
}

static void fill(struct table *t, size_t start, struct found *found)
{
	const size_t m = t->choice->n - 1 - start;

	t->start = start;
	t->m = m;
	for (size_t i = 0; i < ((size_t)1 << m) * m; i++)
		t->best[i] = INFINITY;
	for (size_t h = 0; h < m; h++)
		t->best[((size_t)1 << h) * m + h] = step(t, m, h);
	for (size_t set = 1; set < (size_t)1 << m; set++)
		for (size_t last = 0; (size_t)__builtin_popcountll(set) < t->choice->k && last < m;
		     last++)
			if (set >> last & 1)
				expand(t, set, last, found);
}

/* The host before @next on the cheapest way to it through the set. */
static size_t before(const struct table *t, size_t set, size_t next)
{
	size_t found = 0;
	double least = INFINITY;

	for (size_t h = 0; h < t->m; h++) {
		const double cost = t->best[set * t->m + h] + step(t, h, next);

		if (set >> h & 1 && cost < least) {
			least = cost;
			found = h;
		}
	}
	return found;
}

/* Walks back; best[] is that of the start. */
static void write_ring(const struct table *t, const struct found *found, size_t *host_at)
{
	size_t set = found->set, h = found->last;

	host_at[0] = t->host[t->start];
	for (size_t seat = t->choice->k - 1; seat > 0; seat--) {
		host_at[seat] = t->host[t->start + 1 + h];
		set &= ~((size_t)1 << h);
		h = before(t, set, h);
	}
}

static void write_others(const struct pl_host_choice *choice, size_t *host_at)
{
	size_t used = choice->k;

	for (size_t h = 0; h < choice->n; h++) {
		bool chosen = false;

		for (size_t seat = 0; seat < choice->k; seat++)
			chosen = chosen || host_at[seat] == h;
		if (!chosen)
			host_at[used++] = h;
	}
}

int pl_choose_exact(const struct pl_host_choice *choice, size_t *host_at, struct pl_err *err)
{
	struct table t = {.choice = choice};
	struct found found = {.cost = INFINITY};
	const size_t n = choice->n;

	assert(n >= 1 && n <= PL_CHOOSE_EXACT_MAX && choice->k <= n);
	list_hosts(&t);
	t.best = pl_array_create(((size_t)1 << (n - 1)) * n, sizeof(*t.best));
	if (!t.best)
		return pl_err_nomem(err);
	for (size_t start = 0; choice->k > 1 && start < t.n_leaders; start++)
		if (n - start >= choice->k)
			fill(&t, start, &found);
	if (choice->k > 1)
		fill(&t, found.start, &found);
	write_ring(&t, &found, host_at);
	write_others(choice, host_at);
	free(t.best);
	return 0;
}
