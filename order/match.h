/* SPDX-License-Identifier: BSD-3-Clause */
/* match.h - which hosts of the matrix those of the list are */
#ifndef PLINK_ORDER_MATCH_H
#define PLINK_ORDER_MATCH_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"

#include <stddef.h>

/* index[hosts.n]: the matrix's host for each of the input's, which learns its
 * node name and address from it. 0, or -1 with @err set: PL_EINPUT for a host
 * that is not there or not only once, memory. */
int pl_order_match(struct pl_order_input *in, const struct pl_matrix *m,
		   size_t *index, struct pl_err *err);

#endif
