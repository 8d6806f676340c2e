/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c - orders to choose from, and the seconds of each call in them */
#include "config.h"

#include "order/calls/candidates.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one prediction plays out: about so many packets, and so many calls at least and at most. A
 * small message is one packet, a large one many. */
#define PLAYED_PACKETS 120000
#define DRAWN_PACKETS 60000
#define CALLS_LEAST 2
#define CALLS_MOST 400
#define PACKET_BYTES 16384
#define MESSAGE_PACKETS 64

void pl_order_candidates_fini(struct pl_order_candidates *c)
{
	for (size_t i = 0; c->view && i < c->w->n; i++) {
		pl_pattern_fini(&c->view[i].pattern);
		pl_order_model_fini(&c->view[i].hops);
	}
	free(c->view);
	free(c->host_at);
	free(c->time);
	pl_order_forecaster_fini(&c->caster);
	memset(c, 0, sizeof(*c));
}

const size_t *pl_order_candidate(const struct pl_order_candidates *c, size_t order)
{
	return c->host_at + order * c->in->hosts.n;
}

double pl_order_candidate_time(const struct pl_order_candidates *c, size_t order, size_t call)
{
	return c->time[order * c->w->n + call];
}

double pl_order_candidate_least(const struct pl_order_candidates *c, size_t call)
{
	double least = INFINITY;

	for (size_t k = 0; k < c->n; k++)
		least = fmin(least, pl_order_candidate_time(c, k, call));
	return least;
}

/* Many calls, one after the other, of small messages: their times depend most on chance. */
static void set_effort(struct pl_order_forecaster *f, const struct pl_pattern *p, double played)
{
	double packets = 1;

	for (size_t i = 0; i < p->n_messages; i++)
		packets += 1 + fmin((double)p->message[i].bytes / PACKET_BYTES, MESSAGE_PACKETS);
	f->repeat = (unsigned)fmin(fmax(played / packets, CALLS_LEAST), CALLS_MOST);
	f->starts = 1;
}

void pl_order_set_effort(struct pl_order_forecaster *f, const struct pl_pattern *p)
{
	set_effort(f, p, PLAYED_PACKETS);
}

static int predict(struct pl_order_candidates *c, size_t call, const size_t *host_at,
		   double *seconds, struct pl_err *err)
{
	const struct pl_order_view *view = &c->view[call];
	struct pl_order_time time;

	c->caster.apart = view->apart;
	if (!c->q->full_prediction)
		pl_order_set_effort(&c->caster, &view->pattern);
	if (pl_order_time(&c->caster, &view->pattern, host_at, &view->protocol, &time, err))
		return -1;
	*seconds = time.seconds;
	if (c->n > 1)
		return 0;
	return pl_order_guessed(&c->caster, &view->pattern, host_at, &view->protocol, time.seconds,
				&c->view[call].guessed, err);
}

static int time_order(struct pl_order_candidates *c, size_t order, struct pl_err *err)
{
	const size_t *host_at = pl_order_candidate(c, order);

	for (size_t i = 0; i < c->w->n; i++) {
		double *time = &c->time[order * c->w->n + i];

		if (!c->in_seconds)
			*time = pl_order_model_cost(&c->view[i].hops, host_at);
		else if (predict(c, i, host_at, time, err))
			return -1;
	}
	return 0;
}

/* From now on hops stand for seconds, also in the orders found so far. */
static int fall_back(struct pl_order_candidates *c, struct pl_err *err)
{
	c->in_seconds = false;
	for (size_t i = 0; i < c->w->n; i++) {
		struct pl_order_request q = *c->q;

		q.what = c->w->v[i].what;
		if (pl_order_model_init(&c->view[i].hops, c->in, &q, err))
			return -1;
	}
	for (size_t k = 0; k < c->n; k++)
		if (time_order(c, k, err))
			return -1;
	return 0;
}

int pl_order_candidates_fall_back(struct pl_order_candidates *c, const char *why,
				  struct pl_err *err)
{
	snprintf(c->why_not, sizeof(c->why_not), "%s", why);
	return fall_back(c, err);
}

/* Can seconds be predicted? 0: yes, or no with why_not set; -1 with @err
 * set. */
