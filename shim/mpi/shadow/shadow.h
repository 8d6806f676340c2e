/* SPDX-License-Identifier: BSD-3-Clause */
/* shadow.h - the program's communicators, and those that its collectives run
 * on */
/*
 * In shadow mode the program keeps its ranks. Each of its communicators may have shadows:
 * communicators of the same processes in an order of the plan. A collective call runs on one of
 * them. Blocking collectives of a communicator create its shadows, and the shadows are freed with
 * the communicator. All its processes make these calls in the same sequence, so all agree on where
 * a call runs.
 */
#ifndef PLINK_SHIM_MPI_SHADOW_SHADOW_H
#define PLINK_SHIM_MPI_SHADOW_SHADOW_H

#include "shim/mpi/shadow/choose.h"
#include "shim/mpi/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One order of the processes of a communicator. */
struct pl_shadow {
	MPI_Comm comm; /* MPI_COMM_NULL: not created, or cannot be */
	bool tried;
	uint64_t made; /* how many shadows were created before it */
	int *rank;     /* [size]: rank in the shadow by the program's */
	int *leader;   /* [n_leaders]: the lowest rank of each cycle of rank[] of
			  more than one */
	int n_leaders;
};

/* What is known about a communicator. While the mode is on, the memory of a record is used again
 * for other records, but never freed, so that a thread with an old pointer may still read @comm. */
struct pl_shadow_record {
	MPI_Comm comm; /* the program's; atomic */
	int size;
	struct pl_shadow *own; /* [n_own]: the shadows, all different */
	size_t n_own;
	struct pl_shadow **by_order; /* [orders of the plan]; NULL: all calls stay on
					@comm. An element is NULL if the order changes no
					rank, or no call takes it */
	int **rank_in;               /* rank[] of by_order[], or NULL */
	struct pl_shadow_record *next;
};

#define PL_SHADOW_SLOTS_BITS 8
#define PL_SHADOW_SLOTS (1 << PL_SHADOW_SLOTS_BITS)

/* Is the mode on? From MPI_Init to MPI_Finalize. */
extern bool pl_shadow_is_on;
extern struct pl_shadow_choice pl_shadow_choice;

/* A cache of records by their handle, read without a lock. All changes are made under a lock, one
 * pointer at a time. */
extern struct pl_shadow_record *pl_shadow_slot[PL_SHADOW_SLOTS];

static inline size_t pl_shadow_hash(MPI_Comm comm)
{
	return (size_t)((uint64_t)(uintptr_t)comm * UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - PL_SHADOW_SLOTS_BITS));
}

/* records.c: the record of a communicator, made if there is none. NULL if @comm is not a
 * communicator, or is one that this thread is freeing. */
struct pl_shadow_record *pl_shadow_find(MPI_Comm comm);

static inline struct pl_shadow_record *pl_shadow_record_of(MPI_Comm comm)
{
	struct pl_shadow_record *r =
		__atomic_load_n(&pl_shadow_slot[pl_shadow_hash(comm)], __ATOMIC_ACQUIRE);

	if (__builtin_expect(r && __atomic_load_n(&r->comm, __ATOMIC_ACQUIRE) == comm, 1))
		return r;
	return pl_shadow_find(comm);
}

/* The program's communicator that @shadow belongs to, or MPI_COMM_NULL. */
MPI_Comm pl_shadow_owner(MPI_Comm shadow);

/* A communicator that the library is about to free. */
struct pl_shadow_end {
	MPI_Comm comm;
	struct pl_shadow_record *record;
	const struct pl_shadow_end *outer; /* the enclosing one of the same thread, or NULL */
};

typedef int pl_shadow_free_fn(MPI_Comm *);

/* Call these before and after the function that frees @comm. The first takes the record of @comm
 * out of use. If the function has failed (@freed is false), the second puts the record back;
 * otherwise it frees the shadows with @free_comm. */
void pl_shadow_end_begin(struct pl_shadow_end *end, MPI_Comm comm);
void pl_shadow_end_done(struct pl_shadow_end *end, bool freed, pl_shadow_free_fn *free_comm);

/* Collective: frees all shadows, in the sequence in which they were created, and then all
 * records. */
void pl_shadow_records_fini(void);

/* make.c: fills in an empty record: the ranks that the orders of the plan give to the processes of
 * @comm. Communicates nothing. pl_shadow_forget() empties the record again, but does not free the
 * communicators of its shadows. */
void pl_shadow_places(struct pl_shadow_record *record, MPI_Comm comm);
void pl_shadow_forget(struct pl_shadow_record *record);

/* Collective over the record's communicator: creates one of its shadows. NULL on all processes if
 * that fails, or has failed before. */
const struct pl_shadow *pl_shadow_make(const struct pl_shadow_record *record,
				       struct pl_shadow *shadow);

/*
 * begin.c: collective over MPI_COMM_WORLD: starts shadow mode, which lasts until MPI_Finalize.
 * *host_of is from malloc(): the plan's host of each rank. Takes both arguments over and leaves
 * them empty. @path is the path of the plan: prints which orders the collectives take, unless it is
 * NULL. False: no order changes any rank, and the mode is not on.
 */
bool pl_shadow_begin_take(struct pl_plan *plan, int **host_of, const char *path);

/* While the mode is on. */
extern struct pl_plan pl_shadow_plan;
extern int *pl_shadow_host_of; /* by rank in MPI_COMM_WORLD */
extern MPI_Group pl_shadow_world;

/* raise.c: the error handler of the shadows. pl_shadow_again() tells, once, whether a call of this
 * thread has failed on a shadow because of its arguments: the caller repeats it on the program's
 * communicator, for the error to be raised there. */
extern MPI_Errhandler pl_shadow_handler;
void pl_shadow_handler_init(void);
void pl_shadow_handler_fini(void);
bool pl_shadow_again(void);

/* raise.c: a communicator of this process alone, for test calls whose errors must not reach the
 * program. */
extern MPI_Comm pl_shadow_alone;

/* Valid while the mode is on, and only where PL_MPI_MAY_TAKE_ONE_BUFFER is true: does the library
 * refuse one buffer as both input and result? */
extern bool pl_shadow_refuses_one;

#endif
