/* SPDX-License-Identifier: BSD-3-Clause */
/* report-taken.c - which algorithm a library takes by its own rules, for which size */
#include "config.h"

#include "src/order/report.h"

#include "base/text/size.h"
#include "costmodels/catalogue.h"

#include <stdio.h>
#include <stdlib.h>

/* Largest size for which the rules are evaluated; sizes are a factor of 2 apart. */
#define LAST_BYTES ((uint64_t)1 << 30)

/* The algorithm for calls of that size, or NULL if there is none. */
static const struct pl_algorithm *taken_for(const struct pl_reorder_answer *a, uint64_t bytes)
{
	struct pl_order_algorithm what = a->o->request.what;
	struct pl_call call, decided;

	what.has_size = true;
	what.bytes = bytes;
	if (pl_order_call(&what, &a->in->hosts, 0, &call, NULL))
		return NULL;
	return pl_algorithm_decide(what.a, &call, &decided);
}

/* Writes "bruck from 4, ring from 64k"; returns the number of changes. */
static size_t list_sizes(const struct pl_reorder_answer *a, FILE *out)
{
	const struct pl_algorithm *last = NULL;
	uint64_t bytes = PL_ORDER_ELEMENT;
	size_t n = 0;

	/* equal blocks for all */
	if (a->o->request.what.a->collective == PL_REDUCE_SCATTER)
		bytes *= pl_hosts_ranks(&a->in->hosts);
	for (; bytes <= LAST_BYTES; bytes *= 2) {
		const struct pl_algorithm *taken = taken_for(a, bytes);
		char size[PL_SIZE_CHARS];

		if (!taken || taken == last)
			continue;
		fprintf(out, "%s%s from %s", n++ ? ", " : "", taken->name,
			pl_size_format(size, bytes));
		last = taken;
	}
	return n;
}

/* No size was given: the order is for large calls. */
static void say_sizes(const struct pl_reorder_answer *a)
{
	const size_t n_ranks = pl_hosts_ranks(&a->in->hosts);
	char size[PL_SIZE_CHARS], *list = NULL;
	size_t len, n = 0;
	FILE *f = open_memstream(&list, &len);

	if (f)
		n = list_sizes(a, f);
	if (f && fclose(f) == 0 && n > 1)
		pl_reorder_say(
			"no --size: the order is for %s; by size the library takes %s",
			pl_size_format(size, pl_order_unsaid_bytes(&a->o->request.what, n_ranks)),
			list);
	else
		pl_reorder_say("no --size: the order is for large calls");
	free(list);
}

void pl_reorder_report_taken(const struct pl_reorder_answer *a)
{
	const struct pl_order_algorithm *what = &a->o->request.what;
	char title[PL_ORDER_TITLE];

	if (!a->r->taken)
		return;
	pl_reorder_say("%s: the library takes %s", pl_order_title(title, what), a->r->taken->name);
	if (!what->has_size && what->a->collective != PL_BARRIER)
		say_sizes(a);
}
