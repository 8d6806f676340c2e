/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.c - what plink-order does about pairs nobody could measure */
#include "config.h"

#include "src/order/missing.h"

#include "src/mem.h"
#include "src/order/estimate.h"
#include "src/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hosts named one by one before the rest is only counted. */
#define NAMED_MAX 20

static bool lacks(const struct pl_order_input *in, size_t cell)
{
	return isnan(in->c[cell]) ||
	       (in->per_byte && isnan(in->per_byte[cell]));
}

/* Fills missing[h]: cells from and to host h without a cost. Returns their sum,
 * every cell counted at both of its ends. */
static size_t count(const struct pl_order_input *in, size_t *missing)
{
	const size_t n = in->hosts.n;
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		missing[i] = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (lacks(in, i * n + j)) {
				missing[i]++;
				missing[j]++;
				sum += 2;
			}
	return sum;
}

static size_t worst(const size_t *missing, size_t n)
{
	size_t found = 0;

	/* of equals the last, so that the first host tends to stay */
	for (size_t h = 1; h < n; h++)
		if (missing[h] >= missing[found])
			found = h;
	return found;
}

/* The first note on a cell between that host and another, or NULL. */
static const char *reason(const struct pl_matrix *m, const struct pl_host *host)
{
	for (size_t i = 0; i < m->n_notes; i++) {
		const struct pl_cell_note *note = &m->note[i];
		const char *src = m->hosts.v[note->src].name;
		const char *dst = m->hosts.v[note->dst].name;

		if (!strcmp(src, host->name) || !strcmp(dst, host->name))
			return note->text;
	}
	return NULL;
}

static void name_hosts(const struct pl_order_input *in, const size_t *missing,
		       const struct pl_matrix *m)
{
	char label[PL_HOST_LABEL];
	size_t n_named = 0, n_more = 0;

	for (size_t h = 0; h < in->hosts.n; h++) {
		const struct pl_host *host = &in->hosts.v[h];
		const char *why;

		if (missing[h] == 0)
			continue;
		if (n_named++ >= NAMED_MAX) {
			n_more++;
			continue;
		}
		why = reason(m, host);
		pl_tool_say(PL_ORDER_TOOL, "%s: %zu of %zu cells missing%s%s",
			    pl_order_label(label, host), missing[h],
			    2 * (in->hosts.n - 1), why ? ": " : "",
			    why ? why : "");
	}
	if (n_more)
		pl_tool_say(PL_ORDER_TOOL, "and %zu hosts more", n_more);
}

/* Every missing cell of the square gets the dearest one, *dearest; how many? */
static size_t fill_square(double *cell, size_t n, double *dearest)
{
	size_t n_filled = 0;

	*dearest = -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (j != i && cell[i * n + j] > *dearest)
				*dearest = cell[i * n + j];
	for (size_t i = 0; *dearest >= 0 && i < n * n; i++)
		if (isnan(cell[i])) {
			cell[i] = *dearest;
			n_filled++;
		}
	return n_filled;
}

/* Every missing cell costs what the dearest measured one does. */
static int fill(struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	double dearest, slowest = 0;
	size_t n_bandwidths = 0;

	in->n_filled = fill_square(in->c, n, &dearest);
	if (in->per_byte)
		n_bandwidths = fill_square(in->per_byte, n, &slowest);
	if (dearest < 0 || slowest < 0)
		return pl_err_set(err, PL_EPARTIAL, "no pair was measured");
	if (in->n_filled)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing cells taken for the dearest, %.10g %s",
			    in->n_filled, dearest, pl_unit_name(in->unit));
	if (n_bandwidths)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing bandwidths taken for the least",
			    n_bandwidths);
	in->n_filled += n_bandwidths;
	return 0;
}

/* What an embedding of the measured ones says of every missing cell. */
static int estimate(struct pl_order_input *in, struct pl_err *err)
{
	size_t n_bandwidths = 0;

	if (pl_order_estimate(in, in->c, &in->n_filled, err) ||
	    (in->per_byte &&
	     pl_order_estimate(in, in->per_byte, &n_bandwidths, err)))
		return -1;
	if (in->n_filled)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing cells estimated from the others",
			    in->n_filled);
	if (n_bandwidths)
		pl_tool_say(PL_ORDER_TOOL,
			    "%zu missing bandwidths estimated from the others",
			    n_bandwidths);
	in->n_filled += n_bandwidths;
	return 0;
}

/* Takes row and column @h out of the square, n * n before. */
static void drop_cells(double *cell, size_t n, size_t h)
{
	size_t to = 0;

	for (size_t i = 0; cell && i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != h && j != h)
				cell[to++] = cell[i * n + j];
}

/* Takes host @h out of the list and of the costs. */
static int drop(struct pl_order_input *in, size_t h, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_hosts rest = {0};
	char label[PL_HOST_LABEL];

	if (pl_hosts_add(&in->dropped, &in->hosts.v[h]))
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		if (i != h && pl_hosts_add(&rest, &in->hosts.v[i])) {
			pl_hosts_fini(&rest);
			return pl_err_nomem(err);
		}
	drop_cells(in->c, n, h);
	drop_cells(in->per_byte, n, h);
	pl_tool_say(PL_ORDER_TOOL, "host %s left out",
		    pl_order_label(label, &in->hosts.v[h]));
	pl_hosts_fini(&in->hosts);
	in->hosts = rest;
	return 0;
}

int pl_order_missing(struct pl_order_input *in, enum pl_order_missing how,
		     const struct pl_matrix *m, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	size_t *missing = pl_array_create(n, sizeof(*missing));
	size_t sum;
	int rc = 0;

	if (!missing)
		return pl_err_nomem(err);
	sum = count(in, missing);
	if (sum > 0)
		name_hosts(in, missing, m);
	if (sum > 0 && how == PL_MISSING_REFUSE)
		rc = pl_err_set(err, PL_EPARTIAL,
				"%zu of %zu cells are missing (see --missing)",
				sum / 2, n * (n - 1));
	if (sum > 0 && how == PL_MISSING_WORST)
		rc = fill(in, err);
	if (sum > 0 && how == PL_MISSING_ESTIMATE)
		rc = estimate(in, err);
	while (rc == 0 && how == PL_MISSING_DROP && sum > 0) {
		rc = drop(in, worst(missing, in->hosts.n), err);
		sum = count(in, missing);
	}
	if (rc == 0 && in->dropped.n > 0 && in->hosts.n < 2)
		rc = pl_err_set(err, PL_EPARTIAL,
				"fewer than two hosts are left");
	free(missing);
	return rc;
}
