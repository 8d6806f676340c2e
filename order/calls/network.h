/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the network of the input, for the predictor */
#ifndef PLINK_ORDER_CALLS_NETWORK_H
#define PLINK_ORDER_CALLS_NETWORK_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"
#include "predict/network.h"

/*
 * Fills in->matrix and in->machine from the matrix that was read: its first layer and its
 * bandwidths between the machines of the input, neither symmetrised nor halved; for a missing cell,
 * the value that the costs have in its place; racks, and rates of cards and uplinks. 0, or -1 with
 * @err set.
 */
int pl_order_network_keep(struct pl_order_input *in, const struct pl_matrix *m, struct pl_err *err);

/* Makes the network of the machines; --nic replaces the rates of all cards and --uplink those of
 * all racks. 0, or -1 with @err set and *net empty. */
int pl_order_network_init(struct pl_network *net, const struct pl_order_input *in,
			  const struct pl_order_request *q, struct pl_err *err);

#endif
