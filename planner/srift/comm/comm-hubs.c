/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-hubs.c - the bus bandwidth of all-reduces with hubs beside the ranks */
#include "config.h"

#include "planner/srift/comm/comm-hubs.h"

#include <assert.h>
#include <math.h>

double pl_comm_hubs_s(size_t n_workers, double cards, double bytes, double bytes_per_s)
{
	const double n = (double)n_workers, k = fmin(cards, n);

	assert(n_workers >= 2);
	return 2 * n * (n - 1) / (n * n + k * n - 2 * k) * bytes / bytes_per_s;
}

/* How much faster than without hubs; at least 1. */
static double gain(const struct pl_comm_hubs *h, size_t n_ranks)
{
	const double slots = (double)h->slots;

	if (n_ranks < 2)
		return 1;
	return fmax(1, pl_bus_bytes(1, n_ranks) /
			       pl_comm_hubs_s(n_ranks, h->cards * slots, 1, 1 / slots));
}

static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const struct pl_comm_hubs *h = model;

	if (h->alone.bandwidth(h->alone.model, bytes, n_ranks, bytes_per_s, err))
		return -1;
	*bytes_per_s *= gain(h, n_ranks);
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	const struct pl_comm_hubs *h = model;

	if (h->alone.cap(h->alone.model, n_ranks, bytes_per_s, err))
		return -1;
	*bytes_per_s *= gain(h, n_ranks);
	return 0;
}

struct pl_comm pl_comm_hubs(const struct pl_comm_hubs *hubs)
{
	return (struct pl_comm){.model = hubs, .bandwidth = bandwidth, .cap = cap};
}
