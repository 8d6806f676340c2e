/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-bound.c - a lower bound for orders of hosts on a hypercube */
#include "config.h"

#include "solver/bound/cube-bound.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* As many as a size_t has bits. */
#define ROUNDS_MAX 64

/* Hosts put on seats, all searches around hosts together. */
#define NEAR_WORK 4000000

struct bounding {
	const struct pl_stop *stop;
	uint64_t work; /* left */
};

/* Raises least[k], for the k + 1 cheapest rounds, to what they ask for. */
static int raise_by_growth(const struct pl_floor *f, size_t n_rounds, const struct pl_stop *stop,
			   double *least, struct pl_err *err)
{
	const size_t n = f->n;
	size_t *need = pl_array_create(n_rounds * (n + 1), sizeof(*need));
	double growth[ROUNDS_MAX] = {0};
	int rc = 0;

	if (!need)
		return pl_err_nomem(err);
	for (size_t k = 0; rc == 0 && k < n_rounds; k++)
		rc = pl_cube_neighbours(n, k + 1, need + k * (n + 1), err);
	if (rc == 0)
		rc = pl_floor_growth(f, need, n_rounds, stop, growth, err);
	for (size_t k = 0; k < n_rounds; k++)
		least[k] = fmax(least[k], growth[k]);
	free(need);
	return rc;
}

static int raise_least(const struct pl_floor *f, size_t n_rounds, const struct pl_stop *stop,
		       double *least, struct pl_err *err)
{
	for (size_t k = 0; k < n_rounds; k++) {
		const size_t size = (size_t)2 << k;
		double linked;

		if (pl_floor_components(f, size, size, &linked, err))
			return -1;
		least[k] = fmax(least[k], linked);
		least[k] = fmax(least[k], pl_floor_degree(f, k + 1, f->n));
	}
	if (raise_by_growth(f, n_rounds, stop, least, err))
		return -1;
	for (size_t k = 1; k < n_rounds; k++)
		least[k] = fmax(least[k], least[k - 1]);
	return 0;
}

/* Two, three, four rounds together. */
static int raise_near(struct bounding *b, const struct pl_floor *f, const struct pl_cube_rounds *r,
		      double *bound, struct pl_err *err)
{
	for (size_t joint = 2; joint <= r->n && joint <= PL_CUBE_NEAR_MAX; joint++)
		if (pl_cube_near_floor(f, r, joint, &b->work, b->stop, bound, err))
			return -1;
	return 0;
}

/* The hosts of racks, @size each. */
struct racks {
	size_t n, size;
	size_t *rack;  /* [hosts] by host */
	double *near;  /* [hosts * n] from a host to the nearest of a rack */
	double *joint; /* [n * n] joining two costs this at least */
};

static void racks_fini(struct racks *r)
{
	free(r->rack);
	free(r->near);
	free(r->joint);
}

static int racks_init(struct racks *r, size_t n_hosts, size_t size)
{
	const size_t n = n_hosts / size;

	*r = (struct racks){
		.n = n,
		.size = size,
		.rack = pl_array_create(n_hosts, sizeof(*r->rack)),
		.near = pl_array_create(n_hosts * n, sizeof(*r->near)),
		.joint = pl_array_create(n * n, sizeof(*r->joint)),
	};
	if (r->rack && r->near && r->joint)
		return 0;
	racks_fini(r);
	return -1;
}

/* Those that the first links of the least spanning tree make, if they are all of that size;
 * @scratch[hosts]. */
static bool find_racks(struct racks *r, const struct pl_floor *f, size_t *scratch)
{
	const size_t n_links = f->n - r->n;
	size_t n = 0;

	if (f->link[n_links - 1] >= f->link[n_links])
		return false;
	for (size_t h = 0; h < f->n; h++)
		scratch[h] = h;
	for (size_t i = 0; i < n_links; i++)
		scratch[pl_group_top(scratch, f->a[i])] = pl_group_top(scratch, f->b[i]);
	for (size_t h = 0; h < f->n; h++) {
		size_t n_hosts = 0;

		if (pl_group_top(scratch, h) != h)
			continue;
		for (size_t i = 0; i < f->n; i++)
			if (pl_group_top(scratch, i) == h) {
				r->rack[i] = n;
				n_hosts++;
			}
		if (n_hosts != r->size)
			return false;
		n++;
	}
	return true;
}

