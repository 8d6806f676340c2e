/* SPDX-License-Identifier: BSD-3-Clause */
/* off.c - how far estimates are off, by pairs that were held back */
#include "config.h"

#include "src/probe/choice.h"

#include "src/mem.h"
#include "src/stats.h"
#include "topology/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT_90 0.9

/* Cells of layer 0 without those held back. */
static double *cells_known(const struct probe_choice *c,
			   const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;
	double *cell = pl_array_create(n, n * sizeof(*cell));

	if (!cell)
		return NULL;
	memcpy(cell, m->layer[0].cell, n * n * sizeof(*cell));
	for (size_t k = 0; k < c->n_held; k++) {
		const size_t a = c->held[k].a, b = c->held[k].b;

		cell[a * n + b] = cell[b * n + a] = NAN;
	}
	return cell;
}

static int compare(const struct probe_choice *c, const struct pl_matrix *m,
		   const struct pl_estimate *e, struct probe_off *off)
{
	const size_t n = m->hosts.n;
	double *v = pl_array_create(c->n_held, 2 * sizeof(*v));

	if (!v)
		return -1;
	for (size_t k = 0; k < 2 * c->n_held; k++) {
		const struct pl_probe_pair *p = &c->held[k / 2];
		const size_t from = k % 2 ? p->b : p->a;
		const size_t to = k % 2 ? p->a : p->b;
		const double is = m->layer[0].cell[from * n + to];

		if (is > 0)
			v[off->n_ways++] = fabs(
				pl_estimate_distance(e, from, to) / is - 1);
	}
	if (off->n_ways > 0) {
		pl_sort_doubles(v, off->n_ways);
		off->median = v[pl_percentile_index(off->n_ways, 0.5)];
		off->p90 = v[pl_percentile_index(off->n_ways, PERCENT_90)];
	}
	free(v);
	return 0;
}

static int note(struct pl_matrix *m, const struct probe_off *off)
{
	char text[128];

	if (off->n_ways == 0)
		return 0;
	snprintf(text, sizeof(text),
		 "ways=%zu median-percent=%.1f p90-percent=%.1f", off->n_ways,
		 100 * off->median, 100 * off->p90);
	return pl_matrix_add_header(m, "estimates-off", text);
}

int probe_choice_judge(const struct probe_choice *c, struct pl_matrix *m,
		       struct probe_off *off, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	struct pl_estimate e = {0};
	struct pl_err why = {0};
	double *cell;
	int rc;

	*off = (struct probe_off){0};
	if (c->n_held == 0)
		return 0;
	cell = cells_known(c, m);
	if (!cell)
		return pl_err_nomem(err);
	rc = pl_estimate(&e, cell, n, &why);
	if (rc && why.code == PL_EINPUT) /* some are linked by those alone */
		rc = 0;
	else if (rc || compare(c, m, &e, off) || note(m, off))
		rc = pl_err_nomem(err);
	pl_estimate_fini(&e);
	free(cell);
	return rc;
}
