/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-pat-plan.c - the messages of PAT, the same for every rank */
#include "config.h"

#include "costmodels/nccl/nccl-pat-plan.h"

#include "base/mem.h"
#include "costmodels/nccl/nccl-link.h"

#include <stdlib.h>
#include <string.h>

struct planner {
	const struct pl_pat_call *call;
	struct pl_pat_plan *plan;
	size_t n_dims;
	size_t n_trunk;  /* multiples of the distance that is the trunk's */
	size_t distance; /* n_trunk * distance = 2^n_dims >= n */
	size_t at_once;  /* blocks in a message */
};

static uint32_t lowest_bit(size_t s)
{
	uint32_t k = 0;

	while (!(s >> k & 1))
		k++;
	return k;
}

static void split(struct planner *p)
{
	const struct pl_pat_call *c = p->call;
	size_t depth = PL_NCCL_STEPS;

	while ((size_t)1 << p->n_dims < c->n)
		p->n_dims++;
	p->n_trunk = 1;
	while (c->chunk_bytes / p->n_trunk / c->block_bytes >= 2 && p->n_trunk < c->n / 2)
		p->n_trunk *= 2;
	p->at_once = p->n_trunk;
	for (; depth > 1 && p->n_trunk < c->n / 2; depth /= 2)
		p->n_trunk *= 2;
	p->distance = ((size_t)1 << p->n_dims) / p->n_trunk;
}

/* The bits of i < count, a power of two, in the other order and each the
 * other. */
static size_t mirrored(size_t i, size_t count)
{
	size_t result = 0;

	for (size_t bit = 1, image = count / 2; bit < count; bit *= 2, image /= 2)
		if (!(i & bit))
			result += image;
	return result;
}

/*
 * The blocks offset + i * stride, i < count, in messages of at_once: an
 * all-gather from the nearest on and no longer than needed, a reduce-scatter in
 * mirrored order and with room for all.
 */
static void add(struct planner *p, size_t offset, size_t stride, size_t count)
{
	struct pl_pat_plan *plan = p->plan;
	const size_t group = count < p->at_once ? count : p->at_once;

	for (size_t from = 0; from < count; from += group) {
		struct pl_pat_message m = {.dim = lowest_bit(offset),
					   .first = (uint32_t)plan->n_blocks};

		for (size_t i = from; i < from + group; i++) {
			const bool rs = p->call->reduce_scatter;
			const size_t k = rs ? mirrored(i, count) : i;
			const size_t s = offset + k * stride;

			if (s >= p->call->n)
				continue;
			plan->block[plan->n_blocks++] = (uint32_t)s;
			plan->message_of[s] = (uint32_t)plan->n_messages;
			m.n_blocks++;
		}
		m.room = p->call->reduce_scatter ? (uint32_t)group : m.n_blocks;
		if (m.n_blocks > 0)
			plan->message[plan->n_messages++] = m;
	}
}

/* The trunk's own tree: blocks that are odd multiples of span, span times
 * distance being how far they go. */
static void add_trunk(struct planner *p, size_t span)
{
	add(p, span * p->distance, 2 * span * p->distance, p->n_trunk / (2 * span));
}

/*
 * The offsets between the trunk's blocks, in the order in which an all-gather
 * sends them: bit d is set for 2^d turns and clear for 2^d - 1 and, the k-th
 * time, as many more as k has trailing zeros; none clear means that it stays
 * set. It is first set when as many turns are over as there are bits above it.
 */
struct turns {
	size_t n_bits, value;
	size_t left[64], times[64];
};

static void turns_init(struct turns *t, size_t n_bits)
{
	memset(t, 0, sizeof(*t));
	t->n_bits = n_bits;
	for (size_t d = 0; d < n_bits; d++) {
		t->left[d] = n_bits - d;
		t->times[d] = 1;
	}
}

static size_t next_turn(struct turns *t)
{
	for (size_t d = 0; d < t->n_bits; d++) {
		const size_t bit = (size_t)1 << d;

		if (--t->left[d] > 0)
			continue;
		t->value ^= bit;
		t->left[d] = bit;
		if (t->value & bit)
			continue;
		t->left[d] += lowest_bit(t->times[d]++);
		if (--t->left[d] == 0) {
			t->value ^= bit;
			t->left[d] = bit;
		}
	}
	return t->value;
}

static void plan_all_gather(struct planner *p)
{
	struct turns turns;

	for (size_t span = p->n_trunk / 2; span > 0; span /= 2)
		add_trunk(p, span);
	turns_init(&turns, lowest_bit(p->distance));
	for (size_t i = 1; i < p->distance; i++)
		add(p, next_turn(&turns), p->distance, p->n_trunk);
}

/* From the farthest offset down: what came for an odd one is added to the even
 * one before it, which then goes. */
static void plan_reduce_scatter(struct planner *p)
{
	for (size_t s = p->distance - 1; s < p->distance; s -= 2) {
		add(p, s, p->distance, p->n_trunk);
		if (s > 1)
			add(p, s - 1, p->distance, p->n_trunk);
	}
	for (size_t span = 1; span < p->n_trunk; span *= 2)
		add_trunk(p, span);
}

int pl_pat_plan_init(struct pl_pat_plan *plan, const struct pl_pat_call *call, struct pl_err *err)
{
	struct planner p = {.call = call, .plan = plan};

	memset(plan, 0, sizeof(*plan));
	plan->message = pl_array_create(call->n, sizeof(*plan->message));
	plan->block = pl_array_create(call->n, sizeof(*plan->block));
	plan->message_of = pl_array_create(call->n, sizeof(*plan->message_of));
	if (!plan->message || !plan->block || !plan->message_of) {
		pl_pat_plan_fini(plan);
		return pl_err_nomem(err);
	}
	split(&p);
	if (call->n < 2)
		return 0;
	if (call->reduce_scatter)
		plan_reduce_scatter(&p);
	else
		plan_all_gather(&p);
	return 0;
}

void pl_pat_plan_fini(struct pl_pat_plan *plan)
{
	free(plan->message);
	free(plan->block);
	free(plan->message_of);
	memset(plan, 0, sizeof(*plan));
}
