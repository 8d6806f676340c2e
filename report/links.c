/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - the hops of a collective, laid over hosts in an order */
#include "config.h"

#include "report/report.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The host of each position of the shape. NULL: no memory. */
static size_t *expand(const struct pl_report *r, const struct pl_report_call *call,
		      const size_t *host_at, size_t n)
{
	const size_t n_pos = call->shape->n_pos;
	size_t *at = pl_array_create(n_pos, sizeof(*at));
	size_t pos = 0;

	for (size_t k = 0; at && k < n; k++) {
		const size_t host = host_at ? host_at[k] : k;
		const int slots = call->by_host ? 1 : r->from.hosts->v[host].slots;

		for (int s = 0; s < slots && pos < n_pos; s++)
			at[pos++] = host;
	}
	return at;
}

static int by_ends(const void *a, const void *b)
{
	const struct pl_report_link *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	return x->cost > y->cost ? -1 : x->cost < y->cost;
}

/* Same hops of a group become one, taken as often as they are, with the dearest cost. */
static void merge(struct pl_report_links *links)
{
	size_t n = 0;

	qsort(links->v, links->n, sizeof(*links->v), by_ends);
	for (size_t i = 0; i < links->n; i++) {
		struct pl_report_link *last = n > 0 ? &links->v[n - 1] : NULL;
		const struct pl_report_link *l = &links->v[i];

		if (last && last->group == l->group && last->src == l->src && last->dst == l->dst)
			last->times += l->times;
		else
			links->v[n++] = *l;
	}
	links->n = n;
}

/* Which hops, and what each of them costs; those within a host are none. */
static int lay(struct pl_report_links *links, const struct pl_report *r,
	       const struct pl_report_call *call, const size_t *host_at, size_t n)
{
	const struct pl_shape *s = call->shape;
	size_t *at = expand(r, call, host_at, n);
	int rc = at ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < s->n_hops; i++) {
		const struct pl_hop *hop = &s->hop[i];
		const size_t src = at[hop->src], dst = at[hop->dst];
		const size_t cell = src * r->n + dst;
		struct pl_report_link link = {
			.src = src,
			.dst = dst,
			.group = s->kind == PL_LONGEST_PATH ? hop->group : 0,
			.cost = r->from.c[cell],
			.times = hop->times,
			.missing = isnan(pl_report_cell(r, src, dst)),
		};

		if (r->from.per_byte)
			link.cost += hop->bytes * r->from.per_byte[cell];
		if (src == dst)
			continue;
		rc = pl_array_grow((void **)&links->v, &links->room, links->n, sizeof(*links->v));
		if (rc == 0)
			links->v[links->n++] = link;
	}
	free(at);
	if (rc == 0 && links->n > 0)
		merge(links);
	return rc;
}

struct pl_report_order *pl_report_add_order(struct pl_report *r, const struct pl_report_call *call,
					    const size_t *host_at, size_t n, struct pl_err *err)
{
	struct pl_report_order *o;

	if (pl_array_grow((void **)&r->order, &r->orders_room, r->n_orders, sizeof(*r->order)))
		goto no_memory;
	o = &r->order[r->n_orders];
	*o = (struct pl_report_order){
		.n = n,
		.given = NAN,
		.cost = NAN,
		.bound = NAN,
		.kind = call->shape->kind,
		.n_groups = call->shape->n_groups,
		.host_at = pl_array_create(n, sizeof(*o->host_at)),
	};
	r->n_orders++; /* from here on fini releases it */
	if (!o->host_at)
		goto no_memory;
	memcpy(o->host_at, host_at, n * sizeof(*host_at));
	snprintf(o->title, sizeof(o->title), "%s", call->title);
	if (lay(&o->in_found, r, call, host_at, n) || lay(&o->in_given, r, call, NULL, n))
		goto no_memory;
	return o;
no_memory:
	pl_err_nomem(err);
	return NULL;
}
