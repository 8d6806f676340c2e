/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-recursive-halving.c - reduce-scatter: halves at N/2, ..., 2,
 * 1 */
/*
 *   0 <-----> 2       half of the buffer: the blocks of 0, 1 for those of 2, 3
 *       1 <-----> 3
 *   0 <-> 1   2 <-> 3   one block each
 *
 * Cost: log2 N rounds, (N - 1) / N of the buffer. Where N is no power of two,
 * of the first ranks the even ones give the odd ones their whole buffers first
 * and get their blocks in the end. Empty parts are not sent.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

/* Bytes of the blocks of all ranks that the folded ones from @first on stand
 * for. */
static uint64_t range(const struct pl_blocks *b, const struct pl_fold *f, size_t first, size_t n)
{
	const size_t from = first + (first < f->extra ? first : f->extra);
	const size_t end = first + n;
	const size_t to = end + (end < f->extra ? end : f->extra);

	return pl_block_range_bytes(b, from, to - from);
}

static void exchange(const struct pl_mpich_rank *r, size_t peer, uint64_t out, uint64_t in)
{
	if (out && in)
		pl_mpich_sendrecv(r, (struct pl_exchange){peer, peer, out, in});
	else if (in)
		pl_mpich_recv(r, peer, in);
	else if (out)
		pl_mpich_send(r, peer, out);
	pl_script_reduce(r->s, in);
}

/* Gives the round after the last. */
static uint32_t halve(const struct pl_mpich_rank *r, const struct pl_blocks *b,
		      const struct pl_fold *f, uint32_t round)
{
	const size_t me = pl_fold_folded(f, r->rank);

	for (size_t mask = f->n / 2; mask > 0; mask /= 2) {
		const size_t mine = me / mask * mask;

		pl_script_round(r->s, round++);
		exchange(r, pl_fold_unfold(f, me ^ mask), range(b, f, mine ^ mask, mask),
			 range(b, f, mine, mask));
	}
	return round;
}

static void part(const struct pl_mpich_rank *r)
{
	const struct pl_blocks b = {r->bytes, r->element_bytes, r->n};
	const struct pl_fold fold = pl_fold(r->n, 1);
	const bool paired = r->rank < 2 * fold.extra;
	const bool stays_out = paired && r->rank % 2 == 0;
	uint64_t others;
	uint32_t round;

	pl_script_copy(r->s, r->bytes);
	if (stays_out) {
		pl_mpich_send(r, r->rank + 1, r->bytes);
		if (pl_block_bytes(&b, r->rank))
			pl_mpich_recv(r, r->rank + 1, pl_block_bytes(&b, r->rank));
		return;
	}
	if (paired) {
		pl_mpich_recv(r, r->rank - 1, r->bytes);
		pl_script_reduce(r->s, r->bytes);
	}
	round = halve(r, &b, &fold, fold.extra > 0);
	pl_script_copy(r->s, pl_block_bytes(&b, r->rank));
	if (!paired)
		return;
	others = pl_block_bytes(&b, r->rank - 1);
	pl_script_round(r->s, round);
	if (others)
		pl_mpich_send(r, r->rank - 1, others);
}

int pl_mpich_reduce_scatter_recursive_halving(struct pl_script *s, const struct pl_call *call,
					      struct pl_err *err)
{
	return pl_mpich_reduce_scatter(s, call, part, err);
}

int pl_mpich_reduce_scatter_block_recursive_halving(struct pl_script *s, const struct pl_call *call,
						    struct pl_err *err)
{
	return pl_mpich_reduce_scatter_block(s, call, part, err);
}
