/* SPDX-License-Identifier: BSD-3-Clause */
/* point-ring.c - a short ring through many points */
#include "config.h"

#include "solver/points/point-ring.h"

#include "base/mem.h"
#include "solver/hops.h"
#include "solver/neighbours.h"
#include "solver/points/point-start.h"
#include "solver/ring/ring-restart.h"

#include <stdlib.h>
#include <string.h>

/* Of the points that are near, of all and of each quadrant, those with the
 * least prices are neighbours. */
#define NEIGHBOURS 8
#define NEAR 10
#define AROUND 2
#define CANDIDATES (NEAR + 4 * AROUND)

/* Moves for each point that are enough to cool down in. */
#define COOLING 50

static double price(const double *weight, size_t host)
{
	return weight ? weight[host] : 0;
}

/* The first n of near[] become those worth most, nearest first still. */
static void pick(struct pl_near *near, size_t n, const double *weight)
{
	while (n > NEIGHBOURS) {
		size_t worst = 0;

		for (size_t i = 1; i < n; i++)
			if (near[i].distance + price(weight, near[i].host) >=
			    near[worst].distance +
				    price(weight, near[worst].host))
				worst = i;
		n--;
		memmove(near + worst, near + worst + 1,
			(n - worst) * sizeof(*near));
	}
}

/* Puts into near[n], by distance, those of more[] that are not in it. */
static size_t merge(struct pl_near *near, size_t n, const struct pl_near *more,
		    size_t n_more)
{
	for (size_t i = 0; i < n_more; i++) {
		size_t at = n;

		for (size_t k = 0; k < n; k++)
			if (near[k].host == more[i].host)
				at = SIZE_MAX;
		if (at == SIZE_MAX)
			continue;
		for (; at > 0 && near[at - 1].distance > more[i].distance; at--)
			near[at] = near[at - 1];
		near[at] = more[i];
		n++;
	}
	return n;
}

static int find_neighbours(struct pl_neighbours *nb, const struct pl_kd *kd,
			   const double *weight, struct pl_err *err)
{
	const size_t n = kd->p.n;
	struct pl_near near[CANDIDATES], around[4 * AROUND];

	nb->symmetric = true;
	nb->k = n - 1 < NEIGHBOURS ? n - 1 : NEIGHBOURS;
	nb->out = pl_array_create(n * nb->k, sizeof(*nb->out));
	nb->cost = pl_array_create(n * nb->k, sizeof(*nb->cost));
	if (!nb->out || !nb->cost) {
		pl_neighbours_fini(nb);
		return pl_err_nomem(err);
	}
	for (size_t h = 0; h < n; h++) {
		const size_t found = pl_kd_nearest(kd, h, NEAR, near);
		const size_t more = pl_kd_around(kd, h, AROUND, around);

		pick(near, merge(near, found, around, more), weight);
		for (size_t i = 0; i < nb->k; i++) {
			nb->out[h * nb->k + i] = near[i].host;
			nb->cost[h * nb->k + i] = near[i].distance;
		}
	}
	return 0;
}

/* Leaves in r->best the ring found. */
static int search(struct pl_ring_restart *r, const struct pl_kd *kd,
		  const struct pl_point_ring_options *options, size_t *start,
		  struct pl_point_ring_result *result, struct pl_err *err)
{
	const atomic_uint_fast64_t no_limit = UINT64_MAX;
	const size_t n = kd->p.n;
	const struct pl_ring_job job = {
		.seed = options->seed,
		.start = start,
		.moves = options->moves,
		.target = options->target,
		.cold = options->moves / n < COOLING ||
			options->moves == UINT64_MAX,
		.stop = options->stop,
		.limit = &no_limit,
	};

	if (pl_point_start(kd, start, err))
		return -1;
	if (pl_hops_ring(&r->ls.hops, start) >= result->cost_given)
		memcpy(start, r->order, n * sizeof(*start));
	result->stopped = pl_ring_restart_run(r, &job) == PL_RING_STOPPED;
	result->moves = r->moves;
	return r->ls.tour.lost ? pl_err_nomem(err) : 0;
}

int pl_point_ring(const struct pl_kd *kd,
		  const struct pl_point_ring_options *options, size_t *host_at,
		  struct pl_point_ring_result *result, struct pl_err *err)
{
	const size_t n = kd->p.n;
	const struct pl_hops hops = {.n = n, .points = &kd->p};
	struct pl_neighbours nb = {0};
	struct pl_ring_restart r;
	size_t *start = NULL;
	int rc = -1;

	memset(result, 0, sizeof(*result));
	result->cost_given = result->cost = pl_hops_ring(&hops, host_at);
	if (n < 4) /* there is only one ring */
		return 0;
	if (find_neighbours(&nb, kd, options->weight, err))
		return -1;
	if (pl_ring_restart_init(&r, &hops, &nb, err)) {
		pl_neighbours_fini(&nb);
		return -1;
	}
	start = pl_array_create(n, sizeof(*start));
	if (!start) {
		rc = pl_err_nomem(err);
		goto out;
	}
	memcpy(r.order, host_at, n * sizeof(*host_at));
	rc = search(&r, kd, options, start, result, err);
	if (rc == 0 && r.best_cost < result->cost_given) {
		memcpy(host_at, r.best, n * sizeof(*host_at));
		result->cost = r.best_cost;
	}
out:
	free(start);
	pl_ring_restart_fini(&r);
	pl_neighbours_fini(&nb);
	return rc;
}
