/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - writes an order in the form that was asked for, or its cost */
#ifndef PLINK_SRC_ORDER_OUTPUT_H
#define PLINK_SRC_ORDER_OUTPUT_H

#include "base/err.h"
#include "base/stop.h"
#include "order/calls/promise.h"
#include "order/input.h"
#include "order/model.h"
#include "order/solve.h"
#include "src/order/forecast.h"
#include "src/order/options.h"
#include "src/order/rules.h"
#include "src/order/source.h"

#include <stdio.h>

struct pl_reorder_schedules;
struct pl_reorder_job;

/* The result and what it was found from: everything that goes into a file. */
struct pl_reorder_answer {
	const struct pl_reorder_options *o;
	const struct pl_reorder_source *from;
	const struct pl_order_input *in;
	const struct pl_order_result *r;
	const struct pl_hosts *given;                 /* all; @in has only those chosen */
	const struct pl_hosts *left_out;              /* NULL: none were to be chosen */
	const struct pl_reorder_forecast *forecast;   /* NULL: not asked for */
	const struct pl_reorder_rules *rules;         /* the same */
	const struct pl_reorder_schedules *schedules; /* the same */
	const struct pl_reorder_job *job;             /* NULL: not for a whole job */
	const struct pl_order_promise *promise;       /* NULL: judged by hops only */
};

/* Writes the order to @out in that format; with a forecast, the table in place of a host file. 0,
 * or -1 with @err set: out of memory, or hosts that the format cannot express. The caller flushes
 * and closes. */
int pl_reorder_write(const struct pl_reorder_answer *a, enum pl_reorder_format format, FILE *out,
		     struct pl_err *err);

/* Writes the forecast as a table. */
void pl_reorder_write_forecast(const struct pl_reorder_answer *a, FILE *out);

#define PL_REORDER_ROW_NAME 128

/* "NAME", or "NAME (TAKEN)" for a rule and what it takes. Returns @buf. */
const char *pl_reorder_with_taken(char buf[PL_REORDER_ROW_NAME], const char *name,
				  const struct pl_algorithm *taken);

/* Writes PL_FORMAT_JSON. 0, or -1 with @err set. */
int pl_reorder_write_json(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err);

/*
 * Reads the order in o->cost_of (a plan's default order, or a host list or host
 * file with a line per host or per rank) and writes its cost: a line with the
 * number, or JSON if o->format asks for it; with o->job, the cost of a step of
 * @job, in seconds, and @m is not used. The order must name every host of
 * the input and no other. Compares it with the given order and the bound on
 * stderr. Prints errors; returns the exit status.
 */
int pl_reorder_cost_of(const struct pl_reorder_source *from, const struct pl_order_input *in,
		       const struct pl_order_model *m, struct pl_reorder_job *job,
		       const struct pl_reorder_options *o, const struct pl_stop *stop,
		       struct pl_err *err);

#endif
