/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-ring.c - all-reduce: blocks once round to be reduced, once to be
 * gathered */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      in step k < N - 1 rank r sends block r - k,
 *                                  later, in step N - 1 + k, block r + 1 - k
 *
 * Cost: 2 (N - 1) steps of a block; the objective is the sum of the hops.
 * The receive of a step is posted before what the step before has brought is
 * waited for and reduced. With fewer elements than ranks the library runs
 * recursive doubling instead.
 */
#include "config.h"

#include "costmodels/blocks.h"
#include "costmodels/openmpi/algorithms.h"

/* Step N - 1 + k of N - 1 + N - 1. */
static void gather(struct pl_script *s, const struct pl_blocks *blocks, size_t rank, uint32_t round)
{
	const size_t n = blocks->n;

	for (size_t k = 0; k < n - 1; k++) {
		const size_t out = (rank + 1 + n - k) % n;
		const size_t in = (rank + n - k) % n;

		pl_script_round(s, round++);
		pl_openmpi_sendrecv(
			s, (struct pl_openmpi_exchange){.dst = (rank + 1) % n,
							.src = (rank + n - 1) % n,
							.out = pl_block_range(blocks, out, 1),
							.in = pl_block_range(blocks, in, 1),
							.taking = PL_STORES});
	}
}

/* The segment of a block that a phase reduces. */
static struct pl_range segment(const struct pl_openmpi_ring *ring, size_t block, size_t phase)
{
	const struct pl_blocks segments = {pl_block_bytes(&ring->blocks, block),
					   ring->blocks.element_bytes, ring->n_phases};
	struct pl_range range = pl_block_range(&segments, phase, 1);

	range.at += pl_block_at(&ring->blocks, block);
	return range;
}

static struct pl_request receive(struct pl_script *s, size_t src, struct pl_range part)
{
	pl_script_data(s, part.at, PL_ADDS);
	return pl_script_irecv(s, src, part.bytes);
}

static void send(struct pl_script *s, size_t dst, struct pl_range part)
{
	pl_script_data(s, part.at, PL_ADDS);
	pl_script_send(s, dst, part.bytes);
}

/* Once round: of every block, its segment of that phase. */
static void reduce(struct pl_script *s, const struct pl_openmpi_ring *ring, size_t rank,
		   size_t phase)
{
	const size_t n = ring->blocks.n;
	const size_t next = (rank + 1) % n, prev = (rank + n - 1) % n;
	uint32_t round = (uint32_t)(phase * (n - 1));
	struct pl_request in = receive(s, prev, segment(ring, prev, phase));

	pl_script_round(s, round++);
	send(s, next, segment(ring, rank, phase));
	for (size_t k = 1; k < n - 1; k++) {
		const size_t out = (rank + n - k) % n, after = (out + n - 1) % n;
		const struct pl_range part = segment(ring, out, phase);
		const struct pl_request ahead = receive(s, prev, segment(ring, after, phase));

		pl_script_wait(s, in);
		pl_script_reduce(s, part.bytes);
		pl_script_round(s, round++);
		send(s, next, part);
		in = ahead;
	}
	pl_script_wait(s, in);
	pl_script_reduce(s, segment(ring, next, phase).bytes);
}

void pl_openmpi_run_ring(struct pl_script *s, const struct pl_openmpi_ring *ring)
{
	const size_t n = ring->blocks.n;

	for (size_t rank = 0; rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		pl_script_copy(s, ring->blocks.bytes);
		for (size_t phase = 0; phase < ring->n_phases; phase++)
			reduce(s, ring, rank, phase);
		gather(s, &ring->blocks, rank, (uint32_t)(ring->n_phases * (n - 1)));
	}
}

static bool is_short(const struct pl_call *call)
{
	return call->bytes / call->element_bytes < call->n_pos;
}

int pl_openmpi_allreduce_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_openmpi_ring ring = {{call->bytes, call->element_bytes, call->n_pos}, 1};

	if (call->n_pos == 1 || is_short(call))
		return pl_openmpi_allreduce_recursive_doubling(s, call, err);
	if (pl_openmpi_check_count(call, err))
		return -1;
	pl_openmpi_run_ring(s, &ring);
	return 0;
}

int pl_openmpi_allreduce_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				    struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	if (is_short(call))
		return pl_openmpi_rounds_shape(shape, PL_ALLREDUCE, "recursive-doubling", call,
					       err);
	return pl_openmpi_ring_shape(shape, call->n_pos, 1,
				     (double)call->bytes / (double)call->n_pos, err);
}
