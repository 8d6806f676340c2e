/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - a matrix with what the embedding predicts for every pair */
#include "config.h"

#include "src/groups/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The layer of that name, with the first one's quantity; made if it is missing. NULL: no memory. */
static struct pl_layer *layer(struct pl_matrix *m, const char *statistic)
{
	for (size_t i = 1; i < m->n_layers; i++)
		if (!strcmp(m->layer[i].statistic, statistic) &&
		    m->layer[i].quantity == m->layer[0].quantity)
			return &m->layer[i];
	return pl_matrix_add_layer(m, statistic, m->layer[0].quantity, m->layer[0].unit);
}

static int add_estimates(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	struct pl_layer *to = layer(g->m, "estimate");

	if (!to)
		return pl_err_nomem(err);
	to->unit = g->m->layer[0].unit;
	for (size_t p = 0; p < n * n; p++)
		to->cell[p] = groups_estimate(g, p / n, p % n);
	return 0;
}

/* The measurements go to a layer of their own; the first one gets estimates, mixed with the
 * measurement where there is one. */
static int replace(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	const double share = g->o->share;
	struct pl_layer *kept = layer(g->m, "measured");
	double *cell;

	if (!kept)
		return pl_err_nomem(err);
	cell = g->m->layer[0].cell;
	kept->unit = g->m->layer[0].unit;
	memcpy(kept->cell, cell, n * n * sizeof(*cell));
	for (size_t p = 0; p < n * n; p++) {
		const double estimate = groups_estimate(g, p / n, p % n);

		cell[p] = isnan(cell[p]) ? estimate : share * estimate + (1 - share) * cell[p];
	}
	return 0;
}

/* "udp, denoised by plink-groups" */
static int say_method(struct groups *g, struct pl_err *err)
{
	const char *before = g->m->method ? g->m->method : "";
	char *text;

	if (asprintf(&text, "%s%sdenoised by plink-groups, share %g", before, *before ? ", " : "",
		     g->o->share) < 0)
		return pl_err_nomem(err);
	free(g->m->method);
	g->m->method = text;
	return 0;
}

int groups_write_matrix(struct groups *g, FILE *out, struct pl_err *err)
{
	if (g->o->denoise ? replace(g, err) || say_method(g, err) : add_estimates(g, err))
		return -1;
	return pl_matrix_write(g->m, out, err);
}