/* Every host of both has a partner in the other. */
static void fill_joints(struct racks *r, const struct pl_floor *f)
{
	for (size_t i = 0; i < f->n * r->n; i++)
		r->near[i] = INFINITY;
	for (size_t u = 0; u < f->n; u++)
		for (size_t v = 0; v < f->n; v++) {
			double *near = &r->near[u * r->n + r->rack[v]];

			*near = fmin(*near, f->cell[u * f->n + v]);
		}
	for (size_t u = 0; u < f->n; u++)
		for (size_t b = 0; b < r->n; b++) {
			const size_t a = r->rack[u];
			const double x = a == b ? 0 : r->near[u * r->n + b];

			r->joint[a * r->n + b] = fmax(r->joint[a * r->n + b], x);
			r->joint[b * r->n + a] = fmax(r->joint[b * r->n + a], x);
		}
}

static int bound_rounds(struct bounding *b, const struct pl_floor *f,
			const struct pl_cube_rounds *asked, double *bound, struct pl_err *err);

/* The first @k rounds are within racks, the others between them. */
static int bound_within(struct bounding *b, const struct pl_floor *f,
			const struct pl_cube_rounds *r, size_t k, const struct racks *racks,
			double *bound, struct pl_err *err)
{
	const struct pl_cube_rounds within = {k, r->times, r->least};
	const struct pl_cube_rounds across = {r->n - k, r->times + k, r->least + k};
	const struct pl_costs costs = {.n = racks->n, .c = racks->joint};
	struct pl_floor above;
	double sum;
	int rc;

	*bound = pl_cube_rounds_floor(&within);
	if (raise_near(b, f, &within, bound, err) ||
	    pl_floor_init(&above, &costs, 0, across.n, err))
		return -1;
	rc = bound_rounds(b, &above, &across, &sum, err);
	pl_floor_fini(&above);
	*bound += rc ? 0 : sum;
	return rc;
}

/* The @k-th round leaves some rack, and so do dearer ones. */
static double bound_leaving(const struct pl_cube_rounds *r, size_t k, double leaving)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += r->times[i] * (i + 1 < k ? r->least[i] : fmax(r->least[i], leaving));
	return sum;
}

/* Racks of 2^k hosts, if there are. */
static int raise_by_racks(struct bounding *b, const struct pl_floor *f,
			  const struct pl_cube_rounds *r, size_t k, double *bound,
			  struct pl_err *err)
{
	const size_t n_links = f->n - (f->n >> k);
	const double leaving = bound_leaving(r, k, f->link[n_links]);
	size_t *scratch = NULL;
	struct racks racks;
	int rc = -1;

	if (leaving <= *bound)
		return 0;
	if (racks_init(&racks, f->n, (size_t)1 << k))
		return pl_err_nomem(err);
	scratch = pl_array_create(f->n, sizeof(*scratch));
	if (!scratch) {
		pl_err_nomem(err);
		goto out;
	}
	rc = 0;
	if (find_racks(&racks, f, scratch)) {
		double within;

		fill_joints(&racks, f);
		rc = bound_within(b, f, r, k, &racks, &within, err);
		if (rc == 0)
			*bound = fmax(*bound, fmin(within, leaving));
	}
out:
	free(scratch);
	racks_fini(&racks);
	return rc;
}

/* asked->least is what is known of the rounds already. */
static int bound_rounds(struct bounding *b, const struct pl_floor *f,
			const struct pl_cube_rounds *asked, double *bound, struct pl_err *err)
{
	double least[ROUNDS_MAX] = {0};
	const struct pl_cube_rounds r = {asked->n, asked->times, least};

	for (size_t k = 0; asked->least && k < r.n; k++)
		least[k] = asked->least[k];
	*bound = pl_cube_rounds_floor(&r);
	if (pl_stop_now(b->stop))
		return 0;
	if (raise_least(f, r.n, b->stop, least, err))
		return -1;
	*bound = pl_cube_rounds_floor(&r);
	for (size_t k = 1; k < r.n && !pl_stop_now(b->stop); k++)
		if (raise_by_racks(b, f, &r, k, bound, err))
			return -1;
	return raise_near(b, f, &r, bound, err);
}

int pl_cube_bound(const struct pl_floor *f, const double *times, size_t n_rounds,
		  const struct pl_stop *stop, double *bound, struct pl_err *err)
{
	struct bounding b = {.stop = stop, .work = NEAR_WORK};
	const struct pl_cube_rounds rounds = {.n = n_rounds, .times = times};

	return bound_rounds(&b, f, &rounds, bound, err);
}
