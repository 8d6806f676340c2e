/* SPDX-License-Identifier: BSD-3-Clause */
/* relax.c - the least time of a choice whose slowest machine has a given type and batch */
#include "config.h"

#include "planner/srift/search/relax.h"

#include "base/gcd.h"

#include <math.h>
#include <stdlib.h>

static int compare_pairs(const void *a, const void *b)
{
	const struct pl_type_batch *x = a, *y = b;

	if (x->mean_s != y->mean_s)
		return x->mean_s < y->mean_s ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return x->batch < y->batch ? -1 : 1;
}

void pl_pairs_init(struct pl_type_batches *pairs, const struct pl_market *m,
		   const size_t *available)
{
	pairs->n = 0;
	for (size_t i = 0; i < m->n_types; i++)
		for (size_t k = 0; available[i] && k < m->type[i].n_batches; k++)
			pairs->pair[pairs->n++] =
				(struct pl_type_batch){i, k, m->type[i].mean_s[k]};
	qsort(pairs->pair, pairs->n, sizeof(*pairs->pair), compare_pairs);
	for (size_t p = 0; p < pairs->n; p++)
		pairs->rank[pairs->pair[p].type][pairs->pair[p].batch] = p;
}

/* A type on its way into the order. */
struct entry {
	size_t type;
	uint64_t least, most; /* batches allowed */
	double per_sample;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->per_sample != y->per_sample)
		return x->per_sample < y->per_sample ? -1 : 1;
	return x->type < y->type ? -1 : 1;
}

static int compare_parts(const void *a, const void *b)
{
	const struct pl_relax_part *x = a, *y = b;

	if (x->per_sample != y->per_sample)
		return x->per_sample < y->per_sample ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

void pl_relax_sort(struct pl_relax_part *part, size_t n)
{
	qsort(part, n, sizeof(*part), compare_parts);
}

/* Of the slowest type only that batch is allowed, of others those before it. */
static bool allowed(const struct pl_type_batches *pairs, size_t slowest, size_t type, size_t batch)
{
	const size_t rank = pairs->rank[type][batch];

	return type == pairs->pair[slowest].type ? rank == slowest : rank < slowest;
}

static size_t list(struct entry *entry, const struct pl_market *m, const size_t *available,
		   const struct pl_type_batches *pairs, size_t slowest, bool whole)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_market_type *type = &m->type[i];
		struct entry e = {.type = i};

		if (available[i] == 0 || (!whole && i == pairs->pair[slowest].type))
			continue;
		for (size_t k = 0; k < type->n_batches; k++)
			if (allowed(pairs, slowest, i, k)) {
				e.most = type->batch[k];
				if (e.least == 0)
					e.least = e.most;
			}
		if (e.most == 0)
			continue;
		e.per_sample = type->stock[0].price_per_hour / (double)e.most;
		entry[n++] = e;
	}
	qsort(entry, n, sizeof(*entry), compare_entries);
	return n;
}

static void add_parts(struct pl_relax *r, const struct pl_market_type *type, const struct entry *e,
		      size_t pos, size_t available)
{
	for (size_t k = 0; k < type->n_stocks && available > 0; k++) {
		const struct pl_market_stock *stock = &type->stock[k];
		const size_t n = available < stock->available ? available : stock->available;

		r->part[r->n_parts++] = (struct pl_relax_part){
			.pos = pos,
			.samples = (double)n * (double)e->most,
			.per_sample = stock->price_per_hour / (double)e->most,
		};
		available -= n;
	}
}

void pl_relax_init(struct pl_relax *r, const struct pl_market *m, const size_t *available,
		   const struct pl_type_batches *pairs, size_t slowest, bool whole)
{
	struct entry entry[PL_MARKET_TYPES_MAX];

	r->n = list(entry, m, available, pairs, slowest, whole);
	r->n_parts = 0;
	r->divisor[r->n] = 0;
	for (size_t i = r->n; i-- > 0;) {
		const struct pl_market_type *type = &m->type[entry[i].type];

		r->order[i] = entry[i].type;
		r->divisor[i] = pl_gcd(entry[i].least, r->divisor[i + 1]);
		r->rank_part[i] = (struct pl_relax_part){
			.pos = i,
			.samples = (double)available[entry[i].type] * (double)entry[i].most,
			.per_sample = (double)type->instance->ranks / (double)entry[i].most,
		};
		add_parts(r, type, &entry[i], i, available[entry[i].type]);
	}
	pl_relax_sort(r->part, r->n_parts);
	pl_relax_sort(r->rank_part, r->n);
}

double pl_relax_sum(const struct pl_relax_part *part, size_t n, size_t from, double samples)
{
	double sum = 0, left = samples;

	for (size_t k = 0; k < n; k++) {
		if (part[k].pos < from)
			continue;
		if (part[k].samples >= left)
			return sum + left * part[k].per_sample;
		sum += part[k].samples * part[k].per_sample;
		left -= part[k].samples;
	}
	return INFINITY;
}

double pl_relax_per_hour(const struct pl_relax *r, size_t from, uint64_t samples)
{
	if (samples == 0)
		return 0;
	if (r->divisor[from] == 0 || samples % r->divisor[from])
		return INFINITY;
	return pl_relax_sum(r->part, r->n_parts, from, (double)samples);
}

size_t pl_relax_ranks(const struct pl_relax *r, size_t from, uint64_t samples)
{
	double ranks;

	if (samples == 0)
		return 0;
	ranks = pl_relax_sum(r->rank_part, r->n, from, (double)samples);
	return ranks < INFINITY ? (size_t)ceil(ranks * (1 - 1e-12)) : 0;
}
