/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - the forms an order is written in */
#ifndef PLINK_SRC_ORDER_OUTPUT_H
#define PLINK_SRC_ORDER_OUTPUT_H

#include "base/err.h"
#include "order/calls/promise.h"
#include "order/input.h"
#include "order/solve.h"
#include "src/order/forecast.h"
#include "src/order/options.h"
#include "src/order/rules.h"
#include "src/order/source.h"

#include <stdio.h>

/* What was found, and from what: all that goes into a file. */
struct pl_order_answer {
	const struct pl_order_options *o;
	const struct pl_order_source *from;
	const struct pl_order_input *in;
	const struct pl_order_result *r;
	const struct pl_hosts *given;    /* all; @in has those chosen */
	const struct pl_hosts *left_out; /* NULL: none were to be chosen */
	const struct pl_order_forecast *forecast; /* NULL: not asked for */
	const struct pl_order_rules *rules;       /* the same */
	const struct pl_order_promise
		*promise; /* NULL: hops are all there is */
};

/* Writes the order to @out in that format. 0, or -1 with @err set: memory, or a
 * host list that the format cannot tell. With a forecast a host file is the
 * table. The caller flushes and closes. */
int pl_order_write(const struct pl_order_answer *a, enum pl_order_format format,
		   FILE *out, struct pl_err *err);

/* The forecast as a table. */
void pl_order_write_forecast(const struct pl_order_answer *a, FILE *out);

/* PL_FORMAT_JSON. */
int pl_order_write_json(const struct pl_order_answer *a, FILE *out,
			struct pl_err *err);

#endif
