/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-ring.c - all-gather: every block N - 1 times on to the next rank */
/*
 *   0 --> 1 --> 2 --> 3 --> 0
 *
 * N - 1 rounds of one block for each rank. A block passes all hops but one: the
 * cost is the sum of the hops once round, as for the same ring of Open MPI.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;

	pl_script_copy(r->s, r->bytes);
	for (size_t i = 0; i + 1 < n; i++) {
		pl_script_round(r->s, (uint32_t)i);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = (r->rank + 1) % n,
							  .src = (r->rank + n - 1) % n,
							  .send_bytes = r->bytes,
							  .recv_bytes = r->bytes});
	}
}

int pl_mpich_allgather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_allgather(s, call, part, err);
}

int pl_mpich_allgather_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				  struct pl_err *err)
{
	const struct pl_hop hop = {.times = 1, .bytes = (double)call->bytes};

	if (pl_mpich_check_gathered(call, err))
		return -1;
	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = call->n_pos};
	return call->bytes ? pl_shape_add_ring(shape, call->n_pos, 1, hop, err) : 0;
}
