/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-halving-doubling.c - all-reduce by exchanges at distances 1, 2, 4,
 * ... */
/*
 *   round 0    0-1  2-3  4-5  6-7      S/2: the half the partner will own
 *   round 1    0-2  1-3  4-6  5-7      S/4
 *   round 2    0-4  1-5  2-6  3-7      S/8; then back: S/8, S/4, S/2
 *
 * Cost (thesis, section 5.2.1): the sum over the rounds i of the dearest
 * c(j, j + 2^i)(S / 2^(i+1)). The print lets j run from 0 to N/2 - 1; taken at
 * its word that pairs 1 with both 0 and 2 in round 0 and leaves 7 out. Read
 * here: the N/2 pairs (j, j XOR 2^i) that talk in that round. Each counts once,
 * as in the print, though the gathering takes all rounds a second time.
 *
 * The thesis assumes N a power of two. Otherwise, P being the largest one below
 * N, rank P + k hands its buffer to rank k before the first round and gets the
 * result after the last; in the objective that is one more round.
 */
#include "config.h"

#include "costmodels/blocks.h"
#include "costmodels/thesis/algorithms.h"

#include <stdbool.h>

struct plan {
	struct pl_blocks blocks; /* as many as ranks that take part */
	size_t surplus;          /* ranks beyond the power of two */
	uint32_t n_rounds;       /* of halving */
};

static struct plan plan_of(const struct pl_call *call)
{
	struct plan p = {.n_rounds = 0};
	size_t n = 1;

	while (n <= call->n_pos / 2) {
		n *= 2;
		p.n_rounds++;
	}
	p.blocks = (struct pl_blocks){call->bytes, call->element_bytes, n};
	p.surplus = call->n_pos - n;
	return p;
}

/* The first of the blocks that the rank still has after round @i. */
static size_t first_block(const struct plan *p, size_t rank, uint32_t i)
{
	size_t first = 0;

	for (uint32_t k = 0; k <= i; k++)
		if (rank >> k & 1)
			first += p->blocks.n >> (k + 1);
	return first;
}

/* Of the blocks that rank and partner have in common before round @i, each ends
 * with one half. Or, @gathers, the reverse. */
static void exchange(struct pl_script *s, const struct plan *p, size_t rank, uint32_t i,
		     bool gathers)
{
	const size_t half = p->blocks.n >> (i + 1);
	const size_t partner = rank ^ (size_t)1 << i;
	const size_t in = first_block(p, gathers ? partner : rank, i);
	const size_t out = first_block(p, gathers ? rank : partner, i);
	const uint64_t in_bytes = pl_block_range_bytes(&p->blocks, in, half);

	pl_script_data(s, pl_block_at(&p->blocks, in), gathers ? PL_STORES : PL_ADDS);
	pl_script_send_at(s, pl_block_at(&p->blocks, out));
	pl_script_sendrecv(
		s, (struct pl_exchange){.dst = partner,
					.src = partner,
					.send_bytes = pl_block_range_bytes(&p->blocks, out, half),
					.recv_bytes = in_bytes});
	if (!gathers)
		pl_script_reduce(s, in_bytes);
}

static void run_rank(struct pl_script *s, const struct plan *p, size_t rank)
{
	const uint64_t bytes = p->blocks.bytes;
	const size_t n = p->blocks.n;
	const uint32_t rounds = p->n_rounds, before = p->surplus > 0;

	pl_script_rank(s, rank);
	pl_script_data(s, 0, PL_ADDS);
	if (rank < p->surplus) {
		pl_script_recv(s, n + rank, bytes);
		pl_script_reduce(s, bytes);
	}
	for (uint32_t i = 0; i < rounds; i++) {
		pl_script_round(s, before + i);
		exchange(s, p, rank, i, false);
	}
	for (uint32_t i = rounds; i-- > 0;) {
		pl_script_round(s, before + 2 * rounds - 1 - i);
		exchange(s, p, rank, i, true);
	}
	pl_script_round(s, before + 2 * rounds);
	pl_script_data(s, 0, PL_STORES);
	if (rank < p->surplus)
		pl_script_send(s, n + rank, bytes);
}

int pl_thesis_halving_doubling(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct plan p = plan_of(call);

	(void)err;
	for (size_t rank = 0; rank < p.blocks.n; rank++)
		run_rank(s, &p, rank);
	for (size_t k = 0; k < p.surplus; k++) {
		pl_script_rank(s, p.blocks.n + k);
		pl_script_data(s, 0, PL_STORES);
		pl_script_send(s, k, call->bytes);
		pl_script_recv(s, k, call->bytes);
	}
	return 0;
}

static int add_hop(struct pl_shape *shape, size_t src, size_t dst, uint32_t round, double bytes,
		   struct pl_err *err)
{
	return pl_shape_add(shape,
			    (struct pl_hop){.src = (uint32_t)src,
					    .dst = (uint32_t)dst,
					    .group = round,
					    .times = 1,
					    .bytes = bytes},
			    err);
}

int pl_thesis_halving_doubling_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	const struct plan p = plan_of(call);
	double bytes = (double)call->bytes;

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	for (size_t k = 0; k < p.surplus; k++)
		if (add_hop(shape, p.blocks.n + k, k, p.n_rounds, bytes, err))
			return -1;
	for (uint32_t i = 0; i < p.n_rounds; i++) {
		bytes /= 2;
		for (size_t rank = 0; rank < p.blocks.n; rank++)
			if (!(rank >> i & 1) &&
			    add_hop(shape, rank, rank + ((size_t)1 << i), i, bytes, err))
				return -1;
	}
	return 0;
}
