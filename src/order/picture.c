/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - the result as a report (--report) */
#include "config.h"

#include "src/order/picture.h"

#include "costmodels/catalogue.h"
#include "report/text.h"

#include <math.h>

/* The order with its hops and costs; of several calls those of the largest. */
static int add_order(struct pl_report *r, const struct pl_reorder_picture *p, struct pl_err *err)
{
	const struct pl_order_promise *promise = p->a->promise;
	const size_t largest = promise ? pl_order_largest(promise) : 0;
	const struct pl_order_pledge *call = promise ? &promise->call[largest] : NULL;
	const struct pl_order_algorithm *what =
		promise ? &promise->w.v[largest].what : &p->a->o->request.what;
	const bool blended = promise && promise->blended;
	struct pl_hosts seated = p->in->hosts; /* borrowed; the owner does not matter */
	char title[PL_ORDER_TITLE];
	struct pl_shape shape = {0};
	struct pl_report_order *order = NULL;
	struct pl_call call_of;

	seated.n = p->n_seats;
	if (pl_order_call(what, &seated, 0, &call_of, err) ||
	    pl_algorithm_shape(what->a, &call_of, &shape, err))
		return -1;
	order = pl_report_add_order(r,
				    &(struct pl_report_call){
					    .title = pl_order_title(title, what),
					    .shape = &shape,
					    .by_host = call_of.n_ranks > 0,
				    },
				    p->r->host_at, p->n_seats, err);
	pl_shape_fini(&shape);
	if (!order)
		return -1;
	order->given = call ? call->hops_given : p->r->cost_given;
	order->cost = call ? call->hops : p->r->cost;
	order->bound = blended ? NAN : p->r->bound;
	order->exact = !blended && p->r->exact;
	if (promise && promise->guessed) /* costs without sizes are none */
		order->given = order->cost = order->bound = NAN;
	return 0;
}

/* Collects everything; end with pl_report_fini. */
static int gather(struct pl_report *r, const struct pl_reorder_picture *p, struct pl_err *err)
{
	const struct pl_order_input *in = p->in;
	const bool bytes = p->a->o->request.what.has_size || p->a->promise || p->a->job ||
			   (in->window_bytes > 0 && p->a->o->request.what.a->decide);
	const struct pl_report_source from = {
		.matrix = p->a->from->seen,
		.hosts = &in->hosts,
		.cell_of = p->a->from->seen_of,
		.c = in->c,
		.per_byte = bytes ? in->per_byte : NULL,
		.tool = PL_REORDER_TOOL,
	};

	if (pl_report_init(r, &from, err))
		return -1;
	if ((p->a->job ? pl_reorder_picture_job(r, p, err) : add_order(r, p, err)) == 0) {
		if (pl_reorder_picture_facts(r, p) == 0)
			return 0;
		pl_err_nomem(err);
	}
	pl_report_fini(r);
	return -1;
}

int pl_reorder_picture_write(const struct pl_reorder_picture *p, const struct pl_terminal *terminal,
			     FILE *out, struct pl_err *err)
{
	struct pl_report r;
	int rc;

	if (gather(&r, p, err))
		return -1;
	rc = terminal ? pl_report_write_text(&r, terminal, out, err)
		      : pl_report_writer(p->a->o->report)(&r, out, err);
	pl_report_fini(&r);
	return rc;
}
