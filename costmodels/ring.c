/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - what a ring costs: the sum of its hops */
#include "config.h"

#include "costmodels/ring.h"

double pl_cost_ring(const double *c, size_t n, const size_t *host_at,
		    size_t n_pos)
{
	double sum = 0;

	if (n_pos < 2)
		return 0;
	for (size_t k = 0; k + 1 < n_pos; k++)
		sum += c[host_at[k] * n + host_at[k + 1]];
	return sum + c[host_at[n_pos - 1] * n + host_at[0]];
}
