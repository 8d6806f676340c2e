/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-takes.h - what NCCL takes by itself on the hosts of an order */
#ifndef PLINK_SRC_ORDER_NCCL_TAKES_H
#define PLINK_SRC_ORDER_NCCL_TAKES_H

#include "base/hosts/hosts.h"
#include "src/order/options.h"
#include "src/order/output.h"

#include <stdbool.h>

/* "Ring", "Tree", "PAT"; NULL: the order is not for NCCL. */
const char *pl_order_nccl_algo(const struct pl_order_answer *a);

/* What NCCL takes by itself for the size, NULL where that depends on the
 * machines. False: no size, one host alone or not NCCL. */
bool pl_order_nccl_takes(const struct pl_order_answer *a, const char **algo);

/* Where no algorithm was named: makes it the one that NCCL takes for the size,
 * if that does not depend on the machines. Predictions look at all anyway. */
void pl_order_nccl_default(struct pl_order_options *o,
			   const struct pl_hosts *hosts);

#endif
