/* SPDX-License-Identifier: BSD-3-Clause */
/* asks.c - what the options ask for */
#include "config.h"

#include "src/order/options.h"

bool pl_order_writes_rules(const struct pl_order_options *o)
{
	return o->rules || o->format == PL_FORMAT_OMPI_RULES;
}

bool pl_order_promises(const struct pl_order_options *o)
{
	const enum pl_impl impl = o->what.a->impl;

	return impl != PL_THESIS && impl != PL_NCCL && !o->choose;
}

bool pl_order_predicts(const struct pl_order_options *o)
{
	return o->predict || pl_order_writes_rules(o);
}
