/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - table of the algorithms, and the rules by size */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

/* Smaller buffers are all-gathered whole to be reduced. */
#define GATHER_BYTES 4096

static const struct pl_algorithm *entry(pl_generate_fn *generate)
{
	return pl_algorithm_of(pl_lightgbm_algorithms, generate);
}

/* What gathers @bytes in all, of @ring, @doubling and @bruck. */
static pl_generate_fn *gatherer(uint64_t bytes, size_t n, pl_generate_fn *ring,
				pl_generate_fn *doubling, pl_generate_fn *bruck)
{
	if (bytes > PL_LIGHTGBM_RING_BYTES && n < PL_LIGHTGBM_RING_POS_MAX)
		return ring;
	return pl_lightgbm_power_of_two(n) ? doubling : bruck;
}

/* Of all ranks' buffers; saturates. */
static uint64_t all_bytes(const struct pl_call *call)
{
	return call->bytes > INT64_MAX / call->n_pos ? INT64_MAX : call->bytes * call->n_pos;
}

static bool halves(const struct pl_call *call)
{
	return pl_lightgbm_power_of_two(call->n_pos) || call->bytes < PL_LIGHTGBM_RING_BYTES;
}

static const struct pl_algorithm *decide_allreduce(const struct pl_call *call,
						   struct pl_call *decided)
{
	const size_t n = call->n_pos;

	*decided = *call;
	if (call->bytes / call->element_bytes < n || call->bytes < GATHER_BYTES)
		return entry(gatherer(all_bytes(call), n, pl_lightgbm_gather_ring,
				      pl_lightgbm_gather_doubling, pl_lightgbm_gather_bruck));
	if (halves(call))
		return entry(gatherer(call->bytes, n, pl_lightgbm_halving_ring,
				      pl_lightgbm_halving_doubling, pl_lightgbm_halving_bruck));
	return entry(gatherer(call->bytes, n, pl_lightgbm_ring_ring, pl_lightgbm_ring_bruck,
			      pl_lightgbm_ring_bruck));
}

static const struct pl_algorithm *decide_allgather(const struct pl_call *call,
						   struct pl_call *decided)
{
	*decided = *call;
	return entry(gatherer(all_bytes(call), call->n_pos, pl_lightgbm_allgather_ring,
			      pl_lightgbm_allgather_doubling, pl_lightgbm_allgather_bruck));
}

static const struct pl_algorithm *decide_reduce_scatter(const struct pl_call *call,
							struct pl_call *decided)
{
	*decided = *call;
	return entry(halves(call) ? pl_lightgbm_reduce_scatter_halving
				  : pl_lightgbm_reduce_scatter_ring);
}

const struct pl_algorithm pl_lightgbm_algorithms[] = {
	{PL_ALLREDUCE, PL_LIGHTGBM, "default", "chosen by Network::Allreduce by size and ranks",
	 .decide = decide_allreduce},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-bruck",
	 "whole buffers all-gathered (Bruck), each adds them up",
	 .generate = pl_lightgbm_gather_bruck},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-doubling", "the same by recursive doubling",
	 .generate = pl_lightgbm_gather_doubling},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-ring", "the same in a ring",
	 .generate = pl_lightgbm_gather_ring, .shape = pl_lightgbm_allgather_ring_shape},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-bruck", "recursive halving, then Bruck's all-gather",
	 .generate = pl_lightgbm_halving_bruck},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-doubling",
	 "recursive halving, then recursive doubling", .generate = pl_lightgbm_halving_doubling},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-ring", "recursive halving, then a ring",
	 .generate = pl_lightgbm_halving_ring},
	{PL_ALLREDUCE, PL_LIGHTGBM, "ring", "a ring to reduce, a ring to gather",
	 .generate = pl_lightgbm_ring_ring, .shape = pl_lightgbm_ring_ring_shape},
	{PL_ALLREDUCE, PL_LIGHTGBM, "ring-bruck", "a ring to reduce, then Bruck's all-gather",
	 .generate = pl_lightgbm_ring_bruck},
	{PL_ALLGATHER, PL_LIGHTGBM, "default", "chosen by Network::Allgather by size and ranks",
	 .decide = decide_allgather},
	{PL_ALLGATHER, PL_LIGHTGBM, "bruck", "1, 2, 4, ... blocks, downwards",
	 .generate = pl_lightgbm_allgather_bruck},
	{PL_ALLGATHER, PL_LIGHTGBM, "recursive-doubling", "exchanges at distance 1, 2, 4, ...",
	 .generate = pl_lightgbm_allgather_doubling},
	{PL_ALLGATHER, PL_LIGHTGBM, "ring", "a ring of blocks, upwards",
	 .generate = pl_lightgbm_allgather_ring, .shape = pl_lightgbm_allgather_ring_shape},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "default",
	 "chosen by Network::ReduceScatter by size and ranks", .decide = decide_reduce_scatter},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "recursive-halving",
	 "halves, the farthest first; surplus ranks pair up",
	 .generate = pl_lightgbm_reduce_scatter_halving},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "ring", "a ring of blocks, upwards",
	 .generate = pl_lightgbm_reduce_scatter_ring,
	 .shape = pl_lightgbm_reduce_scatter_ring_shape},
	{.name = NULL},
};
