/* SPDX-License-Identifier: BSD-3-Clause */
/* dearest.c - blocks of hosts, those first that are hardest to seat cheaply */
#include "config.h"

#include "solver/order/dearest.h"

int pl_dearest_first(const void *a, const void *b)
{
	const struct pl_dear_block *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	return x->block < y->block ? -1 : 1;
}
