/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis.c - the algorithms of the PLink thesis */
#include "config.h"

#include "costmodels/thesis/algorithms.h"

const struct pl_algorithm pl_thesis_algorithms[] = {
	{PL_ALLREDUCE, PL_THESIS, "ring", "blocks once round to be reduced, once to be gathered",
	 .generate = pl_thesis_ring, .shape = pl_thesis_ring_shape},
	{PL_ALLREDUCE, PL_THESIS, "halving-doubling",
	 "halves to the rank 1 away, quarters to that 2 away, ...",
	 .generate = pl_thesis_halving_doubling, .shape = pl_thesis_halving_doubling_shape},
	{PL_ALLREDUCE, PL_THESIS, "double-binary-tree",
	 "up and down two binary trees, half the data each", .generate = pl_thesis_tree,
	 .shape = pl_thesis_tree_shape},
	{PL_ALLREDUCE, PL_THESIS, "bcube", "halving-doubling in groups of B", .takes_radix = true,
	 .generate = pl_thesis_bcube, .shape = pl_thesis_bcube_shape},
	{PL_ALLREDUCE, PL_THESIS, "two-level", "through masters of N groups and a master of all",
	 .takes_radix = true, .takes_segment = true, .generate = pl_thesis_two_level,
	 .shape = pl_thesis_two_level_shape},
	{.name = NULL},
};
