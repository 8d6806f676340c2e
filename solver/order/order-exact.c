/* SPDX-License-Identifier: BSD-3-Clause */
/* order-exact.c - the cheapest order of a few hosts, by trying all */
#include "config.h"

#include "solver/order/seating.h"

#include <assert.h>
#include <string.h>

/* The clock is looked at once in so many exchanges. */
#define MOVES_PER_LOOK 256

bool pl_order_exact(struct pl_seating *s, const struct pl_order_search_options *options,
		    size_t *best, uint64_t *moves)
{
	const bool *may_lead = options->may_lead;
	size_t count[PL_ORDER_EXACT_MAX] = {0}, i = 1;
	double least = pl_objective_cost(s->cost);

	assert(s->n <= PL_ORDER_EXACT_MAX);
	memcpy(best, s->host_at, s->n * sizeof(*best));
	*moves = 0;
	while (i < s->n) {
		if (count[i] == i) {
			count[i++] = 0;
			continue;
		}
		if (*moves % MOVES_PER_LOOK == 0 && pl_stop_now(options->stop))
			return false;
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
	return true;
}
