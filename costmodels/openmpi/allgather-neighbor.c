/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-neighbor.c - all-gather between neighbours, in N / 2 rounds */
/*
 *   0 <-> 1   2 <-> 3   4 <-> 5     rounds 0, 2, ...
 *   5 <-> 0   1 <-> 2   3 <-> 4     rounds 1, 3, ...
 *
 * One block in round 0, then the two that came in the round before. The cost is
 * that of two matchings, taken in turn: for each its dearest pair, as often as
 * it has rounds. An odd number of ranks takes the ring.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

/* Whom @rank exchanges with in the even (0) and the odd (1) rounds. */
static size_t neighbor(size_t n, size_t rank, size_t odd)
{
	return (rank % 2 == odd ? rank + 1 : rank + n - 1) % n;
}

int pl_openmpi_allgather_neighbor(struct pl_script *s, const struct pl_call *call,
				  struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (n % 2)
		return pl_openmpi_allgather_ring(s, call, err);
	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; call->bytes > 0 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		pl_script_copy(s, call->bytes);
		for (size_t i = 0; i < n / 2; i++) {
			const size_t peer = neighbor(n, rank, i % 2);
			const uint64_t bytes = (i ? 2 : 1) * call->bytes;

			pl_script_round(s, (uint32_t)i);
			pl_script_sendrecv(s, (struct pl_exchange){
						      .dst = peer,
						      .src = peer,
						      .send_bytes = bytes,
						      .recv_bytes = bytes,
					      });
		}
	}
	return 0;
}

int pl_openmpi_allgather_neighbor_shape(struct pl_shape *shape, const struct pl_call *call,
					struct pl_err *err)
{
	const size_t n = call->n_pos, rounds[2] = {(n / 2 + 1) / 2, n / 4};

	if (n % 2)
		return pl_openmpi_allgather_ring_shape(shape, call, err);
	if (pl_openmpi_check_count(call, err))
		return -1;
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = n};
	for (size_t i = 0; i < 2 * n; i++) {
		const size_t rank = i / 2, odd = i % 2;
		const double blocks = (double)(2 * rounds[odd] - (odd ? 0 : 1));
		const struct pl_hop hop = {
			.src = (uint32_t)rank,
			.dst = (uint32_t)neighbor(n, rank, odd),
			.group = (uint32_t)odd,
			.times = (double)rounds[odd],
			.bytes = blocks * (double)call->bytes / (double)rounds[odd],
		};

		if (rounds[odd] > 0 && pl_shape_add(shape, hop, err))
			return -1;
	}
	return 0;
}
