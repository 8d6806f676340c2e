/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.c - what each node should have sent to each other one, and what it
 * did */
#include "config.h"

#include "audit/pairs.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_AT_FIRST 64

static size_t hash(uint32_t src, uint32_t dst)
{
	const uint64_t h = ((uint64_t)src << 32 | dst) * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 29 ^ h);
}

/* Where the pair is, or would be put. */
static uint32_t *find_slot(const struct pl_audit_pairs *pairs, uint32_t src, uint32_t dst)
{
	size_t at = hash(src, dst) & (pairs->n_slots - 1);

	for (; pairs->slot[at]; at = (at + 1) & (pairs->n_slots - 1)) {
		const struct pl_audit_pair *p = &pairs->v[pairs->slot[at] - 1];

		if (p->src == src && p->dst == dst)
			break;
	}
	return &pairs->slot[at];
}

/* Makes the table anew, with that many slots. */
static int fill_slots(struct pl_audit_pairs *pairs, size_t n_slots)
{
	uint32_t *slot = pl_array_create(n_slots, sizeof(*slot));

	if (!slot)
		return -1;
	free(pairs->slot);
	pairs->slot = slot;
	pairs->n_slots = n_slots;
	for (size_t i = 0; i < pairs->n; i++)
		*find_slot(pairs, pairs->v[i].src, pairs->v[i].dst) = (uint32_t)i + 1;
	return 0;
}

struct pl_audit_pair *pl_pairs_find(const struct pl_audit_pairs *pairs, uint32_t src, uint32_t dst)
{
	const uint32_t *slot = pairs->n ? find_slot(pairs, src, dst) : NULL;

	return slot && *slot ? &pairs->v[*slot - 1] : NULL;
}

struct pl_audit_pair *pl_pairs_get(struct pl_audit_pairs *pairs, uint32_t src, uint32_t dst)
{
	struct pl_audit_pair *found = pl_pairs_find(pairs, src, dst);

	if (found)
		return found;
	if (pairs->n + 1 > pairs->n_slots / 2 &&
	    fill_slots(pairs, pairs->n_slots ? pairs->n_slots * 2 : SLOTS_AT_FIRST))
		return NULL;
	if (pairs->n >= UINT32_MAX - 1 ||
	    pl_array_grow((void **)&pairs->v, &pairs->room, pairs->n, sizeof(*pairs->v)))
		return NULL;
	found = &pairs->v[pairs->n++];
	*found = (struct pl_audit_pair){.src = src, .dst = dst};
	*find_slot(pairs, src, dst) = (uint32_t)pairs->n;
	return found;
}

static int by_src(const void *a, const void *b)
{
	const struct pl_audit_pair *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

int pl_pairs_sort(struct pl_audit_pairs *pairs, struct pl_err *err)
{
	if (!pairs->n)
		return 0;
	qsort(pairs->v, pairs->n, sizeof(*pairs->v), by_src);
	return fill_slots(pairs, pairs->n_slots) ? pl_err_nomem(err) : 0;
}

/* *sum += times * bytes, or as much as there is room for. */
static void add(uint64_t *sum, uint64_t times, uint64_t bytes)
{
	uint64_t product;

	if (__builtin_mul_overflow(times, bytes, &product))
		product = UINT64_MAX;
	pl_pair_add(sum, product);
}

static int expect_one(struct pl_audit_pairs *pairs, const struct pl_message *m,
		      const struct pl_expectation *x)
{
	const uint32_t src = x->job->node_of[m->src];
	const uint32_t dst = x->job->node_of[m->dst];
	struct pl_overhead extra = {0, 0};
	struct pl_audit_pair *pair;

	if (src == dst)
		return 0;
	if (x->wire)
		extra = x->wire->overhead(m, x->eager_bytes);
	if (!(pair = pl_pairs_get(pairs, src, dst)))
		return -1;
	add(&pair->messages, x->repeat, 1);
	add(&pair->payload_bytes, x->repeat, m->bytes);
	add(&pair->header_bytes, x->repeat, extra.forward);
	if (!extra.back)
		return 0;
	if (!(pair = pl_pairs_get(pairs, dst, src)))
		return -1;
	add(&pair->control_bytes, x->repeat, extra.back);
	return 0;
}

int pl_pairs_expect(struct pl_audit_pairs *pairs, const struct pl_pattern *p,
		    const struct pl_expectation *x, struct pl_err *err)
{
	assert(p->n_pos == x->job->n_ranks);
	for (size_t i = 0; i < p->n_messages; i++)
		if (expect_one(pairs, &p->message[i], x))
			return pl_err_nomem(err);
	return 0;
}

uint64_t pl_pair_expected(const struct pl_audit_pair *pair)
{
	uint64_t sum = pair->payload_bytes;

	pl_pair_add(&sum, pair->header_bytes);
	pl_pair_add(&sum, pair->control_bytes);
	pl_pair_add(&sum, pair->begin_bytes);
	return sum;
}

void pl_pairs_fini(struct pl_audit_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		free(pairs->v[i].left.point);
		free(pairs->v[i].arrived.point);
	}
	free(pairs->v);
	free(pairs->slot);
	memset(pairs, 0, sizeof(*pairs));
}
