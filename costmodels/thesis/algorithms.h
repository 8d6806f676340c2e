/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - the algorithms of this folder, for its table */
#ifndef PLINK_COSTMODELS_THESIS_ALGORITHMS_H
#define PLINK_COSTMODELS_THESIS_ALGORITHMS_H

#include "costmodels/algorithm.h"

pl_generate_fn pl_thesis_ring;
pl_shape_fn pl_thesis_ring_shape;
pl_generate_fn pl_thesis_halving_doubling;
pl_shape_fn pl_thesis_halving_doubling_shape;
pl_generate_fn pl_thesis_tree;
pl_shape_fn pl_thesis_tree_shape;
pl_generate_fn pl_thesis_bcube;
pl_shape_fn pl_thesis_bcube_shape;
pl_generate_fn pl_thesis_two_level;
pl_shape_fn pl_thesis_two_level_shape;

#endif