static int prepare(struct pl_order_candidates *c, struct pl_err *err)
{
	if (!c->in->matrix) {
		snprintf(c->why_not, sizeof(c->why_not), "distances by levels give no times");
		return 0;
	}
	if (pl_order_forecaster_init(&c->caster, c->in, c->q, err))
		return -1;
	c->caster.stop = c->stop->flag;
	for (size_t i = 0; i < c->w->n; i++) {
		const struct pl_order_work *work = &c->w->v[i];
		struct pl_order_view *view = &c->view[i];

		if (pl_protocol_of(work->what.a, work->what.radix, &view->protocol, err))
			return -1;
		view->apart = pl_collective_has_root(work->what.a->collective);
		if (pl_order_pattern(&c->caster, &work->what, &view->pattern, err)) {
			if (err->code != PL_EUSAGE)
				return -1;
			snprintf(c->why_not, sizeof(c->why_not), "%.*s",
				 (int)sizeof(c->why_not) - 1, err->text);
			*err = (struct pl_err){.code = PL_OK};
			return 0;
		}
		if (view->pattern.n_messages > PL_ORDER_MESSAGES_MAX) {
			snprintf(c->why_not, sizeof(c->why_not),
				 "a call has %zu messages, too many to be predicted in reasonable "
				 "time",
				 view->pattern.n_messages);
			return 0;
		}
	}
	c->in_seconds = true;
	return 0;
}

int pl_order_candidates_play(struct pl_order_candidates *c, const struct pl_order_drawn *d,
			     size_t order, double *time, struct pl_err *err)
{
	const struct pl_network measured = c->caster.net;
	int rc = 0;

	c->caster.net = d->net;
	for (size_t i = 0; rc == 0 && i < c->w->n; i++) {
		const struct pl_order_view *view = &c->view[i];
		struct pl_order_time played;

		c->caster.apart = view->apart;
		set_effort(&c->caster, &view->pattern, DRAWN_PACKETS);
		rc = pl_order_time(&c->caster, &view->pattern, pl_order_candidate(c, order),
				   &view->protocol, &played, err);
		time[i] = rc ? NAN : played.seconds;
	}
	c->caster.net = measured;
	c->caster.repeat = c->caster.starts = 0;
	return rc;
}

static int append(struct pl_order_candidates *c, const size_t *host_at, struct pl_err *err)
{
	const size_t n = c->in->hosts.n;
	size_t *orders = realloc(c->host_at, (c->n + 1) * n * sizeof(*orders));
	double *time;

	if (!orders)
		return pl_err_nomem(err);
	c->host_at = orders;
	time = realloc(c->time, (c->n + 1) * c->w->n * sizeof(*time));
	if (!time)
		return pl_err_nomem(err);
	c->time = time;
	memcpy(orders + c->n * n, host_at, n * sizeof(*orders));
	c->n++;
	return 0;
}

int pl_order_candidates_add(struct pl_order_candidates *c, const size_t *host_at,
			    struct pl_err *err)
{
	const size_t n = c->in->hosts.n;

	for (size_t k = 0; k < c->n; k++)
		if (memcmp(pl_order_candidate(c, k), host_at, n * sizeof(*host_at)) == 0)
			return 0;
	if (append(c, host_at, err))
		return -1;
	if (time_order(c, c->n - 1, err) == 0)
		return 0;
	if (err->code != PL_EPARTIAL)
		return -1;
	*err = (struct pl_err){.code = PL_OK};
	return pl_order_candidates_fall_back(c, "interrupted", err);
}

int pl_order_candidates_init(struct pl_order_candidates *c, const struct pl_order_workload *w,
			     const struct pl_order_input *in, const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err)
{
	size_t *given;
	int rc;

	*c = (struct pl_order_candidates){.w = w, .in = in, .q = q, .stop = stop};
	c->view = pl_array_create(w->n, sizeof(*c->view));
	given = pl_array_create(in->hosts.n, sizeof(*given));
	for (size_t h = 0; given && h < in->hosts.n; h++)
		given[h] = h;
	rc = c->view && given ? prepare(c, err) : pl_err_nomem(err);
	if (rc == 0 && !c->in_seconds)
		rc = fall_back(c, err);
	if (rc == 0)
		rc = pl_order_candidates_add(c, given, err);
	free(given);
	return rc;
}
