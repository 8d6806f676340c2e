/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - which settings of a library would make an order pay */
#ifndef PLINK_SRC_ORDER_SETTING_H
#define PLINK_SRC_ORDER_SETTING_H

#include "costmodels/pattern.h"
#include "src/err.h"
#include "src/order/forecast.h"

#include <stddef.h>

/* Fills row->eager_bytes and what follows it, where Open MPI's messages of the
 * pattern would pay for going eagerly in the order found. 0, or -1 with @err set. */
int pl_order_raise_eager(const struct pl_order_forecaster *f,
			 const struct pl_pattern *pattern, const size_t *given,
			 struct pl_order_row *row, struct pl_err *err);

#define PL_ORDER_SETTING 320

/* Options of mpirun for those limits (Open MPI's, "--mca ..."), or that take the row's
 * algorithm (Open MPI's, or MPICH's: "-genv MPIR_CVAR_... ..."); empty where there are
 * none. Return @buf. */
const char *pl_order_eager_setting(char buf[PL_ORDER_SETTING],
				   const struct pl_order_row *row);
const char *pl_order_force_setting(char buf[PL_ORDER_SETTING],
				   const struct pl_order_algorithm *what);

/* Is @seconds so much less than @instead that it may be recommended? */
bool pl_order_worth(double seconds, double instead);

/* Are both algorithms of one function of one library, so that either may run
 * where the other does? */
bool pl_order_same_call(const struct pl_algorithm *a,
			const struct pl_algorithm *b);

/* Open MPI's number and word for what the algorithm is one of, as its rules
 * and parameters have it: 2 and "allreduce". */
int pl_order_openmpi_id(const struct pl_algorithm *a);
const char *pl_order_openmpi_word(const struct pl_algorithm *a);

#endif
