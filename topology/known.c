/* SPDX-License-Identifier: BSD-3-Clause */
/* known.c - the measured pairs of hosts, as lists of the cells that have
 * values */
#include "config.h"

#include "topology/known.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pl_known_of(struct pl_known *l, const double *cell, size_t n)
{
	size_t n_links = 0;

	*l = (struct pl_known){.n = n};
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++)
			if (!isnan(cell[a * n + b]) || !isnan(cell[b * n + a]))
				n_links += 2;
	l->begin = pl_array_create(n + 1, sizeof(*l->begin));
	l->pair = pl_array_create(n_links + 1, sizeof(*l->pair));
	if (!l->begin || !l->pair)
		return -1;
	n_links = 0;
	for (size_t a = 0; a < n; a++) {
		l->begin[a] = n_links;
		for (size_t b = 0; b < n; b++) {
			const double there = cell[a * n + b];
			const double back = cell[b * n + a];

			if (a != b && (!isnan(there) || !isnan(back)))
				l->pair[n_links++] =
					(struct pl_known_pair){(uint32_t)b, there, back};
		}
	}
	l->begin[n] = n_links;
	return 0;
}

static int by_host(const void *x, const void *y)
{
	const struct pl_known_pair *a = x, *b = y;

	return (a->to > b->to) - (a->to < b->to);
}

/* Both halves of each cell at the hosts they are of; begin[a] counts up to where those of a end. */
static void spread(struct pl_known *l, const struct pl_known_cell *v, size_t n_cells)
{
	size_t sum = 0;

	for (size_t k = 0; k < n_cells; k++) {
		l->begin[v[k].src]++;
		l->begin[v[k].dst]++;
	}
	for (size_t a = 0; a < l->n; a++) {
		const size_t n = l->begin[a];

		l->begin[a] = sum;
		sum += n;
	}
	for (size_t k = 0; k < n_cells; k++) {
		l->pair[l->begin[v[k].src]++] = (struct pl_known_pair){v[k].dst, v[k].value, NAN};
		l->pair[l->begin[v[k].dst]++] = (struct pl_known_pair){v[k].src, NAN, v[k].value};
	}
}

/* Joins entries that occur twice, once for each direction. Returns the end. */
static size_t merge(struct pl_known_pair *to, const struct pl_known_pair *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || v[i].to != to[k - 1].to)
			to[k++] = v[i];
		else if (isnan(v[i].there))
			to[k - 1].back = v[i].back;
		else
			to[k - 1].there = v[i].there;
	}
	return k;
}

int pl_known_make(struct pl_known *l, size_t n, const struct pl_known_cell *v, size_t n_cells)
{
	size_t from = 0, to = 0;

	*l = (struct pl_known){.n = n};
	l->begin = pl_array_create(n + 1, sizeof(*l->begin));
	l->pair = pl_array_create(n_cells + 1, 2 * sizeof(*l->pair));
	if (!l->begin || !l->pair)
		return -1;
	spread(l, v, n_cells);
	for (size_t a = 0; a < n; a++) {
		const size_t end = l->begin[a];

		qsort(l->pair + from, end - from, sizeof(*l->pair), by_host);
		l->begin[a] = to;
		to += merge(l->pair + to, l->pair + from, end - from);
		from = end;
	}
	l->begin[n] = to;
	return 0;
}

void pl_known_fini(struct pl_known *l)
{
	free(l->begin);
	free(l->pair);
	memset(l, 0, sizeof(*l));
}

struct pl_known_pair *pl_known_find(const struct pl_known *l, size_t a, size_t b)
{
	const struct pl_known_pair key = {.to = (uint32_t)b};

	return bsearch(&key, l->pair + l->begin[a], l->begin[a + 1] - l->begin[a], sizeof(key),
		       by_host);
}
