/* SPDX-License-Identifier: BSD-3-Clause */
/* in-place.h - a copy of the data that a reduce would take in place */
#ifndef PLINK_SHIM_MPI_SHADOW_IN_PLACE_H
#define PLINK_SHIM_MPI_SHADOW_IN_PLACE_H

#include "shim/mpi/shadow/pick.h"

struct pl_shadow_copy {
	const void *at; /* the input for the call */
	void *room;     /* for free(); NULL without a copy */
};

/*
 * Copies the data at @from, the receive buffer of the root of @reduce. copy->at stays MPI_IN_PLACE
 * if there is nothing to copy: if the count is 0, or if pl_shadow_is_sound() finds the call wrong
 * (also when reduce->may is PL_SHADOW_MAKE_AT_ROOT and this process is not the root); the library
 * then raises the error itself. False: no memory.
 */
bool pl_shadow_copy_init(struct pl_shadow_copy *copy, const struct pl_shadow_call *reduce,
			 const void *from);

#endif
