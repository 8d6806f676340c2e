/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.h - the cost of a byte between hosts, if it is known */
#ifndef PLINK_ORDER_BANDWIDTH_H
#define PLINK_ORDER_BANDWIDTH_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/request.h"

#include <stdbool.h>

/*
 * Writes per_byte[n * n], the cost of one more byte from each host to each other one, in the unit
 * of the matrix's first layer, symmetrised like its costs. NaN where the layer has no bandwidth, 0
 * on the diagonal.
 */
void pl_order_per_byte(const struct pl_matrix *m, const struct pl_layer *layer,
		       enum pl_symmetrize how, double *per_byte);

/*
 * The same from the rates of cards and uplinks in @m's header lines and in @q: the cost of a byte
 * when all hosts with listed[host] send at once, so that the hosts of a rack share its uplink. 0
 * where no rate is known, and on the diagonal. *known: at least one rate is known; otherwise
 * per_byte is not written. 0, or -1 with @err set.
 */
int pl_order_shared_per_byte(const struct pl_matrix *m, const struct pl_order_request *q,
			     const bool *listed, double *per_byte, bool *known, struct pl_err *err);

/* The same for a matrix without a layer of bandwidths, from the rates of cards and uplinks in its
 * header lines: those of a flow without other traffic. *told: there are any; otherwise per_byte is
 * not written. 0, or -1 with @err set: malformed lines, out of memory. */
int pl_order_per_byte_told(const struct pl_matrix *m, enum pl_symmetrize how, double *per_byte,
			   bool *told, struct pl_err *err);

#endif
