/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pairs.c - on stderr: all-to-alls in which all pairs send at once, so that orders do not
 * differ */
#include "config.h"

#include "src/order/report.h"

#include "base/text/size.h"
#include "costmodels/catalogue.h"

#include <stdio.h>
#include <stdlib.h>

/* Is it a call that every order makes equally fast? */
static bool is_even(const struct pl_reorder_answer *a, const struct pl_order_algorithm *what)
{
	struct pl_call call;
	struct pl_shape shape;
	bool even;

	if (what->a->collective != PL_ALLTOALL ||
	    pl_order_call(what, &a->in->hosts, 0, &call, NULL) ||
	    pl_algorithm_shape(what->a, &call, &shape, NULL))
		return false;
	even = pl_shape_all_pairs(&shape) > 0;
	pl_shape_fini(&shape);
	return even;
}

/* The promise's calls that are such, "alltoall 2k, 64k"; returns how many. */
static size_t list_sizes(const struct pl_reorder_answer *a, FILE *out)
{
	const struct pl_order_workload *w = &a->promise->w;
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct pl_order_algorithm *what = &w->v[i].what;
		char size[PL_SIZE_CHARS];

		if (is_even(a, what))
			fprintf(out, "%s%s", n++ ? ", " : "alltoall ",
				pl_size_format(size, what->bytes));
	}
	return n;
}

void pl_reorder_report_pairs(const struct pl_reorder_answer *a)
{
	static const char why[] =
		"all pairs of ranks send at once: no order of these hosts is faster than another";
	char *list = NULL;
	size_t len, n = 0;
	FILE *f;

	if (!a->promise) {
		if (is_even(a, &a->o->request.what))
			pl_reorder_say("%s", why);
		return;
	}
	f = open_memstream(&list, &len);
	if (f)
		n = list_sizes(a, f);
	if (f && fclose(f) == 0 && n > 0)
		pl_reorder_say("%s: %s", list, why);
	free(list);
}
