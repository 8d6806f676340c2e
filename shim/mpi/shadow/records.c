/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - what is known of the program's communicators */
/*
 * A record lives as long as its communicator. It is taken out before the library frees that:
 * afterwards the library may give its handle to a new one, in another thread at once. Functions
 * that the program has on the communicator's attributes run while it is freed, and may call
 * collectives: these stay on it.
 */
#include "config.h"

#include "shim/mpi/shadow/shadow.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"

#include <pthread.h>
#include <stdlib.h>

struct pl_shadow_record *pl_shadow_slot[PL_SHADOW_SLOTS];

static struct pl_shadow_record *chain[PL_SHADOW_SLOTS], *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What this thread is freeing. */
static __thread const struct pl_shadow_end *ending;

static bool is_ending(MPI_Comm comm)
{
	for (const struct pl_shadow_end *d = ending; d; d = d->outer)
		if (d->comm == comm)
			return true;
	return false;
}

/* Both with the lock held. */
static void link_record(struct pl_shadow_record *r, MPI_Comm comm)
{
	const size_t at = pl_shadow_hash(comm);

	r->next = chain[at];
	chain[at] = r;
	__atomic_store_n(&r->comm, comm, __ATOMIC_RELEASE);
	__atomic_store_n(&pl_shadow_slot[at], r, __ATOMIC_RELEASE);
}

static struct pl_shadow_record *in_chain(MPI_Comm comm)
{
	struct pl_shadow_record *r = chain[pl_shadow_hash(comm)];

	while (r && r->comm != comm)
		r = r->next;
	return r;
}

static struct pl_shadow_record *look_up(MPI_Comm comm)
{
	struct pl_shadow_record *r;

	pthread_mutex_lock(&lock);
	r = in_chain(comm);
	if (r)
		__atomic_store_n(&pl_shadow_slot[pl_shadow_hash(comm)], r, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return r;
}

/* An empty one. */
static struct pl_shadow_record *record_create(void)
{
	struct pl_shadow_record *r;

	pthread_mutex_lock(&lock);
	r = unused;
	if (r)
		unused = r->next;
	pthread_mutex_unlock(&lock);
	if (!r) {
		r = calloc(1, sizeof(*r));
		if (!r)
			pl_mpi_no_memory();
		r->comm = MPI_COMM_NULL;
	}
	return r;
}

struct pl_shadow_record *pl_shadow_find(MPI_Comm comm)
{
	struct pl_shadow_record *r = look_up(comm);

	/* what is wrong with it, the library says */
	if (r || is_ending(comm) || !pl_mpi_is_valid(comm))
		return r;
	/* no other thread may be at a collective of it now */
	r = record_create();
	pl_shadow_places(r, comm);
	pthread_mutex_lock(&lock);
	link_record(r, comm);
	pthread_mutex_unlock(&lock);
	return r;
}

MPI_Comm pl_shadow_owner(MPI_Comm shadow)
{
	MPI_Comm owner = MPI_COMM_NULL;

	pthread_mutex_lock(&lock);
	for (size_t at = 0; at < PL_SHADOW_SLOTS; at++)
		for (struct pl_shadow_record *r = chain[at]; r; r = r->next)
			for (size_t i = 0; i < r->n_own; i++)
				if (r->own[i].comm == shadow)
					owner = r->comm;
	pthread_mutex_unlock(&lock);
	return owner;
}

static void unlink_record(struct pl_shadow_record *r)
{
	const size_t at = pl_shadow_hash(r->comm);
	struct pl_shadow_record **link = &chain[at];

	while (*link != r)
		link = &(*link)->next;
	*link = r->next;
	if (pl_shadow_slot[at] == r)
		__atomic_store_n(&pl_shadow_slot[at], NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&r->comm, MPI_COMM_NULL, __ATOMIC_RELEASE);
}

/* Empties a record that is in no chain, for another communicator. */
static void reuse(struct pl_shadow_record *r)
{
	pl_shadow_forget(r);
	pthread_mutex_lock(&lock);
	r->next = unused;
	unused = r;
	pthread_mutex_unlock(&lock);
}

void pl_shadow_end_begin(struct pl_shadow_end *end, MPI_Comm comm)
{
	pthread_mutex_lock(&lock);
	end->comm = comm;
	end->record = in_chain(comm);
	if (end->record)
		unlink_record(end->record);
	pthread_mutex_unlock(&lock);
	end->outer = ending;
	ending = end;
}

void pl_shadow_end_done(struct pl_shadow_end *end, bool freed, pl_shadow_free_fn *free_comm)
{
	struct pl_shadow_record *r = end->record;

	ending = end->outer;
	if (!r)
		return;
	if (!freed) {
		pthread_mutex_lock(&lock);
		link_record(r, end->comm);
		pthread_mutex_unlock(&lock);
		return;
	}
	for (size_t i = 0; i < r->n_own; i++)
		if (r->own[i].comm != MPI_COMM_NULL)
			free_comm(&r->own[i].comm);
	reuse(r);
}

/* Those that are there, into @all unless it is NULL. How many. */
static size_t list_shadows(struct pl_shadow **all)
{
	size_t n = 0;

	for (size_t at = 0; at < PL_SHADOW_SLOTS; at++)
		for (struct pl_shadow_record *r = chain[at]; r; r = r->next)
			for (size_t i = 0; i < r->n_own; i++) {
				if (r->own[i].comm == MPI_COMM_NULL)
					continue;
				if (all)
					all[n] = &r->own[i];
				n++;
			}
	return n;
}

static int first_made_first(const void *a, const void *b)
{
	const struct pl_shadow *const *x = a, *const *y = b;

	return (*x)->made < (*y)->made ? -1 : (*x)->made > (*y)->made;
}

/* In the sequence in which they were made, which suits all processes: some libraries wait for the
 * others when a communicator is freed. */
static void free_shadows(void)
{
	const size_t n = list_shadows(NULL);
	struct pl_shadow **all = pl_array_create(n + 1, sizeof(*all));

	if (!all)
		pl_mpi_no_memory();
	list_shadows(all);
	qsort(all, n, sizeof(*all), first_made_first);
	for (size_t i = 0; i < n; i++)
		PL_MPI_NEXT(PMPI_Comm_free)(&all[i]->comm);
	free(all);
}

void pl_shadow_records_fini(void)
{
	free_shadows();
	for (size_t at = 0; at < PL_SHADOW_SLOTS; at++)
		while (chain[at]) {
			struct pl_shadow_end end;

			pl_shadow_end_begin(&end, chain[at]->comm);
			pl_shadow_end_done(&end, true, PL_MPI_NEXT(PMPI_Comm_free));
		}
	while (unused) {
		struct pl_shadow_record *r = unused;

		unused = r->next;
		free(r);
	}
}
