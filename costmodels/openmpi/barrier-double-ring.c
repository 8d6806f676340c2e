/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-double-ring.c - barrier: an empty message twice round */
/*
 *   0 --> 1 --> 2 --> 3 --> 0 --> 1 --> 2 --> 3 --> 0
 *
 * Cost: all N hops twice, one after the other; the objective says just that.
 * The second turn goes out by synchronous sends: each ends only when the next
 * rank has answered, which none but the sender waits for.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_barrier_double_ring(struct pl_script *s, const struct pl_call *call,
				   struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n; rank++) {
		const size_t next = (rank + 1) % n, prev = (rank + n - 1) % n;

		pl_script_rank(s, rank);
		for (size_t turn = 0; turn < 2; turn++) {
			if (rank > 0)
				pl_script_recv(s, prev, 0);
			pl_script_round(s, (uint32_t)(turn * n + rank));
			pl_script_wait(s, turn ? pl_script_issend(s, next, 0)
					       : pl_script_isend(s, next, 0));
			if (rank == 0)
				pl_script_recv(s, prev, 0);
		}
	}
	return 0;
}

int pl_openmpi_barrier_double_ring_shape(struct pl_shape *shape, const struct pl_call *call,
					 struct pl_err *err)
{
	return pl_openmpi_ring_shape(shape, call->n_pos, 2, 0, err);
}
