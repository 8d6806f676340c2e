/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-clock.c - how long all-reduces take by the library and by
 * schedules */
#include "config.h"

#include "src/order/schedule-clock.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "engine/schedule-pattern.h"
#include "order/calls/candidates.h"
#include "order/calls/workload.h"
#include "src/order/source.h"

#include <stdlib.h>
#include <string.h>

void pl_reorder_clock_fini(struct pl_reorder_clock *t)
{
	pl_order_forecaster_fini(&t->caster);
	pl_order_forecaster_fini(&t->hub_caster);
	free(t->given);
	free(t->hub_at);
	memset(t, 0, sizeof(*t));
}

/* Hosts are in the order found, hubs behind them. */
static int init_hubs(struct pl_reorder_clock *t, const struct pl_order_request *q,
		     const struct pl_stop *stop, struct pl_err *err)
{
	const struct pl_reorder_hubs *hubs = &t->a->from->hubs;
	const size_t n = t->a->in->hosts.n;

	if (hubs->hosts.n == 0)
		return 0;
	t->hub_at = pl_array_create(hubs->all.hosts.n, sizeof(*t->hub_at));
	if (!t->hub_at)
		return pl_err_nomem(err);
	for (size_t k = 0; k < hubs->all.hosts.n; k++)
		t->hub_at[k] = k < n ? t->a->r->host_at[k] : k;
	if (pl_order_forecaster_init(&t->hub_caster, &hubs->all, q, err))
		return -1;
	t->hub_caster.stop = stop->flag;
	return 0;
}

int pl_reorder_clock_init(struct pl_reorder_clock *t, const struct pl_reorder_answer *a,
			  const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_order_request q = a->o->request;
	const struct pl_order_names names = {.collective = pl_collective_name(PL_ALLREDUCE),
					     .impl = pl_impl_name(q.what.a->impl),
					     .han = q.names.han};

	*t = (struct pl_reorder_clock){.a = a};
	t->given = pl_array_create(a->in->hosts.n, sizeof(*t->given));
	if (!t->given)
		return pl_err_nomem(err);
	for (size_t h = 0; h < a->in->hosts.n; h++)
		t->given[h] = h;
	if (pl_order_algorithm_find(&t->own, &names, err) ||
	    pl_protocol_find("engine-tcp", &t->protocol, err))
		goto fail;
	q.what = t->own;
	if (pl_order_forecaster_init(&t->caster, a->in, &q, err) || init_hubs(t, &q, stop, err))
		goto fail;
	t->caster.stop = stop->flag;
	return 0;
fail:
	pl_reorder_clock_fini(t);
	return -1;
}

static int check(const struct pl_pattern *p, struct pl_err *err)
{
	if (p->n_messages <= PL_ORDER_MESSAGES_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "a call has %zu messages, too many to be predicted in reasonable time",
			  p->n_messages);
}

static int predict(struct pl_order_forecaster *f, const struct pl_pattern *p, const size_t *host_at,
		   const struct pl_protocol *protocol, double *seconds, struct pl_err *err)
{
	struct pl_order_time time;

	pl_order_set_effort(f, p);
	if (pl_order_time(f, p, host_at, protocol, &time, err))
		return -1;
	*seconds = time.seconds;
	return 0;
}

int pl_reorder_clock_own(struct pl_reorder_clock *t, uint64_t bytes,
			 struct pl_reorder_own_time *time, struct pl_err *err)
{
	struct pl_order_work work = {.what = t->own};
	const struct pl_protocol *protocol = &t->caster.protocol;
	struct pl_pattern p = {0};
	int rc;

	work.what.has_size = true;
	work.what.bytes = bytes - bytes % PL_ORDER_ELEMENT;
	if (pl_order_workload_decide(&work, &t->a->in->hosts, err) ||
	    pl_order_pattern(&t->caster, &work.what, &p, err))
		return -1;
	time->algorithm = work.taken ? work.taken->name : t->own.a->name;
	rc = check(&p, err);
	if (rc == 0)
		rc = predict(&t->caster, &p, t->given, protocol, &time->given_s, err);
	if (rc == 0)
		rc = predict(&t->caster, &p, t->a->r->host_at, protocol, &time->found_s, err);
	pl_pattern_fini(&p);
	return rc;
}

static int time_schedule(struct pl_reorder_clock *t, struct pl_order_forecaster *f,
			 const size_t *host_at, const struct pl_schedule *s, uint64_t bytes,
			 double *seconds, struct pl_err *err)
{
	struct pl_pattern p = {0};
	int rc;

	if (pl_schedule_pattern(&p, s, f->n_ranks, bytes - bytes % PL_ORDER_ELEMENT, err))
		return -1;
	rc = check(&p, err);
	if (rc == 0)
		rc = predict(f, &p, host_at, &t->protocol, seconds, err);
	pl_pattern_fini(&p);
	return rc;
}

int pl_reorder_clock_schedule(struct pl_reorder_clock *t, const struct pl_schedule *s,
			      uint64_t bytes, double *seconds, struct pl_err *err)
{
	return time_schedule(t, &t->caster, t->a->r->host_at, s, bytes, seconds, err);
}

int pl_reorder_clock_hubs(struct pl_reorder_clock *t, const struct pl_schedule *s, uint64_t bytes,
			  double *seconds, struct pl_err *err)
{
	return time_schedule(t, &t->hub_caster, t->hub_at, s, bytes, seconds, err);
}
