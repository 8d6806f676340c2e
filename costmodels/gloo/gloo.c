/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.c - table of the algorithms */
#include "config.h"

#include "costmodels/gloo/gloo.h"

#include "costmodels/gloo/algorithms.h"

typedef int generator(struct pl_script *, const struct pl_call *,
		      struct pl_err *);

static const struct pl_algorithm *entry(generator *generate)
{
	const struct pl_algorithm *a = pl_gloo_algorithms;

	while (a->generate != generate)
		a++;
	return a;
}

/* The functions know no sizes: for each collective there is one algorithm. */
static const struct pl_algorithm *decide_allreduce(const struct pl_call *call,
						   struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_segmented_ring);
}

static const struct pl_algorithm *decide_broadcast(const struct pl_call *call,
						   struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_binomial);
}

static const struct pl_algorithm *decide_reduce(const struct pl_call *call,
						struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_reduce);
}

static const struct pl_algorithm *decide_allgather(const struct pl_call *call,
						   struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_allgather);
}

static const struct pl_algorithm *decide_barrier(const struct pl_call *call,
						 struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_dissemination);
}

const struct pl_algorithm pl_gloo_algorithms[] = {
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "default",
		.summary = "gloo::allreduce() without an algorithm: "
			   "segmented-ring",
		.takes_segment = true,
		.decide = decide_allreduce,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "segmented-ring",
		.summary = "gloo::allreduce(): a ring downwards, two segments "
			   "under way",
		.takes_segment = true,
		.setting = 1,
		.generate = pl_gloo_segmented_ring,
		.shape = pl_gloo_segmented_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "bcube",
		.summary =
			"gloo::allreduce() by BCUBE; :N: class AllreduceBcube",
		.takes_radix = true,
		.setting = 2,
		.generate = pl_gloo_bcube,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "ring",
		.summary = "the class AllreduceRing: the whole buffer, N - 1 "
			   "times",
		.generate = pl_gloo_ring,
		.shape = pl_gloo_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "ring-chunked",
		.summary = "the class AllreduceRingChunked: 2 N chunks, two "
			   "inboxes",
		.generate = pl_gloo_ring_chunked,
		.shape = pl_gloo_ring_chunked_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_GLOO,
		.name = "halving-doubling",
		.summary = "the class AllreduceHalvingDoubling, in binary "
			   "blocks",
		.generate = pl_gloo_halving_doubling,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_GLOO,
		.name = "default",
		.summary = "gloo::broadcast(): binomial",
		.decide = decide_broadcast,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_GLOO,
		.name = "binomial",
		.summary = "gloo::broadcast(): a tree, near hops first",
		.generate = pl_gloo_binomial,
		.shape = pl_gloo_binomial_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_GLOO,
		.name = "one-to-all",
		.summary = "the class BroadcastOneToAll: from the root to each",
		.generate = pl_gloo_one_to_all,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_GLOO,
		.name = "default",
		.summary = "gloo::reduce(): segmented-ring",
		.takes_segment = true,
		.decide = decide_reduce,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_GLOO,
		.name = "segmented-ring",
		.summary = "gloo::reduce(): a ring downwards, then all to the "
			   "root",
		.takes_segment = true,
		.generate = pl_gloo_reduce,
		.shape = pl_gloo_reduce_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_GLOO,
		.name = "default",
		.summary = "gloo::allgather(): segmented-ring",
		.decide = decide_allgather,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_GLOO,
		.name = "segmented-ring",
		.summary = "gloo::allgather(): a ring, each block in halves",
		.generate = pl_gloo_allgather,
		.shape = pl_gloo_allgather_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_GLOO,
		.name = "ring-v",
		.summary = "gloo::allgatherv(): a ring of whole blocks",
		.generate = pl_gloo_allgatherv,
		.shape = pl_gloo_allgatherv_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_GLOO,
		.name = "ring",
		.summary = "the class AllgatherRing: whole blocks, each "
			   "acknowledged",
		.generate = pl_gloo_allgather_ring,
		.shape = pl_gloo_allgather_ring_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_GLOO,
		.name = "halving",
		.summary = "the class ReduceScatterHalvingDoubling",
		.generate = pl_gloo_reduce_scatter,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_GLOO,
		.name = "default",
		.summary = "gloo::barrier(): dissemination",
		.decide = decide_barrier,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_GLOO,
		.name = "dissemination",
		.summary = "gloo::barrier(): 1, 2, 4, ... ranks on",
		.generate = pl_gloo_dissemination,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_GLOO,
		.name = "all-to-all",
		.summary = "the class BarrierAllToAll: each tells all others",
		.generate = pl_gloo_all_to_all,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_GLOO,
		.name = "all-to-one",
		.summary = "the class BarrierAllToOne: all to rank 0 and back",
		.generate = pl_gloo_all_to_one,
	},
	{.name = NULL},
};
