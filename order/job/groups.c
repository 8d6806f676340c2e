/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c - the groups of a kind as seats see them: each sequence of seats once */
#include "config.h"

#include "order/job/groups.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A group before equal ones are left out. */
struct sequence {
	const size_t *seat;
	size_t len;
};

static int compare(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	for (size_t i = 0; i < x->len; i++)
		if (x->seat[i] != y->seat[i])
			return x->seat[i] < y->seat[i] ? -1 : 1;
	return 0;
}

static bool has_one_seat(const struct sequence *s)
{
	for (size_t i = 1; i < s->len; i++)
		if (s->seat[i] != s->seat[0])
			return false;
	return true;
}

/* The most groups with a member at one seat; touched[n_seats] and last[n_seats] are zeroed
 * scratch. */
static size_t most_at_a_seat(const struct sequence *s, size_t n, size_t *touched, size_t *last)
{
	size_t most = 0;

	for (size_t g = 0; g < n; g++)
		for (size_t i = 0; i < s[g].len; i++) {
			const size_t seat = s[g].seat[i];

			if (last[seat] == g + 1)
				continue;
			last[seat] = g + 1;
			if (++touched[seat] > most)
				most = touched[seat];
		}
	return most;
}

/* Keeps the sequences that differ; they are sorted. */
static size_t leave_out_equals(struct sequence *s, size_t n)
{
	size_t kept = 0;

	qsort(s, n, sizeof(*s), compare);
	for (size_t g = 0; g < n; g++)
		if (kept == 0 || compare(&s[kept - 1], &s[g]) != 0)
			s[kept++] = s[g];
	return kept;
}

static int copy(struct pl_job_seated *g, const struct sequence *s, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += s[i].len;
	g->seat = pl_array_create(len, sizeof(*g->seat));
	g->first = pl_array_create(n + 1, sizeof(*g->first));
	if (!g->seat || !g->first)
		return -1;
	for (size_t i = 0; i < n; i++) {
		memcpy(g->seat + g->first[i], s[i].seat, s[i].len * sizeof(*g->seat));
		g->first[i + 1] = g->first[i] + s[i].len;
	}
	g->n = n;
	return 0;
}

/* @all: the seat of each member. */
static size_t sequences(struct sequence *s, const struct pl_job_kind *kind, const size_t *all)
{
	size_t n = 0;

	for (size_t g = 0; g < kind->n_groups; g++) {
		s[n] = (struct sequence){all + kind->first[g], kind->first[g + 1] - kind->first[g]};
		n += !has_one_seat(&s[n]);
	}
	return n;
}

int pl_job_seated_init(struct pl_job_seated *g, const struct pl_job_kind *kind,
		       const struct pl_job_seats *seats, size_t cards)
{
	size_t *all = pl_array_create(kind->n_members, sizeof(*all));
	struct sequence *s = pl_array_create(kind->n_groups, sizeof(*s));
	size_t *touched = pl_array_create(2 * seats->n, sizeof(*touched));
	size_t n;
	int rc = -1;

	*g = (struct pl_job_seated){.share = 1};
	if (all && s && touched) {
		for (size_t i = 0; i < kind->n_members; i++)
			all[i] = seats->seat_of[kind->member[i]];
		n = sequences(s, kind, all);
		g->share = (most_at_a_seat(s, n, touched, touched + seats->n) + cards - 1) / cards;
		g->share = g->share ? g->share : 1;
		rc = copy(g, s, leave_out_equals(s, n));
	}
	free(touched);
	free(s);
	free(all);
	if (rc)
		pl_job_seated_fini(g);
	return rc;
}

void pl_job_seated_fini(struct pl_job_seated *g)
{
	free(g->seat);
	free(g->first);
	memset(g, 0, sizeof(*g));
}
