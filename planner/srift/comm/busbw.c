/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw.c - bus bandwidths by size and number of ranks, as a table */
#include "config.h"

#include "planner/srift/comm/busbw.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double pl_bus_bytes(double bytes, size_t n_ranks)
{
	return 2 * bytes * (double)(n_ranks - 1) / (double)n_ranks;
}

void pl_busbw_world_fini(struct pl_busbw_world *w)
{
	free(w->point);
	memset(w, 0, sizeof(*w));
}

void pl_busbw_fini(struct pl_busbw *t)
{
	for (size_t i = 0; i < t->n_worlds; i++)
		pl_busbw_world_fini(&t->world[i]);
	free(t->world);
	memset(t, 0, sizeof(*t));
}

int pl_busbw_take(struct pl_busbw *t, struct pl_busbw_world *world, struct pl_err *err)
{
	const size_t n_ranks = world->n_ranks;
	size_t at = 0;

	while (at < t->n_worlds && t->world[at].n_ranks < n_ranks)
		at++;
	if (t->n_worlds && (t->world[0].n_ranks == 0 || n_ranks == 0))
		return pl_err_set(
			err, PL_EINPUT,
			"a table for any number of ranks cannot be combined with another table");
	if (at < t->n_worlds && t->world[at].n_ranks == n_ranks)
		return pl_err_set(err, PL_EINPUT, "bandwidths of %zu ranks are given twice",
				  n_ranks);
	if (pl_array_grow((void **)&t->world, &t->room, t->n_worlds, sizeof(*t->world)))
		return pl_err_nomem(err);
	memmove(&t->world[at + 1], &t->world[at], (t->n_worlds++ - at) * sizeof(*t->world));
	t->world[at] = *world;
	*world = (struct pl_busbw_world){0};
	return 0;
}

int pl_busbw_rate(struct pl_busbw *t, double bytes_per_s, struct pl_err *err)
{
	struct pl_busbw_world any = {0};
	int rc = pl_busbw_add_size(&any, 1, bytes_per_s) ? pl_err_nomem(err)
							 : pl_busbw_take(t, &any, err);

	pl_busbw_world_fini(&any);
	return rc;
}

int pl_busbw_add_size(struct pl_busbw_world *w, double bytes, double bytes_per_s)
{
	size_t at = w->n;

	while (at > 0 && w->point[at - 1].bytes >= bytes)
		at--;
	if (at < w->n && w->point[at].bytes == bytes) {
		double *b = &w->point[at].bytes_per_s;

		*b = 2 / (1 / *b + 1 / bytes_per_s);
		return 0;
	}
	if (pl_array_grow((void **)&w->point, &w->room, w->n, sizeof(*w->point)))
		return -1;
	memmove(&w->point[at + 1], &w->point[at], (w->n++ - at) * sizeof(*w->point));
	w->point[at] = (struct pl_busbw_point){bytes, bytes_per_s};
	return 0;
}

static double between(double x, double x0, double x1, double y0, double y1)
{
	return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

/* s / b, seconds. */
static double seconds(const struct pl_busbw_world *w, double bytes)
{
	const struct pl_busbw_point *p = w->point;
	size_t i = 0;

	while (i < w->n && p[i].bytes < bytes)
		i++;
	if (i == w->n)
		return bytes / p[i - 1].bytes_per_s;
	if (i == 0)
		return p[0].bytes / p[0].bytes_per_s;
	return between(bytes, p[i - 1].bytes, p[i].bytes, p[i - 1].bytes / p[i - 1].bytes_per_s,
		       p[i].bytes / p[i].bytes_per_s);
}

static int fault_ranks(const struct pl_busbw *t, size_t n_ranks, struct pl_err *err)
{
	const size_t last = t->world[t->n_worlds - 1].n_ranks;

	if (t->n_worlds == 1)
		return pl_err_set(err, PL_EUSAGE,
				  "bandwidths are known for %zu ranks, not for %zu: measure as "
				  "many, or take --model",
				  last, n_ranks);
	return pl_err_set(err, PL_EUSAGE,
			  "bandwidths are known for %zu to %zu ranks, not for %zu: measure as "
			  "many, or take --model",
			  t->world[0].n_ranks, last, n_ranks);
}

/* The worlds around that number of ranks; the same twice where it was
 * measured. */
static int find_worlds(const struct pl_busbw *t, size_t n_ranks, const struct pl_busbw_world *w[2],
		       struct pl_err *err)
{
	size_t i = 0;

	if (t->world[0].n_ranks == 0) {
		w[0] = w[1] = &t->world[0];
		return 0;
	}
	while (i < t->n_worlds && t->world[i].n_ranks < n_ranks)
		i++;
	if (i == t->n_worlds || (i == 0 && t->world[0].n_ranks != n_ranks))
		return fault_ranks(t, n_ranks, err);
	w[1] = &t->world[i];
	w[0] = w[1]->n_ranks == n_ranks ? w[1] : w[1] - 1;
	return 0;
}

bool pl_busbw_between(const struct pl_busbw *t, size_t n_ranks, size_t between[2])
{
	const struct pl_busbw_world *w[2];

	if (t->n_worlds == 0 || find_worlds(t, n_ranks, w, NULL) || w[0] == w[1])
		return false;
	between[0] = w[0]->n_ranks;
	between[1] = w[1]->n_ranks;
	return true;
}

static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const struct pl_busbw_world *w[2];
	double s;

	if (find_worlds(model, n_ranks, w, err))
		return -1;
	s = seconds(w[1], bytes);
	if (w[0] != w[1])
		s = between((double)n_ranks, (double)w[0]->n_ranks, (double)w[1]->n_ranks,
			    seconds(w[0], bytes), s);
	*bytes_per_s = bytes / s;
	return 0;
}

/* The best of all sizes that were measured with about as many ranks. */
static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	const struct pl_busbw_world *w[2];
	double b;

	*bytes_per_s = 0;
	if (find_worlds(model, n_ranks, w, err))
		return -1;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < w[k]->n; i++) {
			if (bandwidth(model, w[k]->point[i].bytes, n_ranks, &b, err))
				return -1;
			*bytes_per_s = fmax(*bytes_per_s, b);
		}
	return 0;
}

struct pl_comm pl_busbw_comm(const struct pl_busbw *t)
{
	return (struct pl_comm){.model = t, .bandwidth = bandwidth, .cap = cap};
}
