/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-butterfly.c - reduce-scatter: halves, nearest rank first, then
 * unmixed */
/*
 *   0<->1   2<->3      distance 1, half of the input
 *   0<----->2          distance 2, a quarter
 *       1<----->3
 *       1<->2          ranks whose numbers have their bits mirrored have one
 *                      another's block and swap
 *
 * Cost: log2 N exchanges, (N - 1) / N of the input in all, and one block. The
 * order of the distances is the reverse of recursive halving's: the largest
 * messages go to the nearest ranks. Where N is no power of two the ranks are
 * folded (odd ones stay); who has the block of a rank that stays out sends it
 * to it directly. Blocks of no elements are sent as empty messages.
 *
 * MPI_Reduce_scatter_block ("block-butterfly") does the same, but where N is a
 * power of two it mirrors the blocks in its own copy first and need not swap.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

struct run {
	struct pl_fold fold;
	struct pl_blocks blocks;
	bool mirrored; /* the blocks are, before they are sent */
};

/* The first of the blocks of a folded rank. */
static size_t first_block(const struct run *run, size_t folded)
{
	return folded < run->fold.extra ? 2 * folded : folded + run->fold.extra;
}

static uint64_t folded_bytes(const struct run *run, size_t first, size_t n)
{
	const size_t from = first_block(run, first);
	const size_t to = first_block(run, first + n);

	return pl_block_range_bytes(&run->blocks, from, to - from);
}

/* As many low bits as number the folded ranks, in reverse. */
static size_t mirror(const struct run *run, size_t folded)
{
	size_t mirrored = 0;

	for (size_t bit = 1; bit < run->fold.n; bit *= 2) {
		mirrored = mirrored * 2 + (folded & 1);
		folded /= 2;
	}
	return mirrored;
}

/* Gives the round after the last. */
static uint32_t halve(struct pl_script *s, const struct run *run, size_t folded, uint32_t round)
{
	size_t width = run->fold.n, first = 0; /* what it still works on */

	for (size_t mask = 1; mask < run->fold.n; mask *= 2) {
		const size_t peer = pl_fold_unfold(&run->fold, folded ^ mask);
		size_t keep = first, give = first;
		uint64_t bytes;

		width /= 2;
		*(folded & mask ? &keep : &give) += width;
		bytes = folded_bytes(run, keep, width);
		pl_script_round(s, round++);
		pl_script_sendrecv(
			s, (struct pl_exchange){peer, peer, folded_bytes(run, give, width), bytes});
		pl_script_reduce(s, bytes);
		first = keep;
	}
	return round;
}

/* Every block to the rank it is for: rank @rank has those of its mirror. */
static void unmix(struct pl_script *s, const struct run *run, size_t rank, uint32_t round)
{
	const size_t folded = pl_fold_folded(&run->fold, rank);
	const size_t other = mirror(run, folded);
	const size_t peer = pl_fold_unfold(&run->fold, other);
	const uint64_t mine = pl_block_bytes(&run->blocks, rank);

	pl_script_round(s, round);
	if (other < run->fold.extra)
		pl_script_send(s, peer - 1, pl_block_bytes(&run->blocks, peer - 1));
	pl_script_round(s, round + (run->fold.extra > 0));
	if (other != folded)
		pl_script_sendrecv(
			s,
			(struct pl_exchange){peer, peer, pl_block_bytes(&run->blocks, peer), mine});
	else
		pl_script_copy(s, mine);
}

static void run_rank(struct pl_script *s, const struct run *run, size_t rank)
{
	const bool paired = rank < 2 * run->fold.extra;
	const size_t folded = pl_fold_folded(&run->fold, rank);
	const uint64_t bytes = run->blocks.bytes;
	uint32_t round = run->fold.extra > 0;

	pl_script_rank(s, rank);
	pl_script_copy(s, bytes);
	if (folded == SIZE_MAX) {
		const size_t other = mirror(run, rank / 2);

		pl_script_send(s, rank + 1, bytes);
		pl_script_recv(s, pl_fold_unfold(&run->fold, other),
			       pl_block_bytes(&run->blocks, rank));
		return;
	}
	if (paired) {
		pl_script_recv(s, rank - 1, bytes);
		pl_script_reduce(s, bytes);
	}
	round = halve(s, run, folded, round);
	if (run->mirrored)
		pl_script_copy(s, pl_block_bytes(&run->blocks, rank));
	else
		unmix(s, run, rank, round);
}

static int run_ranks(struct pl_script *s, const struct pl_call *call, bool mirrors)
{
	struct run run = {
		.fold = pl_fold(call->n_pos, 1),
		.blocks = {call->bytes, call->element_bytes, call->n_pos},
	};

	run.mirrored = mirrors && run.fold.extra == 0;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &run, rank);
	return 0;
}

int pl_openmpi_reduce_scatter_butterfly(struct pl_script *s, const struct pl_call *call,
					struct pl_err *err)
{
	return pl_openmpi_check_count(call, err) ? -1 : run_ranks(s, call, false);
}

int pl_openmpi_reduce_scatter_block_butterfly(struct pl_script *s, const struct pl_call *call,
					      struct pl_err *err)
{
	return pl_openmpi_check_blocks(call, err) ? -1 : run_ranks(s, call, true);
}
