/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.c - table of the algorithms */
#include "config.h"

#include "costmodels/openmpi/openmpi.h"

#include "costmodels/openmpi/algorithms.h"

#include <string.h>

const struct pl_algorithm pl_openmpi_algorithms[] = {
	/* all-reduce */
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "linear reduce to rank 0, linear broadcast",
		.setting = 1,
		.generate = pl_openmpi_allreduce_linear,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "nonoverlapping",
		.summary = "reduce to rank 0, then broadcast, as decided",
		.setting = 2,
		.generate = pl_openmpi_allreduce_nonoverlapping,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "recursive-doubling",
		.summary = "whole buffers exchanged at distances 1, 2, 4, ...",
		.setting = 3,
		.generate = pl_openmpi_allreduce_recursive_doubling,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "ring",
		.summary =
			"blocks once round to be reduced, once to be gathered",
		.setting = 4,
		.generate = pl_openmpi_allreduce_ring,
		.shape = pl_openmpi_allreduce_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "segmented-ring",
		.summary = "the ring with its reduction in segments",
		.setting = 5,
		.generate = pl_openmpi_allreduce_segmented_ring,
		.shape = pl_openmpi_allreduce_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "rabenseifner",
		.summary = "halves exchanged at distances 1, 2, ... and back",
		.setting = 6,
		.generate = pl_openmpi_allreduce_rabenseifner,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_allreduce,
	},

	/* broadcast */

	/* reduce */

	/* all-gather */

	/* reduce-scatter */
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "nonoverlapping",
		.summary = "reduce to rank 0 as decided, then its blocks",
		.setting = 1,
		.generate = pl_openmpi_reduce_scatter_nonoverlapping,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "recursive-halving",
		.summary = "halves exchanged at distances N/2, ..., 2, 1",
		.setting = 2,
		.generate = pl_openmpi_reduce_scatter_recursive_halving,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "ring",
		.summary = "blocks once round to be reduced",
		.setting = 3,
		.generate = pl_openmpi_reduce_scatter_ring,
		.shape = pl_openmpi_reduce_scatter_ring_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "butterfly",
		.summary =
			"halves exchanged at distances 1, 2, ..., then swapped",
		.setting = 4,
		.generate = pl_openmpi_reduce_scatter_butterfly,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_reduce_scatter,
	},

	/* barrier */
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "all report to rank 0, which releases them",
		.setting = 1,
		.generate = pl_openmpi_barrier_linear,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "double-ring",
		.summary = "an empty message twice round",
		.setting = 2,
		.generate = pl_openmpi_barrier_double_ring,
		.shape = pl_openmpi_barrier_double_ring_shape,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "recursive-doubling",
		.summary = "empty messages exchanged at distances 1, 2, 4, ...",
		.setting = 3,
		.generate = pl_openmpi_barrier_recursive_doubling,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "bruck",
		.summary = "to the rank 1, 2, 4, ... further on",
		.setting = 4,
		.generate = pl_openmpi_barrier_bruck,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "two-proc",
		.summary = "two ranks exchange empty messages",
		.setting = 5,
		.generate = pl_openmpi_barrier_two_proc,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "tree",
		.summary = "up a binomial tree and down again",
		.setting = 6,
		.generate = pl_openmpi_barrier_tree,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the ranks",
		.decide = pl_openmpi_decide_barrier,
	},

	{.name = NULL},
};

const struct pl_algorithm *pl_openmpi_algorithm(enum pl_collective collective,
						const char *name)
{
	const struct pl_algorithm *a = pl_openmpi_algorithms;

	while (a->name &&
	       (a->collective != collective || strcmp(a->name, name) != 0))
		a++;
	return a->name ? a : NULL;
}
