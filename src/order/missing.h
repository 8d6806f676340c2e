/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.h - what plink-order does about pairs nobody could measure */
#ifndef PLINK_SRC_ORDER_MISSING_H
#define PLINK_SRC_ORDER_MISSING_H

#include "order/input.h"
#include "src/order/options.h"

/*
 * Leaves no NaN in in->c: refuses (PL_EPARTIAL, the hosts named with the reason
 * that @m has noted), fills in the dearest cell there is or what the others say
 * of it (estimate.h), or drops the fewest hosts that will do (cover.h); of a
 * matrix of sampled pairs those that nothing can be said of (unreachable.h),
 * and then estimates. Says on stderr who is at fault and what was done. 0, or
 * -1 with @err set.
 */
int pl_order_missing(struct pl_order_input *in, enum pl_order_missing how,
		     const struct pl_matrix *m, struct pl_err *err);

#endif
