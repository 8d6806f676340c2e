/* SPDX-License-Identifier: BSD-3-Clause */
/* off.c - how far estimates are off, by pairs that were held back */
#include "config.h"

#include "src/probe/choice.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/estimate.h"
#include "topology/linked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT_90 0.9

/* What is known but for what was held back, of the hosts that it links. */
struct known {
	struct pl_known links; /* among the n */
	bool *in;              /* by host of the matrix */
	uint32_t *at;          /* of such a host among the n */
	size_t n;
};

static void known_fini(struct known *known)
{
	pl_known_fini(&known->links);
	free(known->in);
	free(known->at);
}

/* The cells that are there and were not held back. NULL: no memory. */
static struct pl_known_cell *list_cells(const struct probe_choice *c, const struct pl_matrix *m,
					size_t *n_cells)
{
	const size_t n = m->hosts.n;
	struct pl_known_cell *v = NULL;
	size_t *held = pl_array_create(n, sizeof(*held)); /* no host in two */
	size_t n_known = 0;
	uint32_t *known = pl_layer_list(&m->layer[0], &n_known);

	*n_cells = 0;
	if (held && known)
		v = pl_array_create(n_known + 1, sizeof(*v));
	for (size_t i = 0; v && i < n; i++)
		held[i] = n;
	for (size_t k = 0; v && k < c->n_held; k++) {
		held[c->held[k].a] = c->held[k].b;
		held[c->held[k].b] = c->held[k].a;
	}
	for (size_t k = 0; v && k < n_known; k++) {
		const size_t a = known[k] / n, b = known[k] % n;

		if (held[a] != b)
			v[(*n_cells)++] = (struct pl_known_cell){
				(uint32_t)a, (uint32_t)b, pl_layer_get(&m->layer[0], known[k])};
	}
	free(held);
	free(known);
	return v;
}

/* Those of the hosts that are in, which have their numbers among these then. */
static size_t keep_cells(const struct known *known, struct pl_known_cell *v, size_t n_cells)
{
	size_t to = 0;

	for (size_t k = 0; k < n_cells; k++)
		if (known->in[v[k].src] && known->in[v[k].dst])
			v[to++] = (struct pl_known_cell){known->at[v[k].src], known->at[v[k].dst],
							 v[k].value};
	return to;
}

/* 0, or -1: no memory. */
static int known_init(struct known *known, const struct probe_choice *c, const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;
	size_t n_cells;
	struct pl_known_cell *v = list_cells(c, m, &n_cells);
	uint32_t at = 0;
	int rc = -1;

	known->in = pl_array_create(n, sizeof(*known->in));
	known->at = pl_array_create(n, sizeof(*known->at));
	if (!v || !known->in || !known->at || pl_known_make(&known->links, n, v, n_cells))
		goto out;
	for (size_t i = 0; i < n; i++)
		known->in[i] = true;
	if (pl_known_most(&known->links, known->in, &known->n))
		goto out;
	for (size_t i = 0; i < n; i++)
		known->at[i] = known->in[i] ? at++ : 0;
	rc = 0;
	if (known->n < n) {
		n_cells = keep_cells(known, v, n_cells);
		pl_known_fini(&known->links);
		rc = pl_known_make(&known->links, known->n, v, n_cells);
	}
out:
	free(v);
	return rc;
}

static int compare(const struct probe_choice *c, const struct pl_matrix *m,
		   const struct known *known, const struct pl_estimate *e, struct probe_off *off)
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
			v[off->n_ways++] = fabs(
				pl_estimate_distance(e, known->at[from], known->at[to]) / is - 1);
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
	snprintf(text, sizeof(text), "ways=%zu median-percent=%.1f p90-percent=%.1f", off->n_ways,
		 100 * off->median, 100 * off->p90);
	return pl_matrix_add_header(m, "estimates-off", text);
}

int probe_choice_judge(const struct probe_choice *c, struct pl_matrix *m, struct probe_off *off,
		       struct pl_err *err)
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
		rc = pl_estimate_known(&e, &known.links, err);
	if (rc == 0 && known.n > 1 && (compare(c, m, &known, &e, off) || note(m, off)))
		rc = pl_err_nomem(err);
	pl_estimate_fini(&e);
	known_fini(&known);
	return rc;
}
