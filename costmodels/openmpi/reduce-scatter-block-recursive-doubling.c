/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-block-recursive-doubling.c - equal blocks: all but what is
 * done */
/*
 *   0<->1   2<->3   4      distance 1: all blocks but those of the own pair
 *   0<----->2       4      distance 2: all but those of the own four
 *   0<------------->4      distance 4, and 0 passes on to 2, both to 1 and 3,
 *   0->2  0->1  2->3       what ranks without a partner cannot get
 *
 * Of MPI_Reduce_scatter_block. Cost: log2 N exchanges, rounded up, of nearly
 * the whole input at first: N - 1 blocks, N - 2, N - 4, ...; in the last ones,
 * where N is no power of two, ranks without a partner wait for the others to
 * pass on.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

struct run {
	size_t n;
	uint64_t block;
};

/* All blocks but those of the @mask ranks from @root on. */
static uint64_t rest(const struct run *run, size_t root, size_t mask)
{
	const size_t end = root + mask;

	return (root + (end < run->n ? run->n - end : 0)) * run->block;
}

/*
 * Of the ranks from @root on, the first @served have got @bytes from their
 * partners; the others get them by halving. True if this rank is one of those
 * that do.
 */
static bool pass_on(struct pl_script *s, size_t rank, size_t mask, size_t served, uint64_t bytes,
		    uint32_t round)
{
	bool received = false;

	for (size_t bit = mask / 2; bit > 0; bit /= 2) {
		const size_t peer = rank ^ bit;
		const size_t root = rank - rank % (2 * bit);
		const bool has = rank < root + served;

		pl_script_round(s, round++);
		if (has == (peer < root + served))
			continue;
		if (has) {
			pl_script_send(s, peer, bytes);
		} else {
			pl_script_recv(s, peer, bytes);
			received = true;
		}
	}
	return received;
}

static void run_rank(struct pl_script *s, const struct run *run, size_t rank)
{
	const size_t n = run->n;
	const bool passes_on = n & (n - 1);
	uint32_t round = 0, level = 0; /* level: rounds of passing on */

	pl_script_rank(s, rank);
	pl_script_copy(s, n * run->block);
	for (size_t mask = 1; mask < n; mask *= 2, level += passes_on) {
		const size_t peer = rank ^ mask;
		const size_t root = rank - rank % mask;
		const size_t peer_root = peer - peer % mask;
		const uint64_t in = rest(run, peer_root, mask);
		bool received = peer < n;

		pl_script_round(s, round);
		if (peer < n)
			pl_script_sendrecv(
				s, (struct pl_exchange){peer, peer, rest(run, root, mask), in});
		if (peer_root < n && peer_root + mask > n)
			received |= pass_on(s, rank, mask, n - peer_root, in, round + 1);
		if (received)
			pl_script_reduce(s, in);
		round += 1 + level;
	}
	pl_script_copy(s, run->block);
}

int pl_openmpi_reduce_scatter_block_recursive_doubling(struct pl_script *s,
						       const struct pl_call *call,
						       struct pl_err *err)
{
	const struct run run = {call->n_pos, call->bytes / call->n_pos};

	if (pl_openmpi_check_blocks(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &run, rank);
	return 0;
}
