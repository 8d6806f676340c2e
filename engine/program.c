/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - what one rank does with each slice of the buffer */
#include "config.h"

#include "engine/program.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void pl_program_fini(struct pl_program *p)
{
	free(p->before);
	free(p->act);
	free(p->first);
	free(p->target);
	free(p->stores);
	free(p->owns);
	memset(p, 0, sizeof(*p));
}

static size_t count_acts(const struct pl_slices *slices, uint32_t rank)
{
	size_t n = 0;

	for (size_t i = 0; i < slices->n; i++)
		for (size_t k = 0; k < slices->slice[i].n_transfers; k++)
			n += slices->slice[i].transfer[k].src == rank ||
			     slices->slice[i].transfer[k].dst == rank;
	return n;
}

/* The rank's acts among transfers first .. end - 1, which are a round. */
static size_t add_round(struct pl_program *p, size_t n, const struct pl_slice *slice, size_t first,
			size_t end)
{
	for (size_t k = first; k < end; k++) {
		const struct pl_slice_transfer *t = &slice->transfer[k];

		if (t->src == p->rank)
			p->act[n++] = (struct pl_program_act){PL_SEND_TO, t->round, t->dst};
	}
	for (size_t k = first; k < end; k++) {
		const struct pl_slice_transfer *t = &slice->transfer[k];

		if (t->dst == p->rank)
			p->act[n++] = (struct pl_program_act){
				t->adds ? PL_ADD_FROM : PL_REPLACE_FROM, t->round, t->src};
	}
	return n;
}

static size_t add_slice(struct pl_program *p, size_t n, const struct pl_slice *slice)
{
	size_t end;

	for (size_t first = 0; first < slice->n_transfers; first = end) {
		end = first;
		while (end < slice->n_transfers &&
		       slice->transfer[end].round == slice->transfer[first].round)
			end++;
		n = add_round(p, n, slice, first, end);
	}
	return n;
}

static int weigh(struct pl_program *p, const struct pl_slices *slices, struct pl_err *err)
{
	for (size_t i = 0; i < slices->n; i++) {
		p->before[i + 1] = p->before[i] + slices->slice[i].weight;
		if (p->before[i + 1] > INT64_MAX || p->before[i + 1] < p->before[i])
			return pl_err_set(err, PL_EINPUT, "the slices weigh more than 2^63");
	}
	if (p->before[slices->n] == 0)
		return pl_err_set(err, PL_EINPUT, "no slice has a weight");
	return 0;
}

int pl_program_init(struct pl_program *p, const struct pl_slices *slices, uint32_t rank,
		    struct pl_err *err)
{
	int rc = 0;

	*p = (struct pl_program){.rank = rank, .n_slices = slices->n};
	p->before = pl_array_create(slices->n + 1, sizeof(*p->before));
	p->first = pl_array_create(slices->n + 1, sizeof(*p->first));
	p->target = pl_array_create(slices->n, sizeof(*p->target));
	p->act = pl_array_create(count_acts(slices, rank), sizeof(*p->act));
	if (!p->before || !p->first || !p->target || !p->act)
		rc = pl_err_nomem(err);
	else
		rc = weigh(p, slices, err);
	for (size_t i = 0; rc == 0 && i < slices->n; i++) {
		p->first[i + 1] = add_slice(p, p->first[i], &slices->slice[i]);
		if (slices->slice[i].n_transfers > 0)
			p->target[i] = slices->slice[i].transfer[0].dst;
	}
	if (rc)
		pl_program_fini(p);
	return rc;
}

/* Has the rank been sent a result in transfers first .. end - 1? */
static bool is_stored(const struct pl_slice *s, size_t first, size_t end, uint32_t rank)
{
	for (size_t i = first; i < end; i++)
		if (s->transfer[i].dst == rank)
			return true;
	return false;
}

/* The first transfer of the slice that stores, if none adds in its round or later, and if who sends
 * it is the only one that has the sum; NULL. */
static const struct pl_slice_transfer *find_store(const struct pl_slice *s)
{
	size_t first = 0;

	while (first < s->n_transfers && s->transfer[first].adds)
		first++;
	if (first == s->n_transfers ||
	    (first > 0 && s->transfer[first - 1].round == s->transfer[first].round))
		return NULL;
	for (size_t i = first; i < s->n_transfers; i++)
		if (s->transfer[i].adds || (s->transfer[i].src != s->transfer[first].src &&
					    !is_stored(s, first, i, s->transfer[i].src)))
			return NULL;
	return &s->transfer[first];
}

static int halve(const struct pl_program *p, const struct pl_slices *slices, size_t *stores,
		 bool *owns, struct pl_err *err)
{
	for (size_t i = 0; i < slices->n; i++) {
		const struct pl_slice_transfer *t = find_store(&slices->slice[i]);

		if (!t)
			return pl_err_set(
				err, PL_EUSAGE,
				"slice %zu has no host that adds up all before any result is sent",
				i + 1);
		for (stores[i] = p->first[i];
		     stores[i] < p->first[i + 1] && p->act[stores[i]].round < t->round; stores[i]++)
			;
		owns[i] = t->src == p->rank;
	}
	return 0;
}

int pl_program_halve(struct pl_program *p, const struct pl_slices *slices, struct pl_err *err)
{
	size_t *stores;
	bool *owns;
	int rc;

	if (p->stores)
		return 0;
	stores = pl_array_create(slices->n, sizeof(*stores));
	owns = pl_array_create(slices->n, sizeof(*owns));
	rc = stores && owns ? halve(p, slices, stores, owns, err) : pl_err_nomem(err);
	if (rc) {
		free(stores);
		free(owns);
		return -1;
	}
	p->stores = stores;
	p->owns = owns;
	return 0;
}

bool pl_program_owns(const struct pl_program *p)
{
	bool any = false;

	for (size_t i = 0; i < p->n_slices; i++)
		any |= p->owns[i];
	return any;
}

/* The rank's acts of the slice with the peer alone go behind those before. */
static void add_acts_of_peer(struct pl_program *of, const struct pl_program *p, size_t slice,
			     uint32_t peer)
{
	size_t n = of->first[slice];

	of->stores[slice] = n;
	for (size_t k = p->first[slice]; k < p->first[slice + 1]; k++) {
		if (p->act[k].peer != peer)
			continue;
		of->act[n++] = p->act[k];
		if (k < p->stores[slice])
			of->stores[slice] = n;
	}
	of->first[slice + 1] = n;
}

int pl_program_of_peer(struct pl_program *of, const struct pl_program *p, uint32_t peer,
		       struct pl_err *err)
{
	const size_t n = p->n_slices;

	*of = (struct pl_program){.rank = p->rank, .begins_empty = p->begins_empty, .n_slices = n};
	of->before = pl_array_create(n + 1, sizeof(*of->before));
	of->target = pl_array_create(n, sizeof(*of->target));
	of->act = pl_array_create(p->first[n], sizeof(*of->act));
	of->first = pl_array_create(n + 1, sizeof(*of->first));
	of->stores = pl_array_create(n, sizeof(*of->stores));
	of->owns = pl_array_create(n, sizeof(*of->owns));
	if (!of->before || !of->target || !of->act || !of->first || !of->stores || !of->owns) {
		pl_program_fini(of);
		return pl_err_nomem(err);
	}
	memcpy(of->before, p->before, (n + 1) * sizeof(*of->before));
	memcpy(of->target, p->target, n * sizeof(*of->target));
	memcpy(of->owns, p->owns, n * sizeof(*of->owns));
	for (size_t i = 0; i < n; i++)
		add_acts_of_peer(of, p, i, peer);
	return 0;
}
