/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-bruck.c - barrier: to the rank 1, 2, 4, ... further on */
/*
 *   0 -> 1 -> 2 -> 3 -> 4 -> 0      round 0: every rank to the next
 *   0 -> 2 -> 4 -> 1 -> 3 -> 0      round 1: to the next but one
 *   0 -> 4 -> 3 -> 2 -> 1 -> 0      round 2: 4 further on
 *
 * Cost: log2 N messages one after the other, rounded up; any N alike.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_barrier_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n; rank++) {
		uint32_t round = 0;

		pl_script_rank(s, rank);
		for (size_t distance = 1; distance < n; distance *= 2) {
			pl_script_round(s, round++);
			pl_script_sendrecv(s,
					   (struct pl_exchange){.dst = (rank + distance) % n,
								.src = (rank + n - distance) % n});
		}
	}
	return 0;
}
