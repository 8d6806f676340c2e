/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.h - what a byte costs between hosts, where that was measured */
#ifndef PLINK_ORDER_BANDWIDTH_H
#define PLINK_ORDER_BANDWIDTH_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/request.h"

#include <stdbool.h>

/* The matrix's layer of bandwidths of that name ("alone", "together", ...), for
 * NULL the first one; NULL: it has none. Borrowed. */
const struct pl_layer *pl_order_bandwidth(const struct pl_matrix *m,
					  const char *name);

/* Is that layer there, where a name is given? 0, or -1 with @err (PL_EINPUT)
 * naming those there are. */
int pl_order_bandwidth_check(const struct pl_matrix *m, const char *name,
			     struct pl_err *err);

/*
 * per_byte[n * n]: what a byte more costs from each host to each other one, in
 * the unit of the matrix's first layer, symmetrised as its costs are. NaN where
 * the layer tells no bandwidth, 0 on the diagonal.
 */
void pl_order_per_byte(const struct pl_matrix *m, const struct pl_layer *layer,
		       enum pl_symmetrize how, double *per_byte);

/*
 * The same from the rates of cards and uplinks in @m's header lines and @q's:
 * what a byte costs when all hosts with listed[host] send at once, so that
 * those of a rack share its uplink.
 * 0 where no rate is known, and on the diagonal. *known: any is. 0, or -1 with
 * @err set.
 */
int pl_order_shared_per_byte(const struct pl_matrix *m,
			     const struct pl_order_request *q,
			     const bool *listed, double *per_byte, bool *known,
			     struct pl_err *err);

/* The same of a matrix that has no such layer, by the rates of cards and
 * uplinks that its lines tell: what a flow gets by itself. *told: there were
 * any. 0, or -1 with @err set: lines that are wrong, no memory. */
int pl_order_per_byte_told(const struct pl_matrix *m, enum pl_symmetrize how,
			   double *per_byte, bool *told, struct pl_err *err);

#endif
