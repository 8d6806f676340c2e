/* SPDX-License-Identifier: BSD-3-Clause */
/* creations.h - communicators that the program has asked for */
#ifndef PLINK_SHIM_NCCL_CREATIONS_H
#define PLINK_SHIM_NCCL_CREATIONS_H

#include "shim/nccl/comms.h"

/*
 * After a real function that makes one at *@where and has returned @rc; @parent
 * is what it was made from, or NULL where its handle is at *@where at once.
 * Makes its hidden one: at once, at the end of the group, or, where it is
 * nonblocking, whenever the program asks how far it is.
 * @showing was shown before that function was called, and is taken over. What
 * is to be returned to the program.
 */
ncclResult_t pl_nccl_created(ncclComm_t *where, ncclComm_t parent,
			     ncclResult_t rc, struct pl_showing showing);

/* Around ncclGroupStart and ncclGroupEnd, which returned @rc. */
void pl_creations_group_start(void);
ncclResult_t pl_creations_group_end(ncclResult_t rc);
/* Out of a group without any effect. */
void pl_creations_group_drop(void);

/* How many children of nonblocking communicators are not known to be there? */
extern int pl_creations_expected;

/* The program's communicator @app may be one of them: its record, or NULL. */
struct pl_nccl_comm *pl_creations_adopt(ncclComm_t app);

/* None of the children of @parent is waited for any more. */
void pl_creations_forget(ncclComm_t parent);

/* What is under way of the children of @parent, which itself is ready. */
ncclResult_t pl_creations_advance(ncclComm_t parent);

/* As pl_comms_find, of a communicator that is about to be used. */
static inline struct pl_nccl_comm *pl_creations_find(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_comms_find(app);

	if (!comm && __builtin_expect(__atomic_load_n(&pl_creations_expected,
						      __ATOMIC_ACQUIRE),
				      0))
		comm = pl_creations_adopt(app);
	return comm;
}

#endif
