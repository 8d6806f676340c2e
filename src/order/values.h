/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - reads and checks the values of plink-order's options */
/* @option is the option's name, for messages. All return -1 after a message
 * about a usage error. */
#ifndef PLINK_SRC_ORDER_VALUES_H
#define PLINK_SRC_ORDER_VALUES_H

#include "src/order/options.h"

#include <stdint.h>

/* The index of @value among the names, which end with NULL. */
int pl_order_choose(const char *option, const char *value,
		    const char *const *names);

int pl_order_number(const char *option, const char *value, int64_t min,
		    int64_t max, int64_t *out);

/* A number from 0 to @max. */
int pl_order_decimal(const char *option, const char *value, double max,
		     double *out);

/* A number above 1, at most 1e6. */
int pl_order_ratio(const char *option, const char *value, double *out);

/* "200Mbit" */
int pl_order_rate(const char *option, const char *value, double *bps);

/* --ports=LO-HI, --size=64k, --size=2k,64k,8M and --size=2k:10,8M:1,
 * --segment=64k */
int pl_order_ports(const char *value, struct pl_order_options *o);
int pl_order_sizes(const char *value, struct pl_order_options *o);
int pl_order_segment(const char *value, struct pl_order_options *o);

#endif
