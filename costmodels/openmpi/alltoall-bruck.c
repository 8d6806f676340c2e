/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-bruck.c - all-to-all in ceil(log2 N) rounds: Bruck's */
/*
 *   i --> i + 1   the blocks 1, 3, 5, ... ranks further on
 *   i --> i + 2   the blocks 2, 3, 6, 7, ... further on
 *   i --> i + 4   the blocks 4 to 7, 12 to 15, ... further on
 *
 * A block goes the distance of each bit of its own, so that each rank sends
 * about N / 2 blocks in every round. Blocks are turned round before and after.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <limits.h>

/* Open MPI counts the elements of all blocks in an int. */
static int check(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX / call->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements for each of %zu ranks are too many "
			  "for Bruck's all-to-all of Open MPI, which counts "
			  "all blocks in an int",
			  (unsigned long long)count, call->n_pos);
}

static void run_rank(struct pl_script *s, const struct pl_call *call, size_t rank)
{
	const size_t n = call->n_pos;
	uint32_t round = 0;

	pl_script_copy(s, n * call->bytes);
	for (size_t distance = 1; distance < n; distance *= 2) {
		const uint64_t bytes = pl_blocks_with_bit(n, distance) * call->bytes;

		pl_script_round(s, round++);
		pl_script_sendrecv(s, (struct pl_exchange){
					      .dst = (rank + distance) % n,
					      .src = (rank + n - distance) % n,
					      .send_bytes = bytes,
					      .recv_bytes = bytes,
				      });
		pl_script_copy(s, bytes);
	}
	pl_script_copy(s, n * call->bytes);
}

int pl_openmpi_alltoall_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (check(call, err))
		return -1;
	for (size_t rank = 0;
	     call->n_pos > 1 && call->bytes > 0 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		run_rank(s, call, rank);
	}
	return 0;
}
