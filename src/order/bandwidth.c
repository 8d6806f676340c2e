/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.c - what a byte costs between hosts, where that was measured */
#include "config.h"

#include "src/order/bandwidth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct pl_layer *pl_order_bandwidth(const struct pl_matrix *m,
					  const char *name)
{
	for (size_t k = 1; k < m->n_layers; k++)
		if (m->layer[k].quantity == PL_BANDWIDTH &&
		    (!name || !strcmp(m->layer[k].statistic, name)))
			return &m->layer[k];
	return NULL;
}

int pl_order_bandwidth_check(const struct pl_matrix *m, const char *name,
			     struct pl_err *err)
{
	char there[128] = "";
	size_t len = 0;

	if (!name || pl_order_bandwidth(m, name))
		return 0;
	for (size_t k = 1; k < m->n_layers && len < sizeof(there); k++)
		if (m->layer[k].quantity == PL_BANDWIDTH)
			len += (size_t)snprintf(
				there + len, sizeof(there) - len, "%s%s",
				len ? ", " : "", m->layer[k].statistic);
	return pl_err_set(
		err, PL_EINPUT,
		"the matrix has no bandwidths \"%.60s\"; it has %s", name,
		len ? there
		    : "none at all: plink-probe --bandwidth measures them");
}

/* As pl_matrix_costs: where one direction is missing the other stands for it. */
static double both(double there, double back, enum pl_symmetrize how)
{
	if (how == PL_SYM_NONE || isnan(back))
		return there;
	if (isnan(there))
		return back;
	return how == PL_SYM_MAX ? fmax(there, back) : (there + back) / 2;
}

void pl_order_per_byte(const struct pl_matrix *m, const struct pl_layer *layer,
		       enum pl_symmetrize how, double *per_byte)
{
	const double units_per_s = 1e9 / pl_unit_ns(m->layer[0].unit);
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n * n; i++) {
		const double bytes_per_s = layer->cell[i];

		per_byte[i] = i / n == i % n    ? 0
			      : bytes_per_s > 0 ? units_per_s / bytes_per_s
						: NAN;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const double there = per_byte[i * n + j];
			const double back = per_byte[j * n + i];

			per_byte[i * n + j] = both(there, back, how);
			per_byte[j * n + i] = both(back, there, how);
		}
}
