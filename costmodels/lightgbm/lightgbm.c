/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - table of the algorithms, and the rules by size */
#include "config.h"

#include "costmodels/lightgbm/lightgbm.h"

#include "costmodels/lightgbm/algorithms.h"

/* Smaller buffers are all-gathered whole to be reduced. */
#define GATHER_BYTES 4096

typedef int generator(struct pl_script *, const struct pl_call *,
		      struct pl_err *);

static const struct pl_algorithm *entry(generator *generate)
{
	const struct pl_algorithm *a = pl_lightgbm_algorithms;

	while (a->generate != generate)
		a++;
	return a;
}

/* What gathers @bytes in all, of @ring, @doubling and @bruck. */
static generator *gatherer(uint64_t bytes, size_t n, generator *ring,
			   generator *doubling, generator *bruck)
{
	if (bytes > PL_LIGHTGBM_RING_BYTES && n < PL_LIGHTGBM_RING_POS_MAX)
		return ring;
	return pl_lightgbm_power_of_two(n) ? doubling : bruck;
}

/* Of all ranks' buffers; saturates. */
static uint64_t all_bytes(const struct pl_call *call)
{
	return call->bytes > INT64_MAX / call->n_pos
		       ? INT64_MAX
		       : call->bytes * call->n_pos;
}

static bool halves(const struct pl_call *call)
{
	return pl_lightgbm_power_of_two(call->n_pos) ||
	       call->bytes < PL_LIGHTGBM_RING_BYTES;
}

static const struct pl_algorithm *decide_allreduce(const struct pl_call *call,
						   struct pl_call *decided)
{
	const size_t n = call->n_pos;

	*decided = *call;
	if (call->bytes / call->element_bytes < n || call->bytes < GATHER_BYTES)
		return entry(gatherer(
			all_bytes(call), n, pl_lightgbm_gather_ring,
			pl_lightgbm_gather_doubling, pl_lightgbm_gather_bruck));
	if (halves(call))
		return entry(gatherer(call->bytes, n, pl_lightgbm_halving_ring,
				      pl_lightgbm_halving_doubling,
				      pl_lightgbm_halving_bruck));
	return entry(gatherer(call->bytes, n, pl_lightgbm_ring_ring,
			      pl_lightgbm_ring_bruck, pl_lightgbm_ring_bruck));
}

static const struct pl_algorithm *decide_allgather(const struct pl_call *call,
						   struct pl_call *decided)
{
	*decided = *call;
	return entry(gatherer(
		all_bytes(call), call->n_pos, pl_lightgbm_allgather_ring,
		pl_lightgbm_allgather_doubling, pl_lightgbm_allgather_bruck));
}

static const struct pl_algorithm *
decide_reduce_scatter(const struct pl_call *call, struct pl_call *decided)
{
	*decided = *call;
	return entry(halves(call) ? pl_lightgbm_reduce_scatter_halving
				  : pl_lightgbm_reduce_scatter_ring);
}

const struct pl_algorithm pl_lightgbm_algorithms[] = {
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "default",
		.summary = "chosen by Network::Allreduce by size and ranks",
		.decide = decide_allreduce,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "all-gather-bruck",
		.summary = "whole buffers all-gathered (Bruck), each adds them "
			   "up",
		.generate = pl_lightgbm_gather_bruck,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "all-gather-doubling",
		.summary = "the same by recursive doubling",
		.generate = pl_lightgbm_gather_doubling,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "all-gather-ring",
		.summary = "the same in a ring",
		.generate = pl_lightgbm_gather_ring,
		.shape = pl_lightgbm_allgather_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "halving-bruck",
		.summary = "recursive halving, then Bruck's all-gather",
		.generate = pl_lightgbm_halving_bruck,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "halving-doubling",
		.summary = "recursive halving, then recursive doubling",
		.generate = pl_lightgbm_halving_doubling,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "halving-ring",
		.summary = "recursive halving, then a ring",
		.generate = pl_lightgbm_halving_ring,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "ring",
		.summary = "a ring to reduce, a ring to gather",
		.generate = pl_lightgbm_ring_ring,
		.shape = pl_lightgbm_ring_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_LIGHTGBM,
		.name = "ring-bruck",
		.summary = "a ring to reduce, then Bruck's all-gather",
		.generate = pl_lightgbm_ring_bruck,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_LIGHTGBM,
		.name = "default",
		.summary = "chosen by Network::Allgather by size and ranks",
		.decide = decide_allgather,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_LIGHTGBM,
		.name = "bruck",
		.summary = "1, 2, 4, ... blocks, downwards",
		.generate = pl_lightgbm_allgather_bruck,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_LIGHTGBM,
		.name = "recursive-doubling",
		.summary = "exchanges at distance 1, 2, 4, ...",
		.generate = pl_lightgbm_allgather_doubling,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_LIGHTGBM,
		.name = "ring",
		.summary = "a ring of blocks, upwards",
		.generate = pl_lightgbm_allgather_ring,
		.shape = pl_lightgbm_allgather_ring_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_LIGHTGBM,
		.name = "default",
		.summary = "chosen by Network::ReduceScatter by size and "
			   "ranks",
		.decide = decide_reduce_scatter,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_LIGHTGBM,
		.name = "recursive-halving",
		.summary = "halves, the farthest first; surplus ranks pair up",
		.generate = pl_lightgbm_reduce_scatter_halving,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_LIGHTGBM,
		.name = "ring",
		.summary = "a ring of blocks, upwards",
		.generate = pl_lightgbm_reduce_scatter_ring,
		.shape = pl_lightgbm_reduce_scatter_ring_shape,
	},
	{.name = NULL},
};
