/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the input as a predictor sees it */
#ifndef PLINK_ORDER_CALLS_NETWORK_H
#define PLINK_ORDER_CALLS_NETWORK_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"
#include "predict/network.h"

/*
 * Fills in->matrix and in->machine from the matrix read: its first layer and
 * its bandwidths between the machines that are left, neither symmetrised nor
 * halved; where a cell is missing, what stands for it in the costs; and racks
 * and rates of cards and uplinks.
 * 0, or -1 with @err set.
 */
int pl_order_network_keep(struct pl_order_input *in, const struct pl_matrix *m,
			  struct pl_err *err);

/* The network of the machines, with the rates of --nic and --uplink
 * in place of those of all cards and all racks. 0, or -1 with
 * @err set and *net empty. */
int pl_order_network_init(struct pl_network *net,
			  const struct pl_order_input *in,
			  const struct pl_order_request *q, struct pl_err *err);

#endif
