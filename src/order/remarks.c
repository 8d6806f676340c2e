/* SPDX-License-Identifier: BSD-3-Clause */
/* remarks.c - keeps what loaders have to say until the tool prints it */
#include "config.h"

#include "src/order/remarks.h"

#include "base/mem.h"
#include "src/order/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct pl_reorder_remarks *r, bool warns, const char *fmt, va_list ap)
{
	char *text;

	if (r->failed)
		return;
	if (vasprintf(&text, fmt, ap) < 0) {
		r->failed = true;
		return;
	}
	if (pl_array_grow((void **)&r->v, &r->room, r->n + 1, sizeof(*r->v))) {
		free(text);
		r->failed = true;
		return;
	}
	r->v[r->n++] = (struct pl_reorder_remark){.text = text, .warns = warns};
}

void pl_reorder_remark(struct pl_reorder_remarks *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(r, false, fmt, ap);
	va_end(ap);
}

void pl_reorder_remark_warning(struct pl_reorder_remarks *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(r, true, fmt, ap);
	va_end(ap);
}

void pl_reorder_remarks_say(const struct pl_reorder_remarks *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].warns)
			pl_reorder_warn("%s", r->v[i].text);
		else
			pl_reorder_say("%s", r->v[i].text);
}

void pl_reorder_remarks_fini(struct pl_reorder_remarks *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->v[i].text);
	free(r->v);
	memset(r, 0, sizeof(*r));
}
