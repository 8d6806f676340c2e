/* SPDX-License-Identifier: BSD-3-Clause */
/* objective-norms.c - a smooth cost beside one of maxima, kept while hops change their costs */
#include "config.h"

#include "costmodels/objective-parts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* log2 of the exponent */
#define DOUBLINGS 3

/* Powers are whole numbers: however many were added and taken away, the sum is exact. That of a bin
 * stays below this power of two. */
#define SUM_BITS 62

/* A hop of this many times the dearest one when the order was set counts as if it cost no more. */
#define DEAREST_MAX 2

int pl_objective_add_norms(struct pl_objective *o, struct pl_err *err)
{
	struct pl_bin_norms *s = pl_array_create(1, sizeof(*s));

	o->norms = s;
	if (!s)
		return pl_err_nomem(err);
	s->bin = pl_array_create(o->n_bins, sizeof(*s->bin));
	s->dirty = pl_array_create(o->n_bins, sizeof(*s->dirty));
	if (!s->bin || !s->dirty)
		return pl_err_nomem(err);
	pl_norms_set(o);
	return 0;
}

void pl_norms_destroy(struct pl_bin_norms *s)
{
	if (!s)
		return;
	free(s->bin);
	free(s->dirty);
	free(s);
}

static uint64_t power(const struct pl_bin_norm *bin, double cost)
{
	double x = cost * bin->scale;

	if (x > 1)
		x = 1;
	for (int k = 0; k < DOUBLINGS; k++)
		x *= x;
	return (uint64_t)(x * bin->unit);
}

static double norm(const struct pl_bin_norm *bin)
{
	double x = (double)bin->sum / bin->unit;

	for (int k = 0; k < DOUBLINGS; k++)
		x = sqrt(x);
	return bin->scale > 0 ? x / bin->scale : 0;
}

static void set_bin(struct pl_objective *o, size_t b)
{
	struct pl_bin_norm *bin = &o->norms->bin[b];
	const double top = pl_bin_top(o, b);
	int bits = 0;

	while (pl_bin_size(o, b) >> bits > 0)
		bits++;
	*bin = (struct pl_bin_norm){
		.scale = top > 0 ? 1 / (DEAREST_MAX * top) : 0,
		.unit = ldexp(1, SUM_BITS - bits),
	};
	for (size_t h = o->bin_start[b]; h < o->bin_start[b + 1]; h++)
		bin->sum += power(bin, o->cost[h]);
	bin->norm = norm(bin);
	pl_sum_add(&o->norms->total, bin->norm);
}

void pl_norms_set(struct pl_objective *o)
{
	o->norms->total = (struct pl_running_sum){0, 0};
	o->norms->n_dirty = 0;
	for (size_t b = 0; o->n_hops > 0 && b < o->n_bins; b++)
		set_bin(o, b);
}

void pl_norms_begin(struct pl_objective *o)
{
	o->norms->n_dirty = 0;
	o->norms->before = o->norms->total;
}

void pl_norms_put(struct pl_objective *o, uint32_t hop, double before, double after)
{
	struct pl_bin_norm *bin = &o->norms->bin[o->bin[hop]];

	if (!bin->is_dirty) {
		bin->is_dirty = true;
		bin->old_sum = bin->sum;
		bin->old_norm = bin->norm;
		o->norms->dirty[o->norms->n_dirty++] = o->bin[hop];
	}
	bin->sum += power(bin, after) - power(bin, before);
}

void pl_norms_end(struct pl_objective *o)
{
	for (size_t i = 0; i < o->norms->n_dirty; i++) {
		struct pl_bin_norm *bin = &o->norms->bin[o->norms->dirty[i]];

		bin->is_dirty = false;
		if (bin->sum == bin->old_sum)
			continue;
		bin->norm = norm(bin);
		pl_sum_replace(&o->norms->total, bin->old_norm, bin->norm);
	}
}

void pl_norms_undo(struct pl_objective *o)
{
	for (size_t i = 0; i < o->norms->n_dirty; i++) {
		struct pl_bin_norm *bin = &o->norms->bin[o->norms->dirty[i]];

		bin->sum = bin->old_sum;
		bin->norm = bin->old_norm;
	}
	o->norms->total = o->norms->before;
	o->norms->n_dirty = 0;
}

double pl_objective_norms(const struct pl_objective *o)
{
	return o->norms->total.hi;
}
