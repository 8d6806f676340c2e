/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-recursive-doubling.c - all-gather between ranks that differ in a
 * bit */
/*
 *   0 <-> 1   2 <-> 3     step k: a rank and rank XOR 2^k exchange all they
 *   0 <-> 2   1 <-> 3     have, 2^k blocks
 *
 * log2 N rounds, N - 1 blocks sent by each rank. Where N is no power of two,
 * Open MPI takes Bruck's algorithm.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_allgather_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					    struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (n & (n - 1))
		return pl_openmpi_allgather_bruck(s, call, err);
	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; n > 1 && call->bytes > 0 && rank < n; rank++) {
		uint32_t round = 0;

		pl_script_rank(s, rank);
		pl_script_copy(s, call->bytes);
		for (size_t distance = 1; distance < n; distance *= 2) {
			const uint64_t bytes = distance * call->bytes;

			pl_script_round(s, round++);
			pl_script_sendrecv(s, (struct pl_exchange){
						      .dst = rank ^ distance,
						      .src = rank ^ distance,
						      .send_bytes = bytes,
						      .recv_bytes = bytes,
					      });
		}
	}
	return 0;
}
