/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw-plan.c - bus bandwidths of a measured network, in the order a job will have */
#include "config.h"

#include "planner/srift/comm/busbw-plan.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "predict/predict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BYTES ((uint64_t)1 << 10)
#define LARGE_BYTES ((uint64_t)1 << 20)
#define MOST_BYTES ((uint64_t)64 << 20)

static size_t find_host(const struct pl_hosts *hosts, const struct pl_host *host)
{
	size_t i = 0;

	while (i < hosts->n &&
	       (strcmp(hosts->v[i].name, host->name) != 0 || hosts->v[i].port != host->port))
		i++;
	return i;
}

size_t *pl_placed_match(const struct pl_plan *plan, const struct pl_matrix *m, struct pl_err *err)
{
	size_t *host_of = pl_array_create(plan->hosts.n, sizeof(*host_of));

	if (!host_of) {
		pl_err_nomem(err);
		return NULL;
	}
	for (size_t i = 0; i < plan->hosts.n; i++) {
		host_of[i] = find_host(&m->hosts, &plan->hosts.v[i]);
		if (host_of[i] < m->hosts.n)
			continue;
		pl_err_set(err, PL_EINPUT,
			   "host %s of the plan is not in the matrix: take the matrix that the "
			   "plan was made from",
			   plan->hosts.v[i].name);
		free(host_of);
		return NULL;
	}
	return host_of;
}

/* The first order for that size. */
static const struct pl_order *find_order(const struct pl_plan *plan, uint64_t bytes,
					 struct pl_err *err)
{
	for (size_t i = 0; i < plan->n_orders; i++) {
		const struct pl_order *order = &plan->order[i];

		if (strcmp(order->collective, pl_collective_name(PL_ALLREDUCE)) == 0 &&
		    order->size_min <= bytes && bytes <= order->size_max)
			return order;
	}
	pl_err_set(err, PL_EINPUT, "the plan has no order for an all-reduce of %" PRIu64 " bytes",
		   bytes);
	return NULL;
}

/* Hosts of ranks: those of a host stand together. */
static void place_ranks(const struct pl_placed *placed, const struct pl_order *order,
			enum pl_placed_order which, size_t *host_at)
{
	const struct pl_hosts *hosts = &placed->plan->hosts;
	size_t n = 0;

	for (size_t pos = 0; pos < hosts->n; pos++) {
		const size_t host = which == PL_ORDER_FOUND ? order->host_at[pos] : pos;

		for (int k = 0; k < hosts->v[host].slots; k++)
			host_at[n++] = placed->host_of[host];
	}
}

/* Ranks of each host, where all have as many; else 1, as if there were no hosts. */
static size_t common_slots(const struct pl_hosts *hosts)
{
	for (size_t i = 1; i < hosts->n; i++)
		if (hosts->v[i].slots != hosts->v[0].slots)
			return 1;
	return (size_t)hosts->v[0].slots;
}

/* Seconds of one size; host_at[n_ranks] is scratch. */
static int predict(const struct pl_placed *placed, enum pl_placed_order which, uint64_t bytes,
		   size_t *host_at, double *seconds, struct pl_err *err)
{
	const struct pl_order *order = find_order(placed->plan, bytes, err);
	const struct pl_hosts *hosts = &placed->plan->hosts;
	/* chance matters where little is sent */
	const struct pl_predict_options options = {.starts = bytes > LARGE_BYTES ? 1 : 0};
	const struct pl_algorithm *a;
	struct pl_prediction p = {0};
	struct pl_pattern pattern = {0};
	struct pl_protocol protocol;
	struct pl_call call = {
		.n_pos = pl_hosts_ranks(hosts), .bytes = bytes, .slots = common_slots(hosts)};
	enum pl_impl impl;
	int rc;

	if (!order || pl_impl_parse(order->impl, &impl, err))
		return -1;
	a = pl_catalogue_find(PL_ALLREDUCE, impl, order->algorithm, &call.radix, err);
	if (!a || pl_protocol_of(a, call.radix, &protocol, err) ||
	    pl_algorithm_pattern(a, &call, &pattern, err))
		return -1;
	place_ranks(placed, order, which, host_at);
	rc = pl_predict(&pattern, host_at, placed->net, &protocol, &options, &p, err);
	*seconds = p.seconds;
	pl_prediction_fini(&p);
	pl_pattern_fini(&pattern);
	return rc;
}

static int fill(struct pl_busbw_world *w, const struct pl_placed *placed,
		enum pl_placed_order which, uint64_t bytes, struct pl_err *err)
{
	size_t *host_at = pl_array_create(w->n_ranks, sizeof(*host_at));
	const uint64_t most = bytes > MOST_BYTES ? bytes : MOST_BYTES;
	int rc = host_at ? 0 : pl_err_nomem(err);

	for (uint64_t s = LEAST_BYTES; rc == 0 && s < 2 * most; s *= 2) {
		double seconds;

		rc = predict(placed, which, s, host_at, &seconds, err);
		if (rc == 0 &&
		    pl_busbw_add_size(w, (double)s, pl_bus_bytes((double)s, w->n_ranks) / seconds))
			rc = pl_err_nomem(err);
	}
	free(host_at);
	return rc;
}

int pl_busbw_predict(struct pl_busbw *t, const struct pl_placed *placed, enum pl_placed_order which,
		     uint64_t bytes, struct pl_err *err)
{
	struct pl_busbw_world w = {.n_ranks = pl_hosts_ranks(&placed->plan->hosts)};
	int rc;

	if (w.n_ranks < 2)
		return pl_err_set(err, PL_EINPUT, "the plan has one rank: an all-reduce needs two");
	if (!pl_tiers_have_rates(&placed->net->tiers) && !placed->net->bytes_per_s)
		return pl_err_set(err, PL_EINPUT,
				  "the matrix has no layer of bandwidths: give the rate of a card "
				  "with --nic");
	rc = fill(&w, placed, which, bytes, err);
	if (rc == 0)
		rc = pl_busbw_take(t, &w, err);
	if (rc)
		pl_busbw_world_fini(&w);
	return rc;
}
