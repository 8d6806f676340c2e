/* SPDX-License-Identifier: BSD-3-Clause */
/* xgboost.c - table of the algorithms, and the rules by size */
#include "config.h"

#include "costmodels/xgboost/algorithms.h"

/* Both rules count elements. */
#define DOUBLE_BYTES 8
#define RABIT_TREE_ELEMENTS 32768 /* rabit_reduce_ring_mincount */

static const struct pl_algorithm *entry(pl_generate_fn *generate)
{
	return pl_algorithm_of(pl_xgboost_algorithms, generate);
}

static const struct pl_algorithm *decide(const struct pl_call *call, struct pl_call *decided)
{
	*decided = *call;
	return entry(call->bytes / DOUBLE_BYTES < call->n_pos ? pl_xgboost_gather_ring
							      : pl_xgboost_ring);
}

static const struct pl_algorithm *decide_rabit(const struct pl_call *call, struct pl_call *decided)
{
	*decided = *call;
	return entry(call->bytes / DOUBLE_BYTES > RABIT_TREE_ELEMENTS ? pl_rabit_ring
								      : pl_rabit_up_and_down);
}

const struct pl_algorithm pl_xgboost_algorithms[] = {
	{PL_ALLREDUCE, PL_XGBOOST, "default",
	 "chosen by XGBoost 2.1 and later by elements and ranks", .decide = decide},
	{PL_ALLREDUCE, PL_XGBOOST, "ring", "a ring to reduce, a ring to gather, upwards",
	 .generate = pl_xgboost_ring, .shape = pl_xgboost_ring_shape},
	{PL_ALLREDUCE, PL_XGBOOST, "all-gather-ring",
	 "whole buffers passed round, each adds them up", .generate = pl_xgboost_gather_ring,
	 .shape = pl_xgboost_gather_ring_shape},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit", "chosen by rabit, up to XGBoost 2.0, by elements",
	 .decide = decide_rabit},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit-tree", "up a binary tree and down, its ranks renumbered",
	 .generate = pl_rabit_up_and_down, .shape = pl_rabit_up_and_down_shape},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit-ring", "a ring to reduce, a ring to gather, downwards",
	 .generate = pl_rabit_ring, .shape = pl_rabit_ring_shape},
	{.name = NULL},
};
