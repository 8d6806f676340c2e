/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-gather.c - LightGBM's Bruck and recursive doubling all-gathers */
/*
 *   N = 5, Bruck                          N = 4, recursive doubling
 *   i -> i - 1   one block                0=1 2=3   one block
 *   i -> i - 2   two                      0=2 1=3   two
 *   i -> i - 4   what is left, one
 *
 * Cost: the sum over ceil(log2 N) rounds of the dearest hop (exchange). What
 * textbooks do not have: blocks need not be of one size, those of all-reduce
 * end in short and empty ones; after Bruck's rounds the buffer is turned in
 * place by reversing it all and both its parts.
 */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

void pl_lightgbm_run_bruck(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b)
{
	const size_t n = b->n;
	uint32_t round = b->first_round;

	pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
	for (size_t have = 1; have < n; have *= 2) {
		const size_t more = n - have < have ? n - have : have;

		pl_script_round(s, round++);
		pl_lightgbm_exchange(s, b,
				     &(struct pl_lightgbm_swap){.dst = (rank + n - have) % n,
								.send_first = rank,
								.n_send = more,
								.src = (rank + have) % n,
								.recv_first = rank + have,
								.n_recv = more,
								.taking = PL_STORES});
	}
	pl_script_copy(s, 2 * b->total_bytes);
}

void pl_lightgbm_run_doubling(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b)
{
	uint32_t round = b->first_round;

	pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
	for (size_t have = 1; have < b->n; have *= 2) {
		const size_t first = rank / have * have, peer = rank ^ have;

		pl_script_round(s, round++);
		pl_lightgbm_exchange(s, b,
				     &(struct pl_lightgbm_swap){.dst = peer,
								.send_first = first,
								.n_send = have,
								.src = peer,
								.recv_first = first ^ have,
								.n_recv = have,
								.taking = PL_STORES});
	}
}
