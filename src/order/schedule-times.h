/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-times.h - what the all-reduces of a schedule take
 * (--predict=FILE) */
#ifndef PLINK_SRC_ORDER_SCHEDULE_TIMES_H
#define PLINK_SRC_ORDER_SCHEDULE_TIMES_H

#include "base/err.h"
#include "base/stop.h"
#include "order/input.h"
#include "src/order/options.h"

/* Writes the predicted time of an all-reduce by the schedule in o->schedule, at each size; its
 * hosts must be in @in. Returns the exit status, after a message where it is not PL_EXIT_DONE. */
int pl_reorder_schedule_times(const struct pl_order_input *in, const struct pl_reorder_options *o,
			      const struct pl_stop *stop, struct pl_err *err);

#endif
