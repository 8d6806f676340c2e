/* SPDX-License-Identifier: BSD-3-Clause */
/* creations.h - communicators that the program has asked for */
#ifndef PLINK_SHIM_NCCL_CREATIONS_H
#define PLINK_SHIM_NCCL_CREATIONS_H

#include "shim/nccl/comms.h"

/*
 * Call this after a real function that makes a communicator at *@where and has returned @rc.
 * @parent is the communicator that it is made from, or NULL if its handle is at *@where at once.
 * Makes the hidden communicator: at once; at the end of the group; or, for a nonblocking
 * communicator, step by step whenever the program asks for its state. @showing was shown before the
 * real function was called, and is taken over. Returns the result for the program.
 */
ncclResult_t pl_nccl_created(ncclComm_t *where, ncclComm_t parent, ncclResult_t rc,
			     struct pl_showing showing);

/* Call these after ncclGroupStart has succeeded, and after ncclGroupEnd, which returned @rc. The
 * second returns the result for the program. */
void pl_creations_group_start(void);
ncclResult_t pl_creations_group_end(ncclResult_t rc);
/* For a group that ends without an effect (ncclGroupSimulateEnd): forgets the communicators that
 * the program has asked for in it. */
void pl_creations_group_drop(void);

/* The number of children of nonblocking communicators that may not be made
 * yet. */
extern int pl_creations_expected;

/* If @app is one of these children and has no record yet, makes one. The record, or NULL. */
struct pl_nccl_comm *pl_creations_adopt(ncclComm_t app);

/* Stops waiting for the children of @parent. */
void pl_creations_forget(ncclComm_t parent);

/* Continues to make the hidden communicators for the children of @parent, which
 * itself is ready. ncclSuccess when all are done, ncclInProgress, or an
 * error. */
ncclResult_t pl_creations_advance(ncclComm_t parent);

/* life.c: takes the hidden communicators away from @app; the caller ends them. How many there are;
 * 0 also while they are being made. All processes of @app must do this alike. */
size_t pl_life_take_hidden(ncclComm_t app, ncclComm_t hidden[PL_HIDDEN_MAX]);

/* Is this thread between the program's ncclGroupStart and ncclGroupEnd? */
bool pl_creations_in_group(void);

/* Like pl_comms_find(), for a communicator that is about to be used: also finds a child that NCCL
 * has made in the meantime. */
static inline struct pl_nccl_comm *pl_creations_find(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_comms_find(app);

	if (!comm && __builtin_expect(__atomic_load_n(&pl_creations_expected, __ATOMIC_ACQUIRE), 0))
		comm = pl_creations_adopt(app);
	return comm;
}

#endif
