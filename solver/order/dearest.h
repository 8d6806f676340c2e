/* SPDX-License-Identifier: BSD-3-Clause */
/* dearest.h - blocks of hosts, those first that are hardest to seat cheaply */
#ifndef PLINK_SOLVER_ORDER_DEAREST_H
#define PLINK_SOLVER_ORDER_DEAREST_H

#include <stddef.h>

struct pl_dear_block {
	double cost;
	size_t block;
};

/* For qsort: the dearest first, equals by number. */
int pl_dearest_first(const void *a, const void *b);

#endif
