/* SPDX-License-Identifier: BSD-3-Clause */
/* off.c - how far estimates are off, by pairs that were held back */
#include "config.h"

#include "src/probe/choice.h"

#include "src/mem.h"
#include "src/stats.h"
#include "topology/estimate.h"
#include "topology/linked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT_90 0.9

/* What is known but for what was held back, of the hosts that it links. */
struct known {
	double *cell; /* [n * n] */
	bool *in;     /* by host of the matrix */
	size_t *at;   /* of such a host among the n */
	size_t n;
};

static void known_fini(struct known *known)
{
	free(known->cell);
	free(known->in);
	free(known->at);
}

/* 0, or -1: no memory. */
static int known_init(struct known *known, const struct probe_choice *c,
		      const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;
	double *cell = pl_array_create(n, n * sizeof(*cell));
	int rc = -1;

	known->in = pl_array_create(n, sizeof(*known->in));
	known->at = pl_array_create(n, sizeof(*known->at));
	if (!cell || !known->in || !known->at)
		goto out;
	for (size_t at = 0; at < n * n; at++)
		cell[at] = pl_layer_get(&m->layer[0], at);
	for (size_t k = 0; k < c->n_held; k++) {
		const size_t a = c->held[k].a, b = c->held[k].b;

		cell[a * n + b] = cell[b * n + a] = NAN;
	}
	for (size_t i = 0; i < n; i++)
		known->in[i] = true;
	if (pl_linked_most(cell, n, known->in, &known->n))
		goto out;
	for (size_t i = 0, at = 0; i < n; i++)
		known->at[i] = known->in[i] ? at++ : 0;
	if (known->n == n) { /* all of them, as is usual */
		known->cell = cell;
		return 0;
	}
	known->cell = pl_array_create(known->n, known->n * sizeof(*cell));
	if (!known->cell)
		goto out;
	pl_linked_cells(cell, n, known->in, known->cell);
	rc = 0;
out:
	free(cell);
	return rc;
}

static int compare(const struct probe_choice *c, const struct pl_matrix *m,
		   const struct known *known, const struct pl_estimate *e,
		   struct probe_off *off)
{
	const size_t n = m->hosts.n;
	double *v = pl_array_create(c->n_held, 2 * sizeof(*v));

	if (!v)
		return -1;
	for (size_t k = 0; k < 2 * c->n_held; k++) {
		const struct pl_probe_pair *p = &c->held[k / 2];
		const size_t from = k % 2 ? p->b : p->a;
		const size_t to = k % 2 ? p->a : p->b;
		const double is = pl_layer_get(&m->layer[0], from * n + to);

		if (is > 0 && known->in[from] && known->in[to])
			v[off->n_ways++] =
				fabs(pl_estimate_distance(e, known->at[from],
							  known->at[to]) /
					     is -
				     1);
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
	struct pl_estimate e = {0};
	struct known known = {0};
	int rc;

	*off = (struct probe_off){0};
	if (c->n_held == 0)
		return 0;
	rc = known_init(&known, c, m);
	if (rc)
		pl_err_nomem(err);
	else if (known.n > 1)
		rc = pl_estimate(&e, known.cell, known.n, err);
	if (rc == 0 && known.n > 1 &&
	    (compare(c, m, &known, &e, off) || note(m, off)))
		rc = pl_err_nomem(err);
	pl_estimate_fini(&e);
	known_fini(&known);
	return rc;
}
