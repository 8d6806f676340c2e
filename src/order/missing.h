/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.h - what plink-order does about pairs without a measurement */
#ifndef PLINK_SRC_ORDER_MISSING_H
#define PLINK_SRC_ORDER_MISSING_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "src/order/options.h"
#include "src/order/remarks.h"

/*
 * Leaves no NaN in in->c, as @how says: refuses (PL_EPARTIAL), fills in the most expensive cost or
 * estimates (estimate.h), or drops the fewest hosts possible (cover.h). Of a matrix of sampled
 * pairs, the last drops only the hosts that cannot be estimated (unreachable.h) and estimates the
 * rest. Remarks name the hosts at fault, with the reason that @m notes, and say what was done. 0,
 * or -1 with @err set.
 */
int pl_reorder_missing(struct pl_order_input *in, enum pl_reorder_missing how,
		       const struct pl_matrix *m, struct pl_reorder_remarks *remarks,
		       struct pl_err *err);

/*
 * If the costs use a layer of bandwidths of @m: fills in->bandwidths from its cells between the
 * hosts of @in, and remarks how many of them are not reliable, if any. 0, or -1 with @err set: out
 * of memory.
 */
int pl_reorder_unreliable(struct pl_order_input *in, const struct pl_matrix *m,
			  struct pl_reorder_remarks *remarks, struct pl_err *err);

#endif
