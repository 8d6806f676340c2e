/* SPDX-License-Identifier: BSD-3-Clause */
/* in-place.h - a copy of what a reduce would take in place */
#ifndef PLINK_SHIM_MPI_SHADOW_IN_PLACE_H
#define PLINK_SHIM_MPI_SHADOW_IN_PLACE_H

#include "shim/mpi/shadow/pick.h"

struct pl_shadow_copy {
	const void *at; /* as a call's input */
	void *room;     /* for free(), NULL without a copy */
};

/*
 * Of what the root of that reduce has at @from, where it receives. at is
 * MPI_IN_PLACE still where there is nothing to copy: in another process than
 * the root, of no elements, or where something is wrong, which the library says
 * when it is called. False: no memory.
 */
bool pl_shadow_copy_init(struct pl_shadow_copy *copy,
			 const struct pl_shadow_call *reduce, const void *from);

#endif
