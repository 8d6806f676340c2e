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
