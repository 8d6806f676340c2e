/* SPDX-License-Identifier: BSD-3-Clause */
/* seeds.c - orders of a job to start from: near hosts fill the groups of one kind after the
 * other */
#include "config.h"

#include "order/job/parts.h"
#include "order/job/solve.h"

#include "base/mem.h"
#include "topology/linkage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* All nestings of so many kinds are tried; of more, one for each kind that may be outermost. */
#define NESTED_MAX 4

struct nesting {
	const struct pl_job_cost_options *cost;
	const size_t *class; /* [n] by seat; NULL: one */
	const size_t *given; /* [n] */
	size_t n, n_kinds;
	size_t *kind;    /* [n_kinds] with groups between seats */
	uint32_t *group; /* [n_kinds * n] by seat; UINT32_MAX: it has none */
	size_t *seat;    /* [n] in the order of the nesting */
	size_t *near;    /* [n] seats of @given: their hosts are neighbours */
	size_t *turn;    /* [n_kinds] the nesting: outermost first */
};

/* Hosts by the tree of their distances: its two halves stand apart, and so on in each half.
 * rank[n_hosts]: the place of each. */
static int order_hosts(const struct pl_costs *costs, size_t *rank)
{
	const size_t n = costs->n;
	float *distance = pl_array_create(n * n, sizeof(*distance));
	struct pl_cluster_merge *merge = pl_array_create(n, sizeof(*merge));
	size_t *next = pl_array_create(2 * n, sizeof(*next));
	size_t *last = next ? next + n : NULL;
	size_t host = 0;
	int rc = -1;

	if (!distance || !merge || !next)
		goto out;
	for (size_t i = 0; i < n * n; i++)
		distance[i] = (float)(costs->c[i] + costs->c[i % n * n + i / n]);
	if (n > 1 && pl_linkage(distance, n, merge))
		goto out;
	/* lists of hosts, joined until one is left: rank[h] is the first host of the list that h is
	 * in */
	for (size_t h = 0; h < n; h++) {
		rank[h] = last[h] = h;
		next[h] = n;
	}
	for (size_t i = 0; i + 1 < n; i++) {
		size_t a = rank[merge[i].a], b = rank[merge[i].b];

		if (a > b) { /* the given order decides between equals */
			const size_t swap = a;

			a = b;
			b = swap;
		}
		next[last[a]] = b;
		last[a] = last[b];
		for (size_t h = b; h < n; h = next[h])
			rank[h] = a;
	}
	for (size_t place = 0; place < n; place++, host = next[host])
		rank[host] = place;
	rc = 0;
out:
	free(distance);
	free(merge);
	free(next);
	return rc;
}

/* The group of each seat: of the first of the kind's groups that has it. */
static void take_groups(struct nesting *s, size_t k, uint32_t *group)
{
	const struct pl_job_kind *kind = &s->cost->job->kind[k];
	const size_t *seat_of = s->cost->seats.seat_of;

	for (size_t i = 0; i < s->n; i++)
		group[i] = UINT32_MAX;
	for (size_t g = kind->n_groups; g-- > 0;)
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++)
			group[seat_of[kind->member[i]]] = (uint32_t)g;
}

/* Does a group have several seats? */
static bool joins_seats(const struct nesting *s, const uint32_t *group, size_t *seats_of)
{
	const size_t n_ranks = s->cost->job->n_ranks;

	memset(seats_of, 0, n_ranks * sizeof(*seats_of));
	for (size_t i = 0; i < s->n; i++)
		if (group[i] != UINT32_MAX && ++seats_of[group[i]] > 1)
			return true;
	return false;
}

static int find_kinds(struct nesting *s)
{
	const struct pl_job *job = s->cost->job;
	size_t *scratch = pl_array_create(job->n_ranks, sizeof(*scratch));

	s->kind = pl_array_create(job->n_kinds, sizeof(*s->kind));
	s->group = pl_array_create(job->n_kinds, s->n * sizeof(*s->group));
	if (!scratch || !s->kind || !s->group) {
		free(scratch);
		return -1;
	}
	for (size_t k = 0; k < job->n_kinds; k++) {
		uint32_t *group = s->group + s->n_kinds * s->n;

		if (job->kind[k].n_groups == 0 || !pl_job_is_wanted(s->cost, k))
			continue;
		take_groups(s, k, group);
		if (joins_seats(s, group, scratch))
			s->kind[s->n_kinds++] = k;
	}
	free(scratch);
	return 0;
}

