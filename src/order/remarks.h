/* SPDX-License-Identifier: BSD-3-Clause */
/* remarks.h - what loading an input has brought up, for the caller to print */
#ifndef PLINK_SRC_ORDER_REMARKS_H
#define PLINK_SRC_ORDER_REMARKS_H

#include <stdbool.h>
#include <stddef.h>

struct pl_reorder_remark {
	char *text;
	bool warns; /* printed with --quiet, too */
};

/* v[n] in the order they were added. Start with {0}, end with fini. When memory runs out, @failed
 * is set and all later additions do nothing. */
struct pl_reorder_remarks {
	struct pl_reorder_remark *v;
	size_t n, room;
	bool failed; /* out of memory */
};

/* Add a line of information, or a warning. */
void pl_reorder_remark(struct pl_reorder_remarks *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void pl_reorder_remark_warning(struct pl_reorder_remarks *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints all on stderr, and keeps them. */
void pl_reorder_remarks_say(const struct pl_reorder_remarks *r);

void pl_reorder_remarks_fini(struct pl_reorder_remarks *r);

#endif
