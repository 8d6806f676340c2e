/* SPDX-License-Identifier: BSD-3-Clause */
/* forecaster.c - seconds of a collective in an order of hosts */
#include "config.h"

#include "order/calls/forecaster.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/calls/network.h"
#include "solver/order/order-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Messages of a critical path that are examined; of a longer path, the last ones. */
#define PATH_MAX_MESSAGES 100000

static int take_hosts(struct pl_order_forecaster *f, struct pl_err *err)
{
	const struct pl_hosts *hosts = &f->in->hosts;

	f->n_ranks = pl_hosts_ranks(hosts);
	f->slots = pl_array_create(hosts->n, sizeof(*f->slots));
	f->at = pl_array_create(f->n_ranks, sizeof(*f->at));
	if (!f->slots || !f->at)
		return pl_err_nomem(err);
	for (size_t h = 0; h < hosts->n; h++)
		f->slots[h] = (size_t)hosts->v[h].slots;
	return 0;
}

int pl_order_forecaster_init(struct pl_order_forecaster *f, const struct pl_order_input *in,
			     const struct pl_order_request *q, struct pl_err *err)
{
	memset(f, 0, sizeof(*f));
	f->in = in;
	f->apart = pl_collective_has_root(q->what.a->collective);
	if (pl_protocol_of(q->what.a, q->what.radix, &f->protocol, err) ||
	    pl_order_network_init(&f->net, in, q, err) ||
	    pl_order_network_init(&f->slow, in, q, err) || take_hosts(f, err)) {
		pl_order_forecaster_fini(f);
		return -1;
	}
	if (!pl_network_suppose(&f->slow, pl_network_least_bps(&f->slow)))
		pl_network_fini(&f->slow);
	return 0;
}

void pl_order_forecaster_fini(struct pl_order_forecaster *f)
{
	pl_network_fini(&f->net);
	pl_network_fini(&f->slow);
	free(f->slots);
	free(f->at);
	memset(f, 0, sizeof(*f));
}

bool pl_order_forecaster_has_rates(const struct pl_order_forecaster *f)
{
	return f->net.bytes_per_s || pl_tiers_have_rates(&f->net.tiers);
}

bool pl_order_forecaster_knows_rates(const struct pl_order_forecaster *f)
{
	return !f->slow.latency_s;
}

int pl_order_pattern(const struct pl_order_forecaster *f, const struct pl_order_algorithm *what,
		     struct pl_pattern *pattern, struct pl_err *err)
{
	struct pl_call call;

	if (pl_order_call(what, &f->in->hosts, 0, &call, err))
		return -1;
	return pl_algorithm_pattern(what->a, &call, pattern, err);
}

/* Sums up what the messages along the path waited for. */
static void judge_path(const struct pl_prediction *p, struct pl_order_time *time)
{
	double part[PL_BY_RECEIVER + 1] = {0}, whole = 0, last_s = 0;

	/* time before the first message does not count for it */
	if (p->n_path == PATH_MAX_MESSAGES)
		last_s = p->path[0].begin_s;
	for (size_t i = 0; i < p->n_path; i++) {
		const struct pl_path_message *m = &p->path[i];
		const double s = fmax(m->end_s - last_s, 0);

		part[m->bound] += s;
		whole += s;
		last_s = fmax(m->end_s, last_s);
	}
	time->bound = PL_BY_LATENCY;
	for (int b = 0; b <= PL_BY_RECEIVER; b++)
		if (part[b] > part[time->bound])
			time->bound = (enum pl_bound)b;
	time->share = whole > 0 ? part[time->bound] / whole : 0;
}

/* Is there a rank that waits for none? In repeated calls it would run ahead of all others. */
static bool runs_ahead(const struct pl_pattern *p)
{
	for (size_t pos = 0; pos < p->n_pos; pos++)
		if (p->into[pos] == p->into[pos + 1])
			return true;
	return false;
}

/* Over @net, on the machines machine_at[] of the ranks. */
static int time_on(const struct pl_order_forecaster *f, const struct pl_network *net,
		   const struct pl_pattern *pattern, const size_t *machine_at,
		   const struct pl_protocol *protocol, struct pl_order_time *time,
		   struct pl_err *err)
{
	const struct pl_predict_options options = {
		.apart = f->apart || runs_ahead(pattern),
		.repeat = f->repeat,
		.starts = f->starts,
		.path_max = PATH_MAX_MESSAGES,
		.stop = f->stop,
	};
	struct pl_prediction p = {0};

	if (pl_predict(pattern, machine_at, net, protocol, &options, &p, err))
		return -1;
	time->seconds = p.seconds;
	judge_path(&p, time);
	pl_prediction_fini(&p);
	return 0;
}

/* Machines of the ranks with the hosts in that order. */
static const size_t *place(const struct pl_order_forecaster *f, const size_t *host_at)
{
	pl_order_expand(host_at, f->in->hosts.n, f->slots, f->at);
	for (size_t k = 0; k < f->n_ranks; k++)
		f->at[k] = f->in->machine[f->at[k]];
	return f->at;
}

int pl_order_time(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
		  const size_t *host_at, const struct pl_protocol *protocol,
		  struct pl_order_time *time, struct pl_err *err)
{
	return time_on(f, &f->net, pattern, place(f, host_at), protocol, time, err);
}

/* Machines of the ranks on these hosts; the caller frees them. */
static size_t *place_ranks(const struct pl_order_forecaster *f, const size_t *rank_at, size_t n)
{
	size_t *at = pl_array_create(n, sizeof(*at));

	for (size_t k = 0; at && k < n; k++)
		at[k] = f->in->machine[rank_at[k]];
	return at;
}

int pl_order_time_ranks(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			const size_t *rank_at, const struct pl_protocol *protocol,
			struct pl_order_time *time, struct pl_err *err)
{
	size_t *at = place_ranks(f, rank_at, pattern->n_pos);
	int rc = at ? time_on(f, &f->net, pattern, at, protocol, time, err) : pl_err_nomem(err);

	free(at);
	return rc;
}

static int guess(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
		 const size_t *machine_at, const struct pl_protocol *protocol, double seconds,
		 bool *guessed, struct pl_err *err)
{
	struct pl_order_time slow;

	*guessed = false;
	if (pl_order_forecaster_knows_rates(f))
		return 0;
	if (time_on(f, &f->slow, pattern, machine_at, protocol, &slow, err))
		return -1;
	*guessed = slow.seconds > seconds * (1 + PL_ORDER_WORTH / 100.0);
	return 0;
}

int pl_order_guessed(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
		     const size_t *host_at, const struct pl_protocol *protocol, double seconds,
		     bool *guessed, struct pl_err *err)
{
	return guess(f, pattern, place(f, host_at), protocol, seconds, guessed, err);
}

int pl_order_guessed_ranks(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			   const size_t *rank_at, const struct pl_protocol *protocol,
			   double seconds, bool *guessed, struct pl_err *err)
{
	size_t *at = place_ranks(f, rank_at, pattern->n_pos);
	int rc = at ? guess(f, pattern, at, protocol, seconds, guessed, err) : pl_err_nomem(err);

	free(at);
	return rc;
}
