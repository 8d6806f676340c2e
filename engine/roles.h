/* SPDX-License-Identifier: BSD-3-Clause */
/* roles.h - who adds up how much of an all-reduce, and who sends how much to whom */
#ifndef PLINK_ENGINE_ROLES_H
#define PLINK_ENGINE_ROLES_H

#include "engine/slices.h"

#include <stddef.h>
#include <stdint.h>

/* In buffers of a rank. Start with {0}, end with fini. */
struct pl_roles {
	size_t n_ranks;
	/* [n_ranks] of how much the rank is the first to have the sum of all,
	 * a global master; of how much else it adds up what others send, a
	 * local one */
	double *global, *local;
	double *sent; /* [n_ranks * n_ranks] from row to column */
};

void pl_roles_fini(struct pl_roles *r);

/* The roles in slices that pl_slice_check has passed. *r must be {0}. 0, or -1: out of memory. */
int pl_roles_init(struct pl_roles *r, const struct pl_slices *slices, size_t n_ranks);

#endif
