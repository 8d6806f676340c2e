/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-near.c - some of the hosts that are near each other */
#include "config.h"

#include "solver/choose/choice.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define NONE SIZE_MAX

struct near {
	const struct pl_host_choice *choice;
	bool *chosen;     /* [n] */
	double *to_these; /* [n] to and from all that are chosen */
	double *scratch;  /* [n] */
	size_t n_leaders;
};

/* There and back. */
static double between(const struct near *s, size_t a, size_t b)
{
	const size_t n = s->choice->n;

	return s->choice->c[a * n + b] + s->choice->c[b * n + a];
}

static bool may_lead(const struct near *s, size_t host)
{
	return !s->choice->may_lead || s->choice->may_lead[host];
}

/* Puts a host among those chosen, or takes it away. */
static void take(struct near *s, size_t host, bool chosen)
{
	s->chosen[host] = chosen;
	for (size_t h = 0; h < s->choice->n; h++)
		s->to_these[h] += chosen ? between(s, host, h) : -between(s, host, h);
	if (chosen)
		s->n_leaders += may_lead(s, host);
	else
		s->n_leaders -= may_lead(s, host);
}

/* The least that k hosts cost from and to that one, itself among them. */
static double radius(struct near *s, size_t host)
{
	double sum = 0;

	for (size_t h = 0; h < s->choice->n; h++)
		s->scratch[h] = h == host ? -1 : between(s, host, h);
	pl_sort_doubles(s->scratch, s->choice->n);
	for (size_t i = 1; i < s->choice->k; i++)
		sum += s->scratch[i];
	return sum;
}

/* The host that may lead and has k others nearest. */
static size_t find_middle(struct near *s, const struct pl_stop *stop)
{
	size_t found = NONE;
	double least = INFINITY;

	for (size_t h = 0; h < s->choice->n; h++) {
		double sum;

		if (!may_lead(s, h))
			continue;
		sum = pl_stop_now(stop) ? INFINITY : radius(s, h);
		if (found == NONE || sum < least) {
			found = h;
			least = sum;
		}
	}
	return found;
}

/* The host nearest to @middle of those not chosen. */
static size_t find_nearest(const struct near *s, size_t middle)
{
	size_t found = NONE;

	for (size_t h = 0; h < s->choice->n; h++)
		if (!s->chosen[h] &&
		    (found == NONE || between(s, middle, h) < between(s, middle, found)))
			found = h;
	return found;
}

/* Replaces the host farthest from the others by the one that is nearest
 * then. */
static bool exchange(struct near *s)
{
	size_t out = NONE, in = NONE;
	double gain;

	for (size_t h = 0; h < s->choice->n; h++)
		if (s->chosen[h] && !(s->n_leaders == 1 && may_lead(s, h)) &&
		    (out == NONE || s->to_these[h] > s->to_these[out]))
			out = h;
	for (size_t h = 0; out != NONE && h < s->choice->n; h++)
		if (!s->chosen[h] && (in == NONE || s->to_these[h] - between(s, out, h) <
							    s->to_these[in] - between(s, out, in)))
			in = h;
	if (in == NONE)
		return false;
	gain = s->to_these[out] - (s->to_these[in] - between(s, out, in));
	if (gain <= 1e-9 * s->to_these[out])
		return false;
	take(s, out, false);
	take(s, in, true);
	return true;
}

static void write_order(const struct near *s, size_t *host_at)
{
	size_t first = 0, n_chosen = 0, n_others = s->choice->k;

	while (!s->chosen[first] || !may_lead(s, first))
		first++;
	host_at[n_chosen++] = first;
	for (size_t h = 0; h < s->choice->n; h++)
		if (h != first)
			host_at[s->chosen[h] ? n_chosen++ : n_others++] = h;
}

static void choose(struct near *s, const struct pl_stop *stop)
{
	const size_t middle = find_middle(s, stop);

	take(s, middle, true);
	for (size_t i = 1; i < s->choice->k; i++)
		take(s, find_nearest(s, middle), true);
	for (size_t i = 0; i < s->choice->n && !pl_stop_now(stop); i++)
		if (!exchange(s))
			break;
}

int pl_choose_near(const struct pl_host_choice *choice, const struct pl_stop *stop, size_t *host_at,
		   struct pl_err *err)
{
	const size_t n = choice->n;
	struct near s = {
		.choice = choice,
		.chosen = pl_array_create(n, sizeof(*s.chosen)),
		.to_these = pl_array_create(n, sizeof(*s.to_these)),
		.scratch = pl_array_create(n, sizeof(*s.scratch)),
	};
	int rc = 0;

	if (s.chosen && s.to_these && s.scratch) {
		choose(&s, stop);
		write_order(&s, host_at);
	} else {
		rc = pl_err_nomem(err);
	}
	free(s.chosen);
	free(s.to_these);
	free(s.scratch);
	return rc;
}
