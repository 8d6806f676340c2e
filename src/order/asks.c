/* SPDX-License-Identifier: BSD-3-Clause */
/* asks.c - what the options ask for */
#include "config.h"

#include "src/order/options.h"

#include <string.h>

void pl_order_usual_sizes(struct pl_order_options *o)
{
	static const uint64_t usual_sizes[] = {2 << 10, 64 << 10, 1 << 20,
					       8 << 20};

	o->usual_sizes = true;
	o->n_sizes = sizeof(usual_sizes) / sizeof(*usual_sizes);
	memcpy(o->size_bytes, usual_sizes, sizeof(usual_sizes));
	for (size_t i = 0; i < o->n_sizes; i++)
		o->size_weight[i] = 1;
}

bool pl_order_writes_rules(const struct pl_order_options *o)
{
	return o->rules || o->format == PL_FORMAT_OMPI_RULES;
}

bool pl_order_promises(const struct pl_order_options *o)
{
	const enum pl_impl impl = o->what.a->impl;

	return impl != PL_THESIS && impl != PL_NCCL && !o->choose;
}

bool pl_order_wants_rates(const struct pl_order_options *o)
{
	bool large = o->stats != NULL;

	for (size_t i = 0; i < o->n_sizes; i++)
		large = large || o->size_bytes[i] > PL_ORDER_SMALL_BYTES;
	return large && (pl_order_promises(o) || pl_order_predicts(o));
}

bool pl_order_predicts(const struct pl_order_options *o)
{
	return o->predict || pl_order_writes_rules(o);
}
