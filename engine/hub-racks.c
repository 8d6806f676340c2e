/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-racks.c - slices of an all-reduce with hubs in each rack */
#include "config.h"

#include "engine/hub-racks.h"

#include "base/gcd.h"
#include "base/mem.h"
#include "engine/hub-shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights are whole numbers of this part of the buffer. */
#define PARTS 1048576
/* Of the sums of a rack; hubs of racks that cannot be divided evenly into so many have shares that
 * differ. */
#define PIECES_MAX 12

static size_t count_hubs(const struct pl_hub_racks *t, size_t rack)
{
	size_t n = 0;

	for (size_t k = 0; k < t->n_hubs; k++)
		n += t->rack[t->n_ranks + k] == rack;
	return n;
}

static bool has_ranks(const struct pl_hub_racks *t, size_t rack)
{
	size_t r = 0;

	while (r < t->n_ranks && t->rack[r] != rack)
		r++;
	return r < t->n_ranks;
}

static int check(const struct pl_hub_racks *t, struct pl_err *err)
{
	if (t->n_racks < 2)
		return pl_err_set(err, PL_EUSAGE, "hubs in each rack need several racks");
	for (size_t g = 0; g < t->n_racks; g++)
		if (count_hubs(t, g) == 0 || !has_ranks(t, g))
			return pl_err_set(err, PL_EUSAGE,
					  "a rack has ranks and no aggregator, or an aggregator "
					  "and no ranks");
	return 0;
}

/* The number of slices that divides the work of each rack's hubs evenly. */
static size_t count_pieces(const struct pl_hub_racks *t, size_t slices_max)
{
	size_t n = 1;

	for (size_t g = 0; g < t->n_racks; g++) {
		const size_t hubs = count_hubs(t, g);
		const size_t more = n / pl_gcd(n, hubs) * hubs;

		if (more <= PIECES_MAX && more * t->n_racks <= slices_max)
			n = more;
	}
	return n;
}

/* The hub of a rack that adds up a piece. */
static uint32_t hub_of(const struct pl_hub_racks *t, size_t rack, size_t piece)
{
	size_t k = 0;

	piece %= count_hubs(t, rack);
	while (t->rack[t->n_ranks + k] != rack || piece-- > 0)
		k++;
	return (uint32_t)(t->n_ranks + k);
}

/* A slice as it is written. */
struct writer {
	const struct pl_hub_racks *t;
	size_t piece, first; /* of the ranks, in each round */
	struct pl_slice slice;
	bool failed;
};

static void transfer(struct writer *w, uint32_t round, uint32_t src, uint32_t dst, bool adds)
{
	const struct pl_slice_transfer t = {.round = round, .src = src, .dst = dst, .adds = adds};

	w->failed |= pl_slice_append(&w->slice, t) != 0;
}

/* Between the ranks and their hubs: all add, or those of @rack store, or those of the other
 * racks. */
static void transfer_ranks(struct writer *w, uint32_t round, size_t rack, bool others)
{
	const struct pl_hub_racks *t = w->t;

	for (size_t k = 0; k < t->n_ranks; k++) {
		const uint32_t r = (uint32_t)((w->first + k) % t->n_ranks);
		const uint32_t hub = hub_of(t, t->rack[r], w->piece);

		if (round == 0)
			transfer(w, round, r, hub, true);
		else if ((t->rack[r] == rack) != others)
			transfer(w, round, hub, r, false);
	}
}

/* Between the hub of @rack and those of the others. */
static void transfer_hubs(struct writer *w, uint32_t round, size_t rack)
{
	const uint32_t to = hub_of(w->t, rack, w->piece);

	for (size_t i = 1; i < w->t->n_racks; i++) {
		const uint32_t other = hub_of(w->t, (rack + i) % w->t->n_racks, w->piece);

		if (round == 1)
			transfer(w, round, other, to, true);
		else
			transfer(w, round, to, other, false);
	}
}

/* The hub of @rack has the sum of all first. */
static int add_slice(struct pl_slices *slices, const struct pl_hub_racks *t, size_t rack,
		     size_t piece, uint64_t weight)
{
	struct writer w = {.t = t,
			   .piece = piece,
			   .first = (rack + piece) % t->n_ranks,
			   .slice = {.weight = weight}};

	transfer_ranks(&w, 0, rack, false);
	transfer_hubs(&w, 1, rack);
	transfer_hubs(&w, 2, rack);
	transfer_ranks(&w, 2, rack, false);
	transfer_ranks(&w, 3, rack, true);
	if (!w.failed && pl_slices_add_take(slices, &w.slice, PL_SLICE_ALL) == 0)
		return 0;
	pl_slice_fini(&w.slice);
	return -1;
}

int pl_hub_rack_slices(struct pl_slices *slices, const struct pl_hub_racks *t, size_t slices_max,
		       struct pl_err *err)
{
	size_t pieces;
	double *share;
	int rc = 0;

	if (check(t, err))
		return -1;
	share = pl_array_create(t->n_racks, sizeof(*share));
	if (!share)
		return pl_err_nomem(err);
	pl_hub_shares(t->n_racks, 0, t->rate, share);
	pieces = count_pieces(t, slices_max);
	for (size_t k = 0; rc == 0 && k < pieces; k++)
		for (size_t g = 0; rc == 0 && g < t->n_racks; g++) {
			const double part = share[g] / (double)pieces;
			const long weight = lround(part * PARTS);

			if (weight > 0)
				rc = add_slice(slices, t, g, k, (uint64_t)weight);
		}
	free(share);
	if (rc == 0)
		return 0;
	pl_slices_fini(slices);
	return pl_err_nomem(err);
}

void pl_hub_grouping_fini(struct pl_hub_grouping *g)
{
	free(g->rack);
	free(g->rate);
	memset(g, 0, sizeof(*g));
}

/* Sets g->rack, and of[] to the group of each rack; returns how many there are, 0 if a host is in
 * none. */
static size_t number_racks(struct pl_hub_grouping *g, size_t n, const size_t *group, size_t *of)
{
	size_t n_racks = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		if (group[i] == SIZE_MAX)
			return 0;
		of[n_racks] = group[i];
		while (of[k] != group[i])
			k++;
		g->rack[i] = (uint32_t)k;
		n_racks += k == n_racks;
	}
	return n_racks;
}

int pl_hub_grouping_init(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const size_t *group, const double *bps)
{
	const size_t n = n_ranks + n_hubs;
	size_t *of = pl_array_create(n, sizeof(*of)), n_racks;
	bool known = bps != NULL;

	g->rack = pl_array_create(n, sizeof(*g->rack));
	g->rate = pl_array_create(n, sizeof(*g->rate));
	if (!of || !g->rack || !g->rate) {
		free(of);
		pl_hub_grouping_fini(g);
		return -1;
	}
	n_racks = number_racks(g, n, group, of);
	for (size_t k = 0; known && k < n_racks; k++)
		known = bps[of[k]] > 0;
	for (size_t k = 0; k < n_racks; k++)
		g->rate[k] = known ? bps[of[k]] : 1;
	g->racks = (struct pl_hub_racks){.n_ranks = n_ranks,
					 .n_hubs = n_hubs,
					 .n_racks = n_racks,
					 .rack = g->rack,
					 .rate = g->rate};
	free(of);
	return 0;
}
