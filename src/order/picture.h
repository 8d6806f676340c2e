/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - what was found, as a report (--report) */
#ifndef PLINK_SRC_ORDER_PICTURE_H
#define PLINK_SRC_ORDER_PICTURE_H

#include "base/err.h"
#include "report/report.h"
#include "src/order/launch.h"
#include "src/order/output.h"

#include <stddef.h>
#include <stdio.h>

/* The answer, and what stood behind it before some hosts were chosen. */
struct pl_order_picture {
	const struct pl_order_answer *a;
	const struct pl_order_input *in; /* all hosts */
	const struct pl_order_result *r; /* over those */
	size_t n_seats;                  /* of its order */
	const char *command;  /* what keeps the order; NULL: not known */
	const char *launcher; /* whom it is for; NULL: nobody looked for one */
};

/* Writes the report in the form that its name o->report asks for. 0, or -1 with
 * @err set; the caller flushes and closes. */
int pl_order_picture_write(const struct pl_order_picture *p, FILE *out,
			   struct pl_err *err);

/* The same as text and blocks of colour for the terminal. 0, or -1 with @err
 * set. */
int pl_order_picture_show(const struct pl_order_picture *p, FILE *out,
			  struct pl_err *err);

/* What was asked, what took effect, what is the matter, predictions. 0, or -1:
 * no memory. */
int pl_order_picture_facts(struct pl_report *r,
			   const struct pl_order_picture *p);

#endif
