/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.h - the program's communicators and the hidden ones beside them */
/*
 * A communicator that the program makes through this library has a record while its hidden
 * communicator is being made. Afterwards it keeps the record if it has hidden communicators, or if
 * all its ranks are on one host. With a plan, there is one, of the same processes in the plan's
 * order; with a schedule, there are those of two levels (two-level.h). Hidden communicators are
 * members of the record and have no record of their own, so that calls with them go to the real
 * library as they are.
 */
#ifndef PLINK_SHIM_NCCL_COMMS_H
#define PLINK_SHIM_NCCL_COMMS_H

#include "shim/nccl/handles.h"
#include "shim/nccl/real.h"
#include "shim/nccl/same-host.h"

#include <pthread.h>

/* How far a hidden communicator has been made; make.h. */
enum pl_making {
	PL_MAKING_WAITS,  /* for the program's own communicator */
	PL_MAKING_SPLITS, /* in ncclCommSplit */
	PL_MAKING_DONE,   /* there is a hidden one, or there will be none */
};

/* An operator, or a handle of registered memory, is valid for one communicator only. A twin is that
 * of the program and its counterpart for the hidden communicator. */
struct pl_twin {
	void *of_app, *of_shadow;
};
struct pl_twins {
	struct pl_twin *v;
	size_t n, room;
};

/* Of a communicator that runs all-reduces in two levels. */
struct pl_nccl_levels {
	ncclComm_t group;  /* the ranks of this one's group */
	ncclComm_t across; /* those that have the same rank in their groups;
			      NULL where that is n_shards or more */
	int n, rank;       /* of group */
	int n_shards;      /* ranks of the smallest group; 0: no two levels */
	bool are_equal;    /* all groups have as many ranks */
};

struct pl_nccl_comm {
	ncclComm_t app;
	ncclComm_t shadow;            /* NULL: none; set once, atomically */
	int n, rank;                  /* as the program sees it */
	int *rank_in;                 /* [n]: rank in shadow, by the program's rank; NULL: not
					 known */
	struct pl_nccl_levels levels; /* constant when the making is done */

	enum pl_making making; /* atomic; read without the lock */
	pthread_mutex_t lock;
	int round;
	ncclComm_t voted;    /* what the current split has made */
	int64_t since_s;     /* of pl_watch_ask() */
	bool is_nonblocking; /* has that been seen in the making? */

	struct pl_showing showing; /* until the making is over; showing.common stays */
	bool on_one_host;
	unsigned n_calls; /* calls that made others from it; the same on all its
			     ranks */

	struct pl_twins ops, registered; /* under lock */
	struct pl_nccl_comm *next;       /* in the list of unused records */
};

/* Makes a record, which takes @showing over. NULL: no memory, and @showing is hidden. */
struct pl_nccl_comm *pl_comms_add(ncclComm_t app, struct pl_showing *showing);

/* pl_comms_forget(): pl_comms_find() no longer finds the record. Call it before the communicator
 * ends, because the next one may get its address. pl_comms_release(): the record may be used again
 * for another communicator. It is never freed, so that a thread that still looks at it sees a
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

#define PL_HIDDEN_MAX 2

/* The hidden communicators, if the making is over: how many. */
size_t pl_comm_hidden(const struct pl_nccl_comm *comm, ncclComm_t hidden[PL_HIDDEN_MAX]);

/* The twin of @of_app, or NULL. Call this and the next two with the record locked. */
struct pl_twin *pl_twins_find(struct pl_twins *twins, const void *of_app);
/* 0, or -1: no memory. */
int pl_twins_add(struct pl_twins *twins, void *of_app, void *of_shadow);
void pl_twins_remove(struct pl_twins *twins, struct pl_twin *twin);

#endif
