/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - shows the progress of a search on the terminal */
#ifndef PLINK_SRC_ORDER_PROGRESS_H
#define PLINK_SRC_ORDER_PROGRESS_H

#include "order/request.h"

/* A pl_order_progress_fn that writes a line to standard error; @arg is not
 * used. */
void pl_reorder_progress_show(void *arg, const struct pl_order_progress *now);

#endif
