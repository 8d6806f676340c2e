/* SPDX-License-Identifier: BSD-3-Clause */
/* roles.c - who adds up how much of an all-reduce, and who sends how much to whom */
#include "config.h"

#include "engine/roles.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What each rank has of a slice. */
struct state {
	uint32_t *has;  /* [n_ranks] contributions */
	uint32_t *next; /* [n_ranks] after the round */
	bool *adds;     /* [n_ranks] */
};

void pl_roles_fini(struct pl_roles *r)
{
	free(r->global);
	free(r->local);
	free(r->sent);
	memset(r, 0, sizeof(*r));
}

static void play_round(struct state *s, const struct pl_slice_transfer *t, size_t n, size_t n_ranks)
{
	memcpy(s->next, s->has, n_ranks * sizeof(*s->next));
	for (size_t i = 0; i < n; i++) {
		if (!t[i].adds)
			s->next[t[i].dst] = 0;
		s->next[t[i].dst] += s->has[t[i].src];
		s->adds[t[i].dst] |= t[i].adds;
	}
	memcpy(s->has, s->next, n_ranks * sizeof(*s->has));
}

/* Those who have all are global masters; false: nobody has. */
static bool find_global(struct pl_roles *r, const struct state *s, double part)
{
	bool found = false;

	for (size_t i = 0; i < r->n_ranks; i++)
		if (s->has[i] == r->n_ranks) {
			r->global[i] += part;
			s->adds[i] = false;
			found = true;
		}
	return found;
}

static void add_slice(struct pl_roles *r, struct state *s, const struct pl_slice *slice,
		      double part)
{
	const size_t n = slice->n_transfers;
	bool found = false;
	size_t end;

	for (size_t i = 0; i < r->n_ranks; i++) {
		s->has[i] = 1;
		s->adds[i] = false;
	}
	for (size_t first = 0; first < n && !found; first = end) {
		const struct pl_slice_transfer *t = slice->transfer;

		for (end = first; end < n && t[end].round == t[first].round;)
			end++;
		play_round(s, &t[first], end - first, r->n_ranks);
		found = find_global(r, s, part);
	}
	for (size_t i = 0; i < r->n_ranks; i++)
		r->local[i] += s->adds[i] ? part : 0;
	for (size_t i = 0; i < n; i++)
		r->sent[slice->transfer[i].src * r->n_ranks + slice->transfer[i].dst] += part;
}

static double all_weights(const struct pl_slices *slices)
{
	double all = 0;

	for (size_t i = 0; i < slices->n; i++)
		all += (double)slices->slice[i].weight;
	return all;
}

int pl_roles_init(struct pl_roles *r, const struct pl_slices *slices, size_t n_ranks)
{
	const double all = all_weights(slices);
	struct state s = {
		.has = pl_array_create(n_ranks, sizeof(*s.has)),
		.next = pl_array_create(n_ranks, sizeof(*s.next)),
		.adds = pl_array_create(n_ranks, sizeof(*s.adds)),
	};
	int rc = -1;

	*r = (struct pl_roles){
		.n_ranks = n_ranks,
		.global = pl_array_create(n_ranks, sizeof(*r->global)),
		.local = pl_array_create(n_ranks, sizeof(*r->local)),
		.sent = pl_array_create(n_ranks, n_ranks * sizeof(*r->sent)),
	};
	if (s.has && s.next && s.adds && r->global && r->local && r->sent) {
		for (size_t i = 0; i < slices->n; i++)
			add_slice(r, &s, &slices->slice[i], (double)slices->slice[i].weight / all);
		rc = 0;
	} else {
		pl_roles_fini(r);
	}
	free(s.has);
	free(s.next);
	free(s.adds);
	return rc;
}
