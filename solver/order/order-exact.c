/* SPDX-License-Identifier: BSD-3-Clause */
/* order-exact.c - the cheapest order of a few hosts, by trying all */
#include "config.h"

#include "solver/order/seating.h"

#include "solver/order/order-search.h"

#include <assert.h>
#include <string.h>

double pl_order_exact(struct pl_seating *s, const bool *may_lead, size_t *best, uint64_t *moves)
{
	const size_t n = s->n;
	size_t count[PL_ORDER_EXACT_MAX] = {0}, i = 1;
	double least = pl_objective_cost(s->cost);

	assert(n <= PL_ORDER_EXACT_MAX);
	memcpy(best, s->host_at, s->n * sizeof(*best));
	*moves = 0;
	while (i < n) {
		if (count[i] == i) {
			count[i++] = 0;
			continue;
		}
		pl_seating_change(
			s, &(struct pl_seating_change){PL_EXCHANGE, i % 2 ? count[i] : 0, i, 1});
		++*moves;
		if (pl_objective_cost(s->cost) < least && (!may_lead || may_lead[s->host_at[0]])) {
			least = pl_objective_cost(s->cost);
			memcpy(best, s->host_at, s->n * sizeof(*best));
		}
		count[i]++;
		i = 1;
	}
	return least;
}
