/* SPDX-License-Identifier: BSD-3-Clause */
/* unreliable.h - bandwidths that the matrix notes as not reliable */
#ifndef PLINK_SRC_ORDER_UNRELIABLE_H
#define PLINK_SRC_ORDER_UNRELIABLE_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "src/order/remarks.h"

/*
 * If the costs use a layer of bandwidths of @m: fills in->bandwidths from its
 * cells between the hosts of @in, and remarks how many of them are not
 * reliable, if any. 0, or -1 with @err set: out of memory.
 */
int pl_reorder_unreliable(struct pl_order_input *in, const struct pl_matrix *m,
			  struct pl_reorder_remarks *remarks,
			  struct pl_err *err);

#endif
