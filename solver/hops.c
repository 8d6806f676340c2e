/* SPDX-License-Identifier: BSD-3-Clause */
/* hops.c - what it costs to go from one host to another */
#include "config.h"

#include "solver/hops.h"

double pl_hops_ring(const struct pl_hops *h, const size_t *host_at)
{
	double sum = 0;

	if (h->n < 2)
		return 0;
	for (size_t k = 0; k + 1 < h->n; k++)
		sum += pl_hop(h, host_at[k], host_at[k + 1]);
	return sum + pl_hop(h, host_at[h->n - 1], host_at[0]);
}
