/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-order.h - what a search for near hosts has found, to be judged */
#ifndef PLINK_BENCH_SPARSE_ORDER_H
#define PLINK_BENCH_SPARSE_ORDER_H

#include "topology/sparse.h"

/* Fills order[n] with the hosts so that those of each part stand together, at every level; within
 * the smallest parts the nearest measured host follows each time. 0, or -1 with @err set: no
 * memory. */
int sparse_order(const struct pl_sparse *s, size_t *order, struct pl_err *err);

struct sparse_report {
	size_t n_pairs;  /* named so far */
	size_t n_steps;  /* calls of pl_sparse_next that named pairs */
	size_t busiest;  /* number of pairs of the host that is in the most */
	size_t n_groups; /* number of groups that are not divided further */
};

void sparse_describe(const struct pl_sparse *s, struct sparse_report *r);

#endif