/* Sorts seat[n] by the groups of one kind; equals stay in their order. */
static void sort_seats(struct nesting *s, const uint32_t *group)
{
	for (size_t i = 1; i < s->n; i++) {
		const size_t seat = s->seat[i];
		size_t at = i;

		for (; at > 0 && group[s->seat[at - 1]] > group[seat]; at--)
			s->seat[at] = s->seat[at - 1];
		s->seat[at] = seat;
	}
}

static void fill(struct nesting *s, size_t *host_at, bool *used)
{
	for (size_t i = 0; i < s->n; i++)
		s->seat[i] = i;
	for (size_t k = s->n_kinds; k-- > 0;)
		sort_seats(s, s->group + s->turn[k] * s->n);
	memset(used, 0, s->n * sizeof(*used));
	for (size_t i = 0, from = 0; i < s->n; i++) {
		const size_t seat = s->seat[i];
		size_t at = from;

		while (used[at] || (s->class && s->class[s->near[at]] != s->class[seat]))
			at++;
		used[at] = true;
		host_at[seat] = s->given[s->near[at]];
		while (from < s->n && used[from])
			from++;
	}
}

/* The next nesting: the next permutation of all kinds, or of many the next one outermost. */
static void turn_on(struct nesting *s)
{
	size_t *t = s->turn, i = s->n_kinds, j = s->n_kinds - 1;

	if (s->n_kinds > NESTED_MAX) {
		const size_t first = t[0];

		memmove(t, t + 1, j * sizeof(*t));
		t[j] = first;
		return;
	}
	while (i > 1 && t[i - 2] > t[i - 1])
		i--;
	if (i < 2)
		return;
	while (t[j] < t[i - 2])
		j--;
	for (size_t a = i - 2, b = j, swap; a != b; b = a) {
		swap = t[a];
		t[a] = t[b];
		t[b] = swap;
	}
	for (size_t a = i - 1, b = s->n_kinds - 1, swap; a < b; a++, b--) {
		swap = t[a];
		t[a] = t[b];
		t[b] = swap;
	}
}

static size_t count_nestings(size_t n_kinds)
{
	size_t n = n_kinds;

	for (size_t k = 2; n_kinds <= NESTED_MAX && k < n_kinds; k++)
		n *= k;
	return n;
}

/* Sorts the seats by the place of their hosts, by insertion: the given order decides between
 * equals. */
static int order_near(struct nesting *s)
{
	size_t *rank = pl_array_create(s->cost->costs.n, sizeof(*rank));

	if (!rank || order_hosts(&s->cost->costs, rank)) {
		free(rank);
		return -1;
	}
	for (size_t i = 0; i < s->n; i++) {
		size_t at = i;

		for (; at > 0 && rank[s->given[s->near[at - 1]]] > rank[s->given[i]]; at--)
			s->near[at] = s->near[at - 1];
		s->near[at] = i;
	}
	free(rank);
	return 0;
}

static int make(struct pl_job_seeds *seeds, struct nesting *s)
{
	bool *used = pl_array_create(s->n, sizeof(*used));
	const size_t n_nestings = count_nestings(s->n_kinds);

	seeds->host_at = pl_array_create(1 + n_nestings, s->n * sizeof(*seeds->host_at));
	s->turn = pl_array_create(s->n_kinds, sizeof(*s->turn));
	if (!used || !seeds->host_at || !s->turn) {
		free(used);
		return -1;
	}
	memcpy(seeds->host_at, s->given, s->n * sizeof(*s->given));
	seeds->n = 1;
	for (size_t k = 0; k < s->n_kinds; k++)
		s->turn[k] = k;
	for (size_t i = 0; i < n_nestings; i++) {
		fill(s, seeds->host_at + seeds->n++ * s->n, used);
		turn_on(s);
	}
	free(used);
	return 0;
}

int pl_job_seeds_init(struct pl_job_seeds *seeds, const struct pl_job_cost_options *cost,
		      const size_t *class, const size_t *given)
{
	const size_t n = cost->seats.n;
	struct nesting s = {.cost = cost,
			    .class = class,
			    .given = given,
			    .n = n,
			    .seat = pl_array_create(n, sizeof(*s.seat)),
			    .near = pl_array_create(n, sizeof(*s.near))};
	int rc = -1;

	if (s.seat && s.near && find_kinds(&s) == 0 && order_near(&s) == 0)
		rc = make(seeds, &s);
	free(s.seat);
	free(s.near);
	free(s.kind);
	free(s.group);
	free(s.turn);
	if (rc)
		pl_job_seeds_fini(seeds);
	return rc;
}

void pl_job_seeds_fini(struct pl_job_seeds *seeds)
{
	free(seeds->host_at);
	memset(seeds, 0, sizeof(*seeds));
}
