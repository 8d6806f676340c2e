/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.c - estimates cells that were not measured */
#include "config.h"

#include "order/missing/estimate.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/estimate.h"

#include <math.h>
#include <stdlib.h>

/* A search prefers pairs that seem cheap, and so estimates that are too low.
 * Estimates are therefore raised until at most this share of them is too
 * low. */
#define DOUBT 0.9

static int check_links(const struct pl_order_input *in, const struct pl_measured_pair *pair,
		       size_t n_pairs, struct pl_err *err)
{
	char first[PL_HOST_LABEL], other[PL_HOST_LABEL];
	size_t apart;

	if (pl_pairs_apart(in->hosts.n, pair, n_pairs, &apart))
		return pl_err_nomem(err);
	if (apart == in->hosts.n)
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "%s and %s: no measured pairs link them, not even over other hosts "
			  "(--missing=drop-host leaves such hosts out where pairs were sampled)",
			  pl_order_label(first, &in->hosts.v[0]),
			  pl_order_label(other, &in->hosts.v[apart]));
}

/* The factor by which measured costs exceed their estimates at most, in nine of ten cases. */
static int find_margin(const struct pl_estimate *e, const struct pl_measured_pair *pair,
		       size_t n_pairs, double *margin)
{
	double *over = pl_array_create(n_pairs, sizeof(*over));
	size_t n = 0;

	if (!over)
		return -1;
	for (size_t p = 0; p < n_pairs; p++) {
		const double said = pl_estimate_distance(e, pair[p].a, pair[p].b);

		if (said > 0)
			over[n++] = pair[p].distance / said;
	}
	pl_sort_doubles(over, n);
	*margin = n ? over[pl_percentile_index(n, DOUBT)] : 1;
	if (!(*margin > 1))
		*margin = 1;
	free(over);
	return 0;
}

int pl_order_estimate(const struct pl_order_input *in, double *cell, size_t *n_filled,
		      const char **by, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_estimate e = {0};
	size_t n_pairs = 0;
	double margin = 1;
	struct pl_measured_pair *pair = pl_pairs_of(cell, n, PL_WEIGHT_RELATIVE, &n_pairs);
	int rc = -1;

	if (!pair)
		return pl_err_nomem(err);
	*n_filled = 0;
	*by = NULL;
	if (n_pairs == n * (n - 1)) {
		free(pair);
		return 0;
	}
	if (!check_links(in, pair, n_pairs, err))
		rc = pl_estimate(&e, cell, n, err);
	if (rc == 0 && find_margin(&e, pair, n_pairs, &margin))
		rc = pl_err_nomem(err);
	for (size_t p = 0; rc == 0 && p < n * n; p++)
		if (isnan(cell[p])) {
			cell[p] = margin * pl_estimate_distance(&e, p / n, p % n);
			++*n_filled;
		}
	*by = pl_estimate_name(&e);
	pl_estimate_fini(&e);
	free(pair);
	return rc;
}
