/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.c - which communicators have connections of their own */
/*
 * A communicator of the processes of MPI_COMM_WORLD, in that order, gets them at the first call
 * that may wait for all of them, and loses them when it is freed. All its processes make its calls
 * in the same sequence, so all agree on whether it has them. Functions that the program has on its
 * attributes run while it is freed, on some processes perhaps after the library's part: their calls
 * stay on it.
 */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "shim/mpi/refuse.h"

#include <pthread.h>
#include <stdlib.h>

/* What is known of a communicator: few are not freed again. */
struct pl_engine_comm {
	MPI_Comm comm;
	struct pl_engine_queue *queue; /* NULL: its calls are the library's */
	bool is_known;                 /* has it been asked whether it gets one? */
	bool is_ending;
	pthread_t ended_by; /* another may have the handle for a new one */
	struct pl_engine_comm *next;
};

static struct pl_engine_comm *comms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* With the lock held: where the record hangs. */
static struct pl_engine_comm **find(MPI_Comm comm)
{
	struct pl_engine_comm **r = &comms;

	while (*r && ((*r)->comm != comm ||
		      ((*r)->is_ending && !pthread_equal((*r)->ended_by, pthread_self()))))
		r = &(*r)->next;
	return r;
}

static struct pl_engine_comm *add(const struct pl_engine_comm *record)
{
	struct pl_engine_comm *r = malloc(sizeof(*r));

	if (!r)
		pl_mpi_no_memory();
	*r = *record;
	pthread_mutex_lock(&lock);
	r->next = comms;
	comms = r;
	pthread_mutex_unlock(&lock);
	return r;
}

bool pl_engine_mode_is_world(MPI_Comm comm)
{
	int how;

	if (comm == MPI_COMM_WORLD)
		return true;
	if (!pl_mpi_is_valid(comm))
		return false;
	PMPI_Comm_compare(comm, MPI_COMM_WORLD, &how);
	return how == MPI_CONGRUENT;
}

struct pl_engine_queue *pl_engine_mode_queue_of(MPI_Comm comm, bool make)
{
	struct pl_engine_comm r = {.comm = comm, .is_known = true};
	const struct pl_engine_comm *found;

	if (comm == MPI_COMM_WORLD)
		return &pl_engine_mode.world;
	pthread_mutex_lock(&lock);
	found = *find(comm);
	if (found)
		r = *found;
	pthread_mutex_unlock(&lock);
	if (found || !make)
		return r.queue;
	/* no other thread may be at a collective of it now; what is wrong with it, the library
	 * says */
	if (!pl_mpi_is_valid(comm))
		return NULL;
	if (pl_engine_mode_is_world(comm))
		r.queue = pl_engine_mode_queue_create(comm, false);
	add(&r);
	return r.queue;
}

void pl_engine_mode_end_begin(struct pl_engine_mode_end *end, MPI_Comm comm)
{
	struct pl_engine_comm *r;

	pthread_mutex_lock(&lock);
	r = *find(comm);
	pthread_mutex_unlock(&lock);
	if (!r)
		r = add(&(struct pl_engine_comm){.comm = comm});
	pthread_mutex_lock(&lock);
	r->ended_by = pthread_self();
	r->is_ending = true;
	pthread_mutex_unlock(&lock);
	end->record = r;
}

/* Of a communicator that is gone. */
static void forget(struct pl_engine_comm *r)
{
	if (r->queue)
		pl_engine_mode_queue_finish(r->queue);
	pl_engine_mode_leave(r->comm, r->queue);
	if (r->queue)
		pl_engine_mode_queue_destroy(r->queue, false);
	free(r);
}

void pl_engine_mode_end_done(struct pl_engine_mode_end *end, bool freed)
{
	struct pl_engine_comm *r = end->record, **at = &comms;

	pthread_mutex_lock(&lock);
	r->is_ending = false;
	if (freed || !r->is_known) {
		while (*at != r)
			at = &(*at)->next;
		*at = r->next;
	} else {
		r = NULL;
	}
	pthread_mutex_unlock(&lock);
	if (r)
		forget(r);
}

void pl_engine_mode_comms_fini(void)
{
	while (comms) {
		struct pl_engine_comm *r = comms;

		comms = r->next;
		forget(r);
	}
}
