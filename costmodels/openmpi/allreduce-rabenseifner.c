/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-rabenseifner.c - all-reduce: halves reduced and gathered again */
/*
 *   0 <-> 1   2 <-> 3     distance 1: each gives the half the other keeps
 *   0 <-----> 2           distance 2: half of what it has kept
 *       1 <-----> 3
 *   and back: distance 2, then distance 1, with reduced parts
 *
 * Cost: 2 log2 N exchanges, 2 (N - 1) / N of the buffer in all. The largest
 * messages go to the nearest ranks; textbooks' recursive halving begins with
 * the farthest. Where N is no power of two, of the first ranks the even ones
 * stay: a pair first shares the reduction of its two buffers (halves exchanged,
 * the odd rank's half sent over), and the odd one gets the result in the end.
 * With fewer elements than folded ranks the library runs "linear" instead.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#define STEPS_MAX 64

struct run {
	struct pl_fold fold;
	uint64_t bytes, element_bytes;
};

static uint32_t fold_in(struct pl_script *s, const struct run *run, size_t rank)
{
	const struct pl_range all = {0, run->bytes};
	const bool odd = rank % 2;
	const struct pl_range mine = pl_openmpi_half(all, run->element_bytes, odd);
	const struct pl_range other = pl_openmpi_half(all, run->element_bytes, !odd);

	if (run->fold.extra == 0)
		return 0;
	if (rank >= 2 * run->fold.extra)
		return 2;
	pl_openmpi_sendrecv(s,
			    (struct pl_openmpi_exchange){rank ^ 1, rank ^ 1, other, mine, PL_ADDS});
	pl_script_reduce(s, mine.bytes);
	pl_script_round(s, 1);
	pl_script_data(s, odd ? mine.at : other.at, PL_STORES);
	if (odd)
		pl_script_send(s, rank - 1, mine.bytes);
	else
		pl_script_recv(s, rank + 1, other.bytes);
	return 2;
}

/* Halving with the partners at distance 1, 2, ..., and back. Gives the round
 * after the last. */
static uint32_t exchange(struct pl_script *s, const struct run *run, size_t rank, uint32_t round)
{
	const size_t folded = pl_fold_folded(&run->fold, rank);
	struct pl_range kept[STEPS_MAX], given[STEPS_MAX];
	struct pl_range window = {0, run->bytes};
	size_t steps = 0;

	for (size_t mask = 1; mask < run->fold.n; mask *= 2, steps++) {
		const size_t peer = pl_fold_unfold(&run->fold, folded ^ mask);

		kept[steps] = pl_openmpi_half(window, run->element_bytes, rank > peer);
		given[steps] = pl_openmpi_half(window, run->element_bytes, rank < peer);
		window = kept[steps];
		pl_script_round(s, round++);
		pl_openmpi_sendrecv(
			s, (struct pl_openmpi_exchange){peer, peer, given[steps], window, PL_ADDS});
		pl_script_reduce(s, window.bytes);
	}
	for (size_t mask = run->fold.n / 2; mask > 0; mask /= 2) {
		const size_t peer = pl_fold_unfold(&run->fold, folded ^ mask);

		steps--;
		pl_script_round(s, round++);
		pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){peer, peer, kept[steps],
								    given[steps], PL_STORES});
	}
	return round;
}

static void run_rank(struct pl_script *s, const struct run *run, size_t rank)
{
	uint32_t round;

	pl_script_rank(s, rank);
	pl_script_copy(s, run->bytes);
	round = fold_in(s, run, rank);
	if (pl_fold_folded(&run->fold, rank) != SIZE_MAX)
		round = exchange(s, run, rank, round);
	if (rank >= 2 * run->fold.extra)
		return;
	pl_script_round(s, round);
	pl_script_data(s, 0, PL_STORES);
	if (rank % 2)
		pl_script_recv(s, rank - 1, run->bytes);
	else
		pl_script_send(s, rank + 1, run->bytes);
}

int pl_openmpi_allreduce_rabenseifner(struct pl_script *s, const struct pl_call *call,
				      struct pl_err *err)
{
	const struct run run = {
		.fold = pl_fold(call->n_pos, 0),
		.bytes = call->bytes,
		.element_bytes = call->element_bytes,
	};

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (call->bytes / call->element_bytes < run.fold.n)
		return pl_openmpi_allreduce_linear(s, call, err);
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &run, rank);
	return 0;
}
