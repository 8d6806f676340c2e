/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.c - table of the algorithms */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

static const struct pl_algorithm *entry(pl_generate_fn *generate)
{
	return pl_algorithm_of(pl_gloo_algorithms, generate);
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

static const struct pl_algorithm *decide_reduce(const struct pl_call *call, struct pl_call *decided)
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

static const struct pl_algorithm *decide_alltoall(const struct pl_call *call,
						  struct pl_call *decided)
{
	*decided = *call;
	return entry(pl_gloo_alltoall);
}

const struct pl_algorithm pl_gloo_algorithms[] = {
	{PL_ALLREDUCE, PL_GLOO, "default", "gloo::allreduce() without an algorithm: segmented-ring",
	 .takes_segment = true, .decide = decide_allreduce},
	{PL_ALLREDUCE, PL_GLOO, "segmented-ring",
	 "gloo::allreduce(): a ring downwards, two segments under way", .takes_segment = true,
	 .setting = 1, .generate = pl_gloo_segmented_ring, .shape = pl_gloo_segmented_ring_shape},
	{PL_ALLREDUCE, PL_GLOO, "bcube", "gloo::allreduce() by BCUBE; :N: class AllreduceBcube",
	 .takes_radix = true, .setting = 2, .generate = pl_gloo_bcube},
	{PL_ALLREDUCE, PL_GLOO, "ring", "the class AllreduceRing: the whole buffer, N - 1 times",
	 .generate = pl_gloo_ring, .shape = pl_gloo_ring_shape},
	{PL_ALLREDUCE, PL_GLOO, "ring-chunked",
	 "the class AllreduceRingChunked: 2 N chunks, two inboxes",
	 .generate = pl_gloo_ring_chunked, .shape = pl_gloo_ring_chunked_shape},
	{PL_ALLREDUCE, PL_GLOO, "halving-doubling",
	 "the class AllreduceHalvingDoubling, in binary blocks",
	 .generate = pl_gloo_halving_doubling},
	{PL_BROADCAST, PL_GLOO, "default", "gloo::broadcast(): binomial",
	 .decide = decide_broadcast},
	{PL_BROADCAST, PL_GLOO, "binomial", "gloo::broadcast(): a tree, near hops first",
	 .generate = pl_gloo_binomial, .shape = pl_gloo_binomial_shape},
	{PL_BROADCAST, PL_GLOO, "one-to-all", "the class BroadcastOneToAll: from the root to each",
	 .generate = pl_gloo_one_to_all},
	{PL_REDUCE, PL_GLOO, "default", "gloo::reduce(): segmented-ring", .takes_segment = true,
	 .decide = decide_reduce},
	{PL_REDUCE, PL_GLOO, "segmented-ring",
	 "gloo::reduce(): a ring downwards, then all to the root", .takes_segment = true,
	 .generate = pl_gloo_reduce, .shape = pl_gloo_reduce_shape},
	{PL_ALLGATHER, PL_GLOO, "default", "gloo::allgather(): segmented-ring",
	 .decide = decide_allgather},
	{PL_ALLGATHER, PL_GLOO, "segmented-ring", "gloo::allgather(): a ring, each block in halves",
	 .generate = pl_gloo_allgather, .shape = pl_gloo_allgather_shape},
	{PL_ALLGATHER, PL_GLOO, "ring-v", "gloo::allgatherv(): a ring of whole blocks",
	 .generate = pl_gloo_allgatherv, .shape = pl_gloo_allgatherv_shape},
	{PL_ALLGATHER, PL_GLOO, "ring", "the class AllgatherRing: whole blocks, each acknowledged",
	 .generate = pl_gloo_allgather_ring, .shape = pl_gloo_allgather_ring_shape},
	{PL_REDUCE_SCATTER, PL_GLOO, "halving", "the class ReduceScatterHalvingDoubling",
	 .generate = pl_gloo_reduce_scatter},
	{PL_BARRIER, PL_GLOO, "default", "gloo::barrier(): dissemination",
	 .decide = decide_barrier},
	{PL_BARRIER, PL_GLOO, "dissemination", "gloo::barrier(): 1, 2, 4, ... ranks on",
	 .generate = pl_gloo_dissemination},
	{PL_BARRIER, PL_GLOO, "all-to-all", "the class BarrierAllToAll: each tells all others",
	 .generate = pl_gloo_all_to_all},
	{PL_BARRIER, PL_GLOO, "all-to-one", "the class BarrierAllToOne: all to rank 0 and back",
	 .generate = pl_gloo_all_to_one},
	{PL_ALLTOALL, PL_GLOO, "default", "gloo::alltoall(): linear", .decide = decide_alltoall},
	{PL_ALLTOALL, PL_GLOO, "linear", "gloo::alltoall() and alltoallv(): all pairs at once",
	 .generate = pl_gloo_alltoall, .shape = pl_gloo_alltoall_shape},
	{.name = NULL},
};
