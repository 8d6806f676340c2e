/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.h - the program's communicators and the hidden ones beside them */
/*
 * Each communicator of more than one rank that the program makes through this
 * library has a record. The hidden communicator of the same processes, in the
 * plan's order, is in it; it has no record of its own, so that whatever is
 * called with it goes to the real library as it is.
 */
#ifndef PLINK_SHIM_NCCL_COMMS_H
#define PLINK_SHIM_NCCL_COMMS_H

#include "shim/nccl/handles.h"
#include "shim/nccl/real.h"
#include "shim/nccl/same-host.h"

#include <pthread.h>

/* How far the making of a hidden communicator is; make.h. */
enum pl_making {
	PL_MAKING_WAITS,  /* for the program's own */
	PL_MAKING_SPLITS, /* in ncclCommSplit */
	PL_MAKING_DONE,   /* there is one, or there will be none */
};

/* What stands for what the program holds: an operator, or a handle of
 * registered memory; known by the program's, used by the hidden
 * communicator. */
struct pl_twin {
	void *of_app, *of_shadow;
};
struct pl_twins {
	struct pl_twin *v;
	size_t n, room;
};

struct pl_nccl_comm {
	ncclComm_t app;
	ncclComm_t shadow; /* NULL: none; set once, atomically */
	int n, rank;       /* as the program sees it */
	int *rank_in;      /* [n]: rank in shadow by the program's; NULL:
			    * not known */

	enum pl_making making; /* under lock but for a first look */
	pthread_mutex_t lock;
	int round;
	ncclComm_t voted; /* what the split under way has made */
	int64_t since_s;  /* when it was first asked for; watch.h */

	struct pl_showing showing; /* until the making is over; common stays */
	bool on_one_host;
	unsigned n_calls; /* that made others from it, as all its ranks count */

	struct pl_twins ops, registered; /* under lock */
	struct pl_nccl_comm *next;       /* in the list of unused records */
};

/* Makes a record, which takes @showing over, or NULL: no memory. */
struct pl_nccl_comm *pl_comms_add(ncclComm_t app, struct pl_showing *showing);

/* The program's communicator is not found any more; to be done before it ends:
 * the next one may get its address. The record remains until it is released,
 * and then is used anew but never freed: whoever still looks at it sees a
 * record. */
void pl_comms_forget(struct pl_nccl_comm *comm);
void pl_comms_release(struct pl_nccl_comm *comm);

extern struct pl_handles pl_nccl_comms;

/* The record of the program's communicator, or NULL. */
static inline struct pl_nccl_comm *pl_comms_find(ncclComm_t app)
{
	return pl_handles_find(&pl_nccl_comms, app);
}

static inline ncclComm_t pl_comm_shadow(const struct pl_nccl_comm *comm)
{
	return __atomic_load_n(&comm->shadow, __ATOMIC_ACQUIRE);
}

/* The twin of @of_app, or NULL. Under the record's lock. */
struct pl_twin *pl_twins_find(struct pl_twins *twins, const void *of_app);
/* 0, or -1: no memory. */
int pl_twins_add(struct pl_twins *twins, void *of_app, void *of_shadow);
void pl_twins_remove(struct pl_twins *twins, struct pl_twin *twin);

#endif
