/* SPDX-License-Identifier: BSD-3-Clause */
/* order-encode.c - orders cheaper than a given one as constraints */
#include "config.h"

#include "solver/proof/order-encode.h"

#include "base/mem.h"
#include "solver/proof/order-terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights add up to at most this, limits to as much. */
#define SUM_MAX ((double)(PL_PB_SUM_MAX / 2))

/* Each host on a seat, each seat with a host. */
static void assign(struct pl_encoding *e, int *row)
{
	const size_t k = e->p.n_free;

	for (size_t i = 0; i < k * k; i++)
		e->x[i] = pl_pb_var(e->pb);
	for (size_t i = 0; i < k; i++) {
		pl_pb_one(e->pb, &e->x[i * k], k);
		for (size_t s = 0; s < k; s++)
			row[s] = e->x[s * k + i];
		pl_pb_one(e->pb, row, k);
	}
	if (e->p.first_stays)
		pl_pb_any(e->pb, &e->x[0], 1);
	for (size_t s = 0; e->p.may_lead && s < k; s++)
		for (size_t i = 0; e->p.seat[s] == 0 && i < k; i++) {
			const int no = -e->x[i * k + s];

			if (!e->p.may_lead[e->p.host_at[e->p.seat[i]]])
				pl_pb_any(e->pb, &no, 1);
		}
}

static bool whole(const struct pl_term_sum *sum)
{
	double total = sum->constant;
	bool is = sum->constant == floor(sum->constant);

	for (size_t i = 0; is && i < sum->n; i++) {
		is = sum->term[i].to == floor(sum->term[i].to) &&
		     sum->term[i].from == floor(sum->term[i].from);
		total += sum->term[i].to - sum->term[i].from;
	}
	return is && total <= SUM_MAX;
}

/* The smallest unit whose counts do not grow too large. */
static void choose_unit(struct pl_encoding *e)
{
	double most = e->p.cost;

	e->whole = e->p.cost <= SUM_MAX && e->p.cost == floor(e->p.cost);
	for (size_t k = 0; k < e->n_sums; k++) {
		double total = e->sum[k].constant;

		e->whole = e->whole && whole(&e->sum[k]);
		for (size_t i = 0; i < e->sum[k].n; i++)
			total += e->sum[k].term[i].to - e->sum[k].term[i].from;
		most = fmax(most, total);
	}
	e->unit = e->whole ? 1 : most / SUM_MAX;
}

/* Whole units of a cost, never too many because of rounding. */
static int units(const struct pl_encoding *e, double cost)
{
	if (e->whole)
		return (int)cost;
	return cost > 0 ? (int)floor(nextafter(cost / e->unit, 0)) : 0;
}

int pl_encode(struct pl_encoding *e, const struct pl_encode_problem *p, struct pl_err *err)
{
	const size_t n = p->costs->n, k = p->n_free;
	int *row;

	e->p = *p;
	e->pb = pl_pb_create(err);
	if (!e->pb)
		return -1;
	e->free_at = pl_array_create(n, sizeof(*e->free_at));
	e->x = pl_array_create(k * k, sizeof(*e->x));
	row = pl_array_create(k, sizeof(*row));
	if (!e->free_at || !e->x || !row) {
		free(row);
		return pl_err_nomem(err);
	}
	for (size_t s = 0; s < n; s++)
		e->free_at[s] = SIZE_MAX;
	for (size_t s = 0; s < k; s++)
		e->free_at[p->seat[s]] = s;
	assign(e, row);
	free(row);
	if (pl_terms_fill(e, err))
		return -1;
	choose_unit(e);
	return 0;
}

void pl_encoding_fini(struct pl_encoding *e)
{
	pl_pb_destroy(e->pb);
	for (size_t k = 0; k < e->n_sums; k++)
		free(e->sum[k].term);
	free(e->sum);
	free(e->x);
	free(e->free_at);
	memset(e, 0, sizeof(*e));
}

/* The sum within @most units. */
static int limit(struct pl_encoding *e, const struct pl_term_sum *sum, int most, struct pl_err *err)
{
	const int left = most - units(e, sum->constant);
	int *lit = pl_array_create(sum->n + 1, sizeof(*lit));
	int *weight = pl_array_create(sum->n + 1, sizeof(*weight));
	size_t n = 0;

	if (!lit || !weight) {
		free(lit);
		free(weight);
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i < sum->n; i++) {
		const int w = units(e, sum->term[i].to) - units(e, sum->term[i].from);
		const int no = -sum->term[i].lit;

		if (w > left)
			pl_pb_any(e->pb, &no, 1);
		if (w <= 0 || w > left)
			continue;
		lit[n] = sum->term[i].lit;
		weight[n++] = w;
	}
	if (left < 0) /* nothing fits: adds x and not x */
		for (int s = -1; s <= 1; s += 2)
			pl_pb_any(e->pb, &(int){s * e->x[0]}, 1);
	else
		pl_pb_at_most(e->pb, lit, weight, n, left);
	free(lit);
	free(weight);
	return 0;
}

int pl_encoding_tighten(struct pl_encoding *e, double cost, double *bound, struct pl_err *err)
{
	size_t n_rounded = 1;
	int most;

	for (size_t k = 0; k < e->n_sums; k++)
		n_rounded = e->sum[k].n_rounded > n_rounded ? e->sum[k].n_rounded : n_rounded;
	most = e->whole ? (int)cost - 1 : units(e, cost) - (int)n_rounded - 2;
	/* one unit less: sums of costs are rounded, too */
	*bound = e->whole ? cost : fmax(0, (most - 1) * e->unit);
	for (size_t k = 0; k < e->n_sums; k++)
		if (limit(e, &e->sum[k], most, err))
			return -1;
	return 0;
}

void pl_encoding_read(const struct pl_encoding *e, size_t *host_at)
{
	const size_t k = e->p.n_free;

	memcpy(host_at, e->p.host_at, e->p.costs->n * sizeof(*host_at));
	for (size_t i = 0; i < k; i++)
		for (size_t s = 0; s < k; s++)
			if (pl_pb_true(e->pb, e->x[i * k + s]))
				host_at[e->p.seat[s]] = e->p.host_at[e->p.seat[i]];
}
