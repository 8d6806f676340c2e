/* SPDX-License-Identifier: BSD-3-Clause */
/* policies.c - choices by rule of thumb, to compare with */
#include "config.h"

#include "planner/srift/search/policies.h"

#include <string.h>

/* A lower value comes first. */
static double preference(enum pl_policy policy, const struct pl_market_type *type)
{
	const size_t last = type->n_batches - 1;

	return policy == PL_CAP ? type->stock[0].price_per_hour
				: type->mean_s[last] / (double)type->batch[last];
}

/* The order in which a policy takes the types: order[n_types]. */
static void rank(enum pl_policy policy, const struct pl_market *m, size_t *order)
{
	for (size_t i = 0; i < m->n_types; i++) {
		const double p = preference(policy, &m->type[i]);
		size_t at = i;

		while (at > 0 && preference(policy, &m->type[order[at - 1]]) > p) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
}

/* The type takes all that is left, or as much as it can. */
static uint64_t take(const struct pl_market_type *type, uint64_t left, uint32_t *count,
		     uint8_t *batch)
{
	const size_t last = type->n_batches - 1;
	uint64_t n = left / type->batch[last];

	for (size_t k = type->n_batches; k-- > 0;)
		if (left % type->batch[k] == 0 && left / type->batch[k] <= type->available) {
			*count = (uint32_t)(left / type->batch[k]);
			*batch = (uint8_t)k;
			return 0;
		}
	if (n > type->available)
		n = type->available;
	*count = (uint32_t)n;
	*batch = (uint8_t)last;
	return left - n * type->batch[last];
}

bool pl_policy_choose(enum pl_policy policy, const struct pl_market *m, uint64_t samples,
		      struct pl_srift_choice *choice)
{
	size_t order[PL_MARKET_TYPES_MAX];
	uint64_t left = samples;

	memset(choice, 0, sizeof(*choice));
	rank(policy, m, order);
	for (size_t i = 0; i < m->n_types && left > 0; i++)
		left = take(&m->type[order[i]], left, &choice->count[order[i]],
			    &choice->batch[order[i]]);
	return left == 0;
}
