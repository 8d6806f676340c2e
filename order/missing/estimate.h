/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - cells nobody could measure, from those of others */
#ifndef PLINK_ORDER_MISSING_ESTIMATE_H
#define PLINK_ORDER_MISSING_ESTIMATE_H

#include "order/input.h"

/*
 * Puts into every NaN of the square cell[n * n] of costs what the rest says of
 * it (topology/estimate.h), times what nine of ten measured ones are at most
 * above it: an order would pick the estimates that are too low. *n_filled of
 * them, *by what (static; NULL where there were none). 0, or -1 with @err set:
 * PL_EPARTIAL where no chain of measured pairs links two of the hosts,
 * PL_ESYSTEM.
 */
int pl_order_estimate(const struct pl_order_input *in, double *cell,
		      size_t *n_filled, const char **by, struct pl_err *err);

#endif
