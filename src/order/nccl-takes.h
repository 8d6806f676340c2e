/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-takes.h - the algorithm that NCCL selects on the hosts of an order */
#ifndef PLINK_SRC_ORDER_NCCL_TAKES_H
#define PLINK_SRC_ORDER_NCCL_TAKES_H

#include "base/hosts/hosts.h"
#include "src/order/options.h"
#include "src/order/output.h"

#include <stdbool.h>

/* The value of NCCL_ALGO for the order: "Ring", "Tree", "PAT"; NULL: the order is not for NCCL, or
 * for its all-to-all, in which nothing is selected. */
const char *pl_reorder_nccl_algo(const struct pl_reorder_answer *a);

/* *algo: what NCCL selects by itself for the size, or NULL if that depends on
 * the machines. False: no size, only one host, not NCCL, or its
 * all-to-all. */
bool pl_reorder_nccl_takes(const struct pl_reorder_answer *a, const char **algo);

/* If no algorithm was named: sets it to the one that NCCL selects for the size, unless that depends
 * on the machines. Not for predictions, which consider all algorithms. */
void pl_reorder_nccl_default(struct pl_reorder_options *o, const struct pl_hosts *hosts);

#endif
