/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-recursive-halving.c - reduce-scatter: the half the other side
 * keeps */
/*
 *   0   1   2   3   4      0 gives 1 its data and gets its block from it
 *   '-->1   2   3   4
 *       1<----->3          round 1: distance 2 among the folded ranks
 *           2<----->4
 *       1<->2   3<->4      round 2: distance 1
 *   0<--1
 *
 * Cost: log2 N exchanges, (N - 1) / N of the input in all; where N is no power
 * of two, the whole input and a block more. The odd one of a folded pair keeps
 * both blocks. What has no bytes is not sent.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

struct run {
	struct pl_fold fold;
	struct pl_blocks blocks;
};

/* Bytes of the blocks of the folded ranks @first .. @end - 1. */
static uint64_t folded_bytes(const struct run *run, size_t first, size_t end)
{
	const size_t extra = run->fold.extra;
	const size_t from = first < extra ? 2 * first : first + extra;
	const size_t to = end < extra ? 2 * end : end + extra;

	return pl_block_range_bytes(&run->blocks, from, to - from);
}

/* A message with no bytes is none. */
static void exchange(struct pl_script *s, struct pl_exchange x)
{
	struct pl_request in = {0};

	if (x.recv_bytes > 0)
		in = pl_script_irecv(s, x.src, x.recv_bytes);
	if (x.send_bytes > 0)
		pl_script_send(s, x.dst, x.send_bytes);
	if (x.recv_bytes > 0) {
		pl_script_wait(s, in);
		pl_script_reduce(s, x.recv_bytes);
	}
}

/* Gives the round after the last. */
static uint32_t halve(struct pl_script *s, const struct run *run, size_t rank, uint32_t round)
{
	const size_t folded = pl_fold_folded(&run->fold, rank);
	size_t first = 0, end = run->fold.n; /* what it still works on */

	for (size_t mask = run->fold.n / 2; mask > 0; mask /= 2) {
		const size_t peer = pl_fold_unfold(&run->fold, folded ^ mask);
		const size_t middle = first + mask;
		const uint64_t low = folded_bytes(run, first, middle);
		const uint64_t high = folded_bytes(run, middle, end);
		const bool keeps_low = !(folded & mask);

		pl_script_round(s, round++);
		exchange(s, (struct pl_exchange){peer, peer, keeps_low ? high : low,
						 keeps_low ? low : high});
		if (keeps_low)
			end = middle;
		else
			first = middle;
	}
	return round;
}

static void run_rank(struct pl_script *s, const struct run *run, size_t rank)
{
	const bool paired = rank < 2 * run->fold.extra, odd = rank % 2;
	const uint64_t bytes = run->blocks.bytes;
	const size_t even_rank = rank - odd;
	const uint64_t even_block = pl_block_bytes(&run->blocks, even_rank);
	uint32_t round = run->fold.extra > 0;

	pl_script_rank(s, rank);
	pl_script_copy(s, bytes);
	if (paired && !odd) {
		pl_script_send(s, rank + 1, bytes);
	} else {
		if (paired) {
			pl_script_recv(s, rank - 1, bytes);
			pl_script_reduce(s, bytes);
		}
		round = halve(s, run, rank, round);
		pl_script_copy(s, pl_block_bytes(&run->blocks, rank));
	}
	if (!paired || even_block == 0)
		return;
	pl_script_round(s, round);
	if (odd)
		pl_script_send(s, rank - 1, even_block);
	else
		pl_script_recv(s, rank + 1, even_block);
}

int pl_openmpi_reduce_scatter_recursive_halving(struct pl_script *s, const struct pl_call *call,
						struct pl_err *err)
{
	const struct run run = {
		.fold = pl_fold(call->n_pos, 1),
		.blocks = {call->bytes, call->element_bytes, call->n_pos},
	};

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &run, rank);
	return 0;
}
