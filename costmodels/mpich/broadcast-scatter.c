/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-scatter.c - broadcast: blocks scattered, then gathered by all */
/*
 *   root == blocks 2, 3 ==> 2      down a binomial tree, half of what is left
 *   root -- block 1 --> 1, 2 -- block 3 --> 3
 *
 *   and then all ranks gather: by recursive doubling, or once round the ring
 *
 * Ranks are counted from the root. Blocks are rounded up: the last ones may be
 * short or empty. Empty ones are not scattered, but gathered. Rounds: those of
 * the tree, then those of the gathering. Cost: the sum of the rounds.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

/* The blocks from @first on, so many. */
static struct pl_range range(const struct pl_mpich_rank *r, size_t first, size_t size)
{
	const uint64_t block = (r->bytes + r->n - 1) / r->n;
	const uint64_t from = first * block, to = (first + size) * block;

	if (from >= r->bytes)
		return (struct pl_range){r->bytes, 0};
	return (struct pl_range){from, (to < r->bytes ? to : r->bytes) - from};
}

static size_t rank_of(const struct pl_mpich_rank *r, size_t counted)
{
	return (counted + r->root) % r->n;
}

/* Gives the round after the last. */
static uint32_t scatter(const struct pl_mpich_rank *r, size_t me)
{
	struct pl_range part;
	size_t mask = 1;
	uint32_t round = 0;

	while (mask < r->n)
		mask *= 2;
	while ((mask /= 2) > 0) {
		pl_script_round(r->s, round++);
		if (me % mask)
			continue;
		part = range(r, me | mask, mask);
		pl_script_data(r->s, part.at, PL_STORES);
		if (me & mask && part.bytes)
			pl_mpich_recv(r, rank_of(r, me - mask), part.bytes);
		if (!(me & mask) && me + mask < r->n && part.bytes)
			pl_mpich_send(r, rank_of(r, me + mask), part.bytes);
	}
	return round;
}

void pl_mpich_broadcast_recursive_doubling_part(const struct pl_mpich_rank *r)
{
	struct pl_mpich_doubling d = {.data = range};

	if (r->bytes == 0)
		return;
	d.round = scatter(r, (r->rank + r->n - r->root) % r->n);
	pl_mpich_double_up(r, &d);
}

void pl_mpich_broadcast_ring_part(const struct pl_mpich_rank *r)
{
	const size_t me = (r->rank + r->n - r->root) % r->n;
	uint32_t round;

	if (r->bytes == 0)
		return;
	round = scatter(r, me);
	for (size_t i = 0; i + 1 < r->n; i++) {
		const size_t out = (me + r->n - i) % r->n;
		const size_t in = (out + r->n - 1) % r->n;

		pl_script_round(r->s, round++);
		pl_mpich_exchange(r, (struct pl_mpich_exchange){
					     (r->rank + 1) % r->n, (r->rank + r->n - 1) % r->n,
					     range(r, out, 1), range(r, in, 1), PL_STORES});
	}
}

int pl_mpich_broadcast_scatter_recursive_doubling_allgather(struct pl_script *s,
							    const struct pl_call *call,
							    struct pl_err *err)
{
	if (pl_mpich_check_bytes(call, err))
		return -1;
	return pl_mpich_broadcast(s, call, pl_mpich_broadcast_recursive_doubling_part, err);
}

int pl_mpich_broadcast_scatter_ring_allgather(struct pl_script *s, const struct pl_call *call,
					      struct pl_err *err)
{
	if (pl_mpich_check_bytes(call, err))
		return -1;
	return pl_mpich_broadcast(s, call, pl_mpich_broadcast_ring_part, err);
}
