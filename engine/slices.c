/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - the slices of an all-reduce */
#include "config.h"

#include "engine/slices.h"

#include "base/fnv.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_slices_fini(struct pl_slices *slices)
{
	for (size_t i = 0; i < slices->n; i++)
		pl_slice_fini(&slices->slice[i]);
	free(slices->slice);
	free(slices->owner);
	free(slices->hash);
	memset(slices, 0, sizeof(*slices));
}

bool pl_slice_same_way(const struct pl_slice *a, const struct pl_slice *b)
{
	if (a->n_transfers != b->n_transfers)
		return false;
	for (size_t i = 0; i < a->n_transfers; i++) {
		const struct pl_slice_transfer *x = &a->transfer[i];
		const struct pl_slice_transfer *y = &b->transfer[i];

		if (x->round != y->round || x->src != y->src || x->dst != y->dst ||
		    x->adds != y->adds)
			return false;
	}
	return true;
}

/* FNV-1a by words instead of bytes. */
static uint64_t hash_of(const struct pl_slice *slice)
{
	uint64_t hash = PL_FNV_FIRST;

	for (size_t i = 0; i < slice->n_transfers; i++) {
		const struct pl_slice_transfer *t = &slice->transfer[i];

		hash = (hash ^ ((uint64_t)t->src << 32 | t->dst)) * PL_FNV_PRIME;
		hash = (hash ^ ((uint64_t)t->round << 1 | t->adds)) * PL_FNV_PRIME;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Room for one more. 0, or -1: out of memory. */
static int make_room(struct pl_slices *slices)
{
	void *array = slices->slice, *owners = slices->owner;
	void *hashes = slices->hash;
	size_t owner_room = slices->room, hash_room = slices->room;

	if (pl_array_grow(&owners, &owner_room, slices->n, sizeof(*slices->owner)))
		return -1;
	slices->owner = owners;
	if (pl_array_grow(&hashes, &hash_room, slices->n, sizeof(*slices->hash)))
		return -1;
	slices->hash = hashes;
	if (pl_array_grow(&array, &slices->room, slices->n, sizeof(*slices->slice)))
		return -1;
	slices->slice = array;
	return 0;
}

int pl_slices_add_take(struct pl_slices *slices, struct pl_slice *slice, uint32_t owner)
{
	const uint64_t hash = hash_of(slice);

	for (size_t i = 0; i < slices->n; i++)
		if (slices->hash[i] == hash && slices->owner[i] == owner &&
		    pl_slice_same_way(&slices->slice[i], slice)) {
			slices->slice[i].weight += slice->weight;
			pl_slice_fini(slice);
			return 0;
		}
	if (make_room(slices))
		return -1;
	slices->owner[slices->n] = owner;
	slices->hash[slices->n] = hash;
	slices->slice[slices->n++] = *slice;
	return 0;
}
