/* SPDX-License-Identifier: BSD-3-Clause */
/* shadow.h - communicators of the program and those that its collectives run
 * on */
/*
 * In shadow mode the program keeps its ranks. For each of its communicators
 * there may be others, its shadows, of the same processes in an order of the
 * plan; a collective call runs on one of them. Whether there is one changes
 * only in calls which all processes of the communicator make in the same
 * sequence: its blocking collectives make them, its end frees them. So all
 * agree on where a call runs.
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
	MPI_Comm comm; /* MPI_COMM_NULL: not made, or not to be made */
	bool tried;
	uint64_t made; /* how many were made before it */
	int *rank;     /* [size]: rank in the shadow by the program's */
	int *leader;   /* [n_leaders]: a rank of each cycle of rank[] */
	int n_leaders;
};

/* What is known of a communicator. Its memory is only ever used again for
 * another record, so that whoever has an old pointer may look at @comm. */
struct pl_shadow_record {
	MPI_Comm comm; /* of the program; atomic */
	int size;
	struct pl_shadow *own; /* [n_own]: the different ones */
	size_t n_own;
	struct pl_shadow **by_order; /* NULL: its calls stay on @comm, else by
					the plan's orders; NULL there: the same
					ranks, or no call takes that order */
	int **rank_in;               /* the same's rank */
	struct pl_shadow_record *next;
};

#define PL_SHADOW_SLOTS_BITS 8
#define PL_SHADOW_SLOTS (1 << PL_SHADOW_SLOTS_BITS)

/* Is the mode on? From MPI_Init to MPI_Finalize. */
extern bool pl_shadow_is_on;
extern struct pl_shadow_choice pl_shadow_choice;

/* Where a record may be found at once, by the handle; all changes are made
 * under a lock, and one pointer at a time. */
extern struct pl_shadow_record *pl_shadow_slot[PL_SHADOW_SLOTS];

static inline size_t pl_shadow_hash(MPI_Comm comm)
{
	return (size_t)((uint64_t)(uintptr_t)comm *
				UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - PL_SHADOW_SLOTS_BITS));
}

/* records.c: the record of a communicator, made where there is none; NULL where
 * there is nothing to know: no communicator, or one that is being freed. */
struct pl_shadow_record *pl_shadow_find(MPI_Comm comm);

static inline struct pl_shadow_record *pl_shadow_record_of(MPI_Comm comm)
{
	struct pl_shadow_record *r = __atomic_load_n(
		&pl_shadow_slot[pl_shadow_hash(comm)], __ATOMIC_ACQUIRE);

	if (__builtin_expect(r && __atomic_load_n(&r->comm, __ATOMIC_ACQUIRE) ==
					     comm,
			     1))
		return r;
	return pl_shadow_find(comm);
}

/* The communicator of the program behind a shadow, or MPI_COMM_NULL. */
MPI_Comm pl_shadow_owner(MPI_Comm shadow);

/* A communicator that the library is about to free. */
struct pl_shadow_end {
	MPI_Comm comm;
	struct pl_shadow_record *record;
	const struct pl_shadow_end *outer; /* of the same thread */
};

typedef int pl_shadow_free_fn(MPI_Comm *);

/* Around what frees @comm, which may fail: then all is as it was. Otherwise
 * @free_comm frees its shadows. */
void pl_shadow_end_begin(struct pl_shadow_end *end, MPI_Comm comm);
void pl_shadow_end_done(struct pl_shadow_end *end, bool freed,
			pl_shadow_free_fn *free_comm);

/* Frees all records and their shadows. */
void pl_shadow_records_fini(void);

/* make.c: fills in an empty record, without any communication: what the plan
 * says of these processes. pl_shadow_forget() empties it again, the shadows'
 * communicators apart. */
void pl_shadow_places(struct pl_shadow_record *record, MPI_Comm comm);
void pl_shadow_forget(struct pl_shadow_record *record);

/* Collective over the record's communicator: makes the one of its shadows. NULL
 * on all processes where that has failed, now or before. */
const struct pl_shadow *pl_shadow_make(const struct pl_shadow_record *record,
				       struct pl_shadow *shadow);

/* begin.c: while the mode is on. */
extern struct pl_plan pl_shadow_plan;
extern int *pl_shadow_host_of; /* by the world's rank */
extern MPI_Group pl_shadow_world;

/* raise.c: the shadows' error handler, and whether a call that has failed is to
 * be made once more, on the program's communicator, for the error to be raised
 * there. */
extern MPI_Errhandler pl_shadow_handler;
void pl_shadow_handler_init(void);
void pl_shadow_handler_fini(void);
bool pl_shadow_again(void);

/* raise.c: of this process alone, for calls whose errors nobody is to know
 * of. */
extern MPI_Comm pl_shadow_alone;

/* While the mode is on: does the library refuse one buffer for input and
 * result, where it may take it? */
extern bool pl_shadow_refuses_one;

#endif
