/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * XGBoost 2.1 and later (src/collective/) run every all-reduce in a ring. Up to
 * 2.0, rabit (rabit/src/allreduce_base.cc) runs short ones along a tree, longer
 * ones in a ring the other way round. Both write into TCP sockets, without
 * headers; histograms, most of what XGBoost adds up, are doubles.
 */
#ifndef PLINK_COSTMODELS_XGBOOST_ALGORITHMS_H
#define PLINK_COSTMODELS_XGBOOST_ALGORITHMS_H

#include "costmodels/algorithm.h"

/* A rank's place in rabit's tree, whose root is rank 0. */
struct pl_rabit_node {
	uint32_t parent; /* of the root: not set */
	uint32_t child[2];
	uint32_t n_children, depth; /* of the root: 0 */
};

/* Fills node[n], by rank, with the tree that rabit's tracker gives to n
 * ranks. */
void pl_rabit_tree(struct pl_rabit_node *node, size_t n);

/* All-reduce. */
pl_generate_fn pl_xgboost_ring;
pl_generate_fn pl_xgboost_gather_ring;
pl_generate_fn pl_rabit_ring;
pl_generate_fn pl_rabit_up_and_down;

pl_shape_fn pl_xgboost_ring_shape;
pl_shape_fn pl_xgboost_gather_ring_shape;
pl_shape_fn pl_rabit_ring_shape;
pl_shape_fn pl_rabit_up_and_down_shape;

#endif
