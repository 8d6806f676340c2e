/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.c - cells nobody could measure, from those of others */
#include "config.h"

#include "src/order/estimate.h"

#include "topology/embed.h"

#include <math.h>
#include <stdlib.h>

static int check_links(const struct pl_order_input *in,
		       const struct pl_pair *pair, size_t n_pairs,
		       struct pl_err *err)
{
	char first[PL_HOST_LABEL], other[PL_HOST_LABEL];
	size_t apart;

	if (pl_pairs_apart(in->hosts.n, pair, n_pairs, &apart))
		return pl_err_nomem(err);
	if (apart == in->hosts.n)
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "%s and %s: no measured pairs link them, not even "
			  "over other hosts",
			  pl_order_label(first, &in->hosts.v[0]),
			  pl_order_label(other, &in->hosts.v[apart]));
}

int pl_order_estimate(const struct pl_order_input *in, double *cell,
		      size_t *n_filled, struct pl_err *err)
{
	const struct pl_embed_options options = PL_EMBED_DEFAULTS;
	const size_t n = in->hosts.n;
	struct pl_embedding e = {0};
	size_t n_pairs = 0;
	struct pl_pair *pair =
		pl_pairs_of(cell, n, PL_WEIGHT_RELATIVE, &n_pairs);
	int rc = -1;

	if (!pair)
		return pl_err_nomem(err);
	*n_filled = 0;
	if (n_pairs == n * (n - 1))
		rc = 0;
	else if (!check_links(in, pair, n_pairs, err))
		rc = pl_embed(&e, n, pair, n_pairs, &options, err);
	for (size_t p = 0; rc == 0 && p < n * n; p++)
		if (isnan(cell[p])) {
			cell[p] = pl_embedding_distance(&e, p / n, p % n);
			++*n_filled;
		}
	pl_embedding_fini(&e);
	free(pair);
	return rc;
}
