/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-pairwise.c - all-to-all: in step i to rank + i, from rank - i */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      step 1
 *   0 --> 2 --> 0, 1 --> 3 --> 1   step 2, ...
 *
 * N (N - 1) messages of a block in N - 1 rounds; the own block is copied last.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_alltoall_pairwise(struct pl_script *s, const struct pl_call *call,
				 struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; n > 1 && call->bytes > 0 && rank < n && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		for (size_t i = 1; i < n; i++) {
			pl_script_round(s, (uint32_t)(i - 1));
			pl_script_sendrecv(s, (struct pl_exchange){.dst = (rank + i) % n,
								   .src = (rank + n - i) % n,
								   .send_bytes = call->bytes,
								   .recv_bytes = call->bytes});
		}
		pl_script_copy(s, call->bytes);
	}
	return 0;
}
