/* SPDX-License-Identifier: BSD-3-Clause */
/* dearest.h - sorts blocks of hosts, the dearest to seat first */
#ifndef PLINK_SOLVER_ORDER_DEAREST_H
#define PLINK_SOLVER_ORDER_DEAREST_H

#include <stddef.h>

struct pl_dear_block {
	double cost;
	size_t block;
};

/* For qsort: the dearest block first; equal ones by number. */
int pl_dearest_first(const void *a, const void *b);

#endif
