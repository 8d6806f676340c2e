/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - which settings of a library would make an order pay */
#ifndef PLINK_SRC_ORDER_SETTING_H
#define PLINK_SRC_ORDER_SETTING_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "costmodels/settings.h"
#include "src/order/forecast.h"

#include <stddef.h>

/* Fills row->eager_bytes and what follows it, where Open MPI's messages of the
 * pattern would pay for going eagerly in the order found. 0, or -1 with @err
 * set. */
int pl_order_raise_eager(const struct pl_order_forecaster *f,
			 const struct pl_pattern *pattern, const size_t *given,
			 struct pl_order_row *row, struct pl_err *err);

/* Options of mpirun for those limits ("--mca ..."); empty where there are none.
 * Returns @buf. */
const char *pl_order_eager_setting(char buf[PL_SETTING_CHARS],
				   const struct pl_order_row *row);

/* Is @seconds so much less than @instead that it may be recommended? */
bool pl_order_worth(double seconds, double instead);

#endif
