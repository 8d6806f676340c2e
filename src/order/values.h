/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - values of plink-order's options, checked */
/* @option is the option's name, for messages. All give -1 once the usage error
 * has been told. */
#ifndef PLINK_SRC_ORDER_VALUES_H
#define PLINK_SRC_ORDER_VALUES_H

#include "src/order/options.h"

#include <stdint.h>

/* Index of @value among the names, NULL behind the last. */
int pl_order_choose(const char *option, const char *value,
		    const char *const *names);

int pl_order_number(const char *option, const char *value, int64_t min,
		    int64_t max, int64_t *out);

/* From 0 to @max. */
int pl_order_decimal(const char *option, const char *value, double max,
		     double *out);

/* More than 1, 1e6 at most. */
int pl_order_ratio(const char *option, const char *value, double *out);

/* "200Mbit" */
int pl_order_rate(const char *option, const char *value, double *bps);

/* --ports=LO-HI, --size=64k, --size=2k,64k,8M and --size=2k:10,8M:1,
 * --segment=64k */
int pl_order_ports(const char *value, struct pl_order_options *o);
int pl_order_sizes(const char *value, struct pl_order_options *o);
int pl_order_segment(const char *value, struct pl_order_options *o);

#endif
