/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - draws the result (--report) */
#ifndef PLINK_SRC_ORDER_PICTURE_H
#define PLINK_SRC_ORDER_PICTURE_H

#include "base/err.h"
#include "report/report.h"
#include "src/order/launch.h"
#include "src/order/output.h"

#include <stddef.h>
#include <stdio.h>

/* The answer, and the input and result before hosts were chosen. */
struct pl_reorder_picture {
	const struct pl_reorder_answer *a;
	const struct pl_order_input *in; /* all hosts */
	const struct pl_order_result *r; /* over all hosts */
	size_t n_seats;                  /* hosts of its order that are used */
	/* command that keeps the order; NULL: not known */
	const char *command;
	const char *launcher; /* whom it is for; NULL: not looked for */
};

/* Writes the report: for @terminal as text and coloured blocks, or if that is NULL in the form that
 * the name o->report ends in. 0, or -1 with @err set; the caller flushes and closes. */
int pl_reorder_picture_write(const struct pl_reorder_picture *p, const struct pl_terminal *terminal,
			     FILE *out, struct pl_err *err);

/* Adds the order of a job and its kinds. 0, or -1 with @err set. */
int pl_reorder_picture_job(struct pl_report *r, const struct pl_reorder_picture *p,
			   struct pl_err *err);

/* Adds the facts: options, what took effect, warnings, predictions. 0, or -1: out of memory. */
int pl_reorder_picture_facts(struct pl_report *r, const struct pl_reorder_picture *p);

#endif
