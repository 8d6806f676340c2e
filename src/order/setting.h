/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - settings of a library that shorten the predicted time */
#ifndef PLINK_SRC_ORDER_SETTING_H
#define PLINK_SRC_ORDER_SETTING_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "costmodels/settings.h"
#include "src/order/forecast.h"

#include <stddef.h>

/* Fills row->eager_bytes and the fields after it, if sending the messages of the pattern eagerly
 * shortens the time in the order found (Open MPI). 0, or -1 with @err set. */
int pl_reorder_raise_eager(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			   const size_t *given, struct pl_reorder_row *row, struct pl_err *err);

/* The options of mpirun for that limit ("--mca ..."); empty if there is none. Returns @buf. */
const char *pl_reorder_eager_setting(char buf[PL_SETTING_CHARS], const struct pl_reorder_row *row);

#define PL_REORDER_SETTING (PL_SETTING_CHARS + 32)

/* The options of mpirun that make the library run the algorithm of the row (pl_algorithm_setting);
 * where @mpi is Open MPI 5, also the one that keeps coll/han from being asked before coll/tuned.
 * Returns @buf. */
const char *pl_reorder_row_setting(char buf[PL_REORDER_SETTING], const struct pl_mpi *mpi,
				   const struct pl_reorder_row *row);

/* Is @seconds so much shorter than @instead that it may be recommended? */
bool pl_reorder_worth(double seconds, double instead);

#endif
