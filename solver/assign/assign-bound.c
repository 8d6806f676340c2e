/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-bound.c - the bound of Gilmore and Lawler on assignments */
#include "config.h"

#include "solver/assign/assign.h"

#include "base/mem.h"
#include "solver/assign/flows.h"
#include "solver/ring/ring-bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Messages and what they cost, or bytes and what they cost, sorted. */
struct rows {
	double *flow; /* by position: its flows out, those of f->first, the
			 largest first */
	double *c;    /* [n_hosts * most] costs out of a slot of the host, the
			 least first */
	size_t most;  /* flows of a position */
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int by_value_down(const void *a, const void *b)
{
	return by_value(b, a);
}

static int sort_flows(const struct pl_assign_flows *f, bool bytes, struct rows *r)
{
	r->flow = pl_array_create(f->first[f->n_pos], sizeof(*r->flow));
	if (!r->flow)
		return -1;
	for (size_t p = 0; p < f->n_pos; p++) {
		const size_t first = f->first[p], n = f->first[p + 1] - first;

		for (size_t k = first; k < first + n; k++)
			r->flow[k] = bytes ? f->peer[k].out.bytes : f->peer[k].out.messages;
		if (n > 0)
			qsort(r->flow + first, n, sizeof(*r->flow), by_value_down);
		r->most = n > r->most ? n : r->most;
	}
	return 0;
}

/* A host whose slots cost so much to reach. */
struct reach {
	double c;
	size_t slots;
};

static int by_cost(const void *a, const void *b)
{
	return by_value(&((const struct reach *)a)->c, &((const struct reach *)b)->c);
}

static int sort_costs(const struct pl_assign_flows *f, const double *cost, struct rows *r)
{
	struct reach *reach = pl_array_create(f->n_hosts, sizeof(*reach));

	r->c = pl_array_create(f->n_hosts, r->most * sizeof(*r->c));
	for (size_t a = 0; r->c && reach && a < f->n_hosts; a++) {
		double *row = r->c + a * r->most;
		size_t n = 0;

		for (size_t b = 0; b < f->n_hosts; b++)
			reach[b] = (struct reach){.c = cost[a * f->n_hosts + b],
						  .slots = f->slot[b + 1] - f->slot[b]};
		if (reach[a].slots == 0)
			continue;
		reach[a].slots--;
		qsort(reach, f->n_hosts, sizeof(*reach), by_cost);
		for (size_t b = 0; b < f->n_hosts; b++)
			for (size_t s = 0; s < reach[b].slots; s++)
				if (n < r->most)
					row[n++] = reach[b].c;
	}
	free(reach);
	return r->c && reach ? 0 : -1;
}

static void rows_fini(struct rows *r)
{
	free(r->flow);
	free(r->c);
}

/* What the flows out of a position cost at least with costs out of a slot c[most]: the largest go
 * where it is cheapest. */
static double least(const struct pl_assign_flows *f, const struct rows *r, const double *c,
		    size_t pos)
{
	double sum = 0;

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++)
		sum += r->flow[k] * c[k - f->first[pos]];
	return sum;
}

/*
 * pl_assignment excludes the diagonal, so places are rows 0 .. n - 1 and slots columns n .. 2n - 1;
 * the other rows take the other columns for nothing. A cell that is no such pair costs more than
 * all of them.
 */
static void fill(const struct pl_assign_flows *f, const struct rows *r, double *m)
{
	const size_t n = f->n_slots;
	double most = 0;

	for (size_t i = 0; i < f->n_pos; i++)
		for (size_t h = 0; h < f->n_hosts; h++) {
			const double x = least(f, r, r->c + h * r->most, i);

			for (size_t s = f->slot[h]; s < f->slot[h + 1]; s++)
				m[i * 2 * n + n + s] = x;
			most = fmax(most, x);
		}
	most *= (double)n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			m[i * 2 * n + j] = most;
			m[(n + i) * 2 * n + n + j] = most;
		}
}

/* A sum of prices, less what rounding may have added. */
static double sum_prices(const double *price, size_t n)
{
	double sum = 0, size = 0;

	for (size_t k = 0; k < n; k++) {
		sum += price[k];
		size += 2 * fabs(price[k]);
	}
	return fmax(0, sum - size * (double)(n + 8) * DBL_EPSILON);
}

/* Each position has a slot of its own. */
static int assign(const struct pl_assign_flows *f, const struct rows *r, double *value,
		  struct pl_err *err)
{
	const size_t n = f->n_slots;
	double *m = pl_array_create(2 * n * 2 * n, sizeof(*m));
	double *price = pl_array_create(4 * n, sizeof(*price));
	int rc = -1;

	if (!m || !price) {
		pl_err_nomem(err);
	} else {
		fill(f, r, m);
		rc = pl_assignment(m, 2 * n, NULL, price, price + 2 * n, err);
	}
	if (rc == 0)
		*value = sum_prices(price, 4 * n);
	free(m);
	free(price);
	return rc;
}

/* Each is where its flows cost least: the least of any host for each of
 * them. */
static int assign_each(const struct pl_assign_flows *f, const struct rows *r, double *value,
		       struct pl_err *err)
{
	double *c = pl_array_create(r->most, sizeof(*c));
	double sum = 0;

	if (!c)
		return pl_err_nomem(err);
	for (size_t k = 0; k < r->most; k++) {
		c[k] = INFINITY;
		for (size_t h = 0; h < f->n_hosts; h++)
			if (f->slot[h + 1] > f->slot[h])
				c[k] = fmin(c[k], r->c[h * r->most + k]);
	}
	for (size_t p = 0; p < f->n_pos; p++)
		sum += least(f, r, c, p);
	*value = sum * (1 - (double)(f->n_pos + r->most + 8) * DBL_EPSILON);
	free(c);
	return 0;
}

/* The bound of one product, to be added to *value. */
static int add_bound(const struct pl_assign_flows *f, const double *cost, bool bytes, double *value,
		     struct pl_err *err)
{
	struct rows r = {.most = 0};
	double bound = 0;
	int rc;

	if (sort_flows(f, bytes, &r) || sort_costs(f, cost, &r))
		rc = pl_err_nomem(err);
	else if (f->n_slots <= PL_ASSIGN_BOUND_MAX)
		rc = assign(f, &r, &bound, err);
	else
		rc = assign_each(f, &r, &bound, err);
	rows_fini(&r);
	*value += bound;
	return rc;
}

int pl_assign_bound(const struct pl_assign_problem *problem, double *value, struct pl_err *err)
{
	struct pl_assign_flows f;
	int rc = 0;

	*value = 0;
	if (pl_assign_flows_init(&f, problem, NULL, err))
		return -1;
	if (f.first[f.n_pos] > 0) {
		rc = add_bound(&f, f.c, false, value, err);
		if (rc == 0 && f.per_byte)
			rc = add_bound(&f, f.per_byte, true, value, err);
	}
	pl_assign_flows_fini(&f);
	return rc;
}
