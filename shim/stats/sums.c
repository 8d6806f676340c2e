/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.c - what the processes of a job have called, added up */
#include "config.h"

#include "shim/stats/sums.h"

#include "base/mem.h"
#include "shim/stats/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A process' rows on their way from its tables. */
struct intake {
	struct pl_stats_sums *sums;
	double tick_s;
	bool is_short; /* of memory */
};

static void take_in(const struct pl_stats_row *row, void *arg)
{
	struct intake *in = arg;
	struct pl_stats_sums *sums = in->sums;

	if (in->is_short ||
	    pl_array_grow((void **)&sums->v, &sums->room, sums->n, sizeof(*sums->v))) {
		in->is_short = true;
		return;
	}
	sums->v[sums->n++] = (struct pl_stats_sum){
		.key = row->key,
		.calls = row->calls,
		.bytes = row->bytes,
		.n_processes = 1,
		.seconds = (double)row->ticks * in->tick_s,
	};
}

static int by_key(const void *a, const void *b)
{
	const struct pl_stats_sum *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Rows of several threads become one. */
static void unite(struct pl_stats_sums *sums)
{
	size_t n = 0;

	for (size_t i = 0; i < sums->n; i++) {
		const struct pl_stats_sum *from = &sums->v[i];

		if (n == 0 || sums->v[n - 1].key != from->key) {
			sums->v[n++] = *from;
			continue;
		}
		sums->v[n - 1].calls += from->calls;
		sums->v[n - 1].bytes += from->bytes;
		sums->v[n - 1].seconds += from->seconds;
	}
	sums->n = n;
}

/* Each key comes once then. */
static void sort_rows(struct pl_stats_sums *sums)
{
	if (sums->n > 0)
		qsort(sums->v, sums->n, sizeof(*sums->v), by_key);
	unite(sums);
	for (size_t i = 0; i < sums->n; i++)
		sums->v[i].seconds_min = sums->v[i].seconds_max = sums->v[i].seconds;
}

int pl_stats_sums_own(struct pl_stats_sums *sums, double tick_s)
{
	struct intake in = {.sums = sums, .tick_s = tick_s};

	pl_stats_each(take_in, &in);
	if (in.is_short) {
		pl_stats_sums_fini(sums);
		return -1;
	}
	sort_rows(sums);
	return 0;
}

void pl_stats_sums_regroup(struct pl_stats_sums *sums, const unsigned int *number)
{
	for (size_t i = 0; i < sums->n; i++) {
		uint64_t *key = &sums->v[i].key;
		const unsigned int group = pl_stats_key_group(*key);

		if (*key == PL_STATS_OTHER)
			continue;
		if (!number)
			*key = pl_stats_key_regroup(*key, 0);
		else if (group > 0 && group != PL_STATS_GROUP_OTHER)
			*key = pl_stats_key_regroup(*key, number[group - 1]);
	}
	sort_rows(sums);
}

static void add(struct pl_stats_sum *to, const struct pl_stats_sum *from)
{
	to->calls += from->calls;
	to->bytes += from->bytes;
	to->n_processes += from->n_processes;
	to->seconds += from->seconds;
	if (from->seconds_min < to->seconds_min)
		to->seconds_min = from->seconds_min;
	if (from->seconds_max > to->seconds_max)
		to->seconds_max = from->seconds_max;
}

int pl_stats_sums_add(struct pl_stats_sums *sums, const struct pl_stats_sums *others)
{
	const struct pl_stats_sum *a = sums->v, *b = others->v;
	struct pl_stats_sums both = {.room = sums->n + others->n};
	size_t i = 0, j = 0;

	both.v = pl_array_create(both.room, sizeof(*both.v));
	if (!both.v)
		return -1;
	while (i < sums->n || j < others->n) {
		struct pl_stats_sum *to = &both.v[both.n++];

		if (j == others->n || (i < sums->n && a[i].key < b[j].key)) {
			*to = a[i++];
		} else if (i == sums->n || b[j].key < a[i].key) {
			*to = b[j++];
		} else {
			*to = a[i++];
			add(to, &b[j++]);
		}
	}
	free(sums->v);
	*sums = both;
	return 0;
}

void pl_stats_sums_fini(struct pl_stats_sums *sums)
{
	free(sums->v);
	memset(sums, 0, sizeof(*sums));
}
