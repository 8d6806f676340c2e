/* SPDX-License-Identifier: BSD-3-Clause */
/* make.c - a communicator's processes in the orders of the plan */
#include "config.h"

#include "shim/mpi/shadow/shadow.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"
#include "shim/ranks.h"

#include <stdlib.h>
#include <string.h>

static void *make_array(size_t n, size_t size)
{
	void *array = pl_array_create(n, size);

	if (!array)
		pl_mpi_no_memory();
	return array;
}

/* host_of[n] of the communicator's processes. False where one of them is not of this world: the
 * plan knows nothing of it. */
static bool find_hosts(MPI_Comm comm, int n, int *host_of)
{
	int *rank = make_array((size_t)n, sizeof(*rank));
	bool known = true;
	MPI_Group group;

	for (int i = 0; i < n; i++)
		rank[i] = i;
	PMPI_Comm_group(comm, &group);
	PMPI_Group_translate_ranks(group, n, rank, pl_shadow_world, host_of);
	PMPI_Group_free(&group);
	free(rank);
	for (int i = 0; i < n && known; i++) {
		known = host_of[i] != MPI_UNDEFINED;
		if (known)
			host_of[i] = pl_shadow_host_of[host_of[i]];
	}
	return known;
}

/* The lowest rank of each cycle of more than one. */
static void find_leaders(struct pl_shadow *s, int n)
{
	bool *seen = make_array((size_t)n, sizeof(*seen));

	s->leader = make_array((size_t)n, sizeof(*s->leader));
	for (int first = 0; first < n; first++) {
		if (seen[first] || s->rank[first] == first)
			continue;
		s->leader[s->n_leaders++] = first;
		for (int i = first; !seen[i]; i = s->rank[i])
			seen[i] = true;
	}
	free(seen);
}

/* The one of the record's shadows that has these ranks; takes rank[] over. */
static struct pl_shadow *add_shadow(struct pl_shadow_record *r, int *rank)
{
	const size_t bytes = (size_t)r->size * sizeof(*rank);
	struct pl_shadow *s = r->own;

	while (s < r->own + r->n_own && memcmp(s->rank, rank, bytes) != 0)
		s++;
	if (s < r->own + r->n_own) {
		free(rank);
		return s;
	}
	r->n_own++;
	*s = (struct pl_shadow){.comm = MPI_COMM_NULL, .rank = rank};
	find_leaders(s, r->size);
	return s;
}

static void place(struct pl_shadow_record *r, size_t order, const int *host_of)
{
	const size_t n = (size_t)r->size;
	int *rank;

	if (!pl_shadow_is_used(&pl_shadow_choice, order))
		return;
	rank = make_array(n, sizeof(*rank));
	if (pl_shim_place(&pl_shadow_plan, order, host_of, n, rank))
		pl_mpi_no_memory();
	if (pl_shim_is_identity(rank, n)) {
		free(rank);
		return;
	}
	r->by_order[order] = add_shadow(r, rank);
	r->rank_in[order] = r->by_order[order]->rank;
}

void pl_shadow_places(struct pl_shadow_record *r, MPI_Comm comm)
{
	const size_t n_orders = pl_shadow_plan.n_orders;
	int is_inter = 1, *host_of;

	PMPI_Comm_test_inter(comm, &is_inter);
	PMPI_Comm_size(comm, &r->size);
	if (is_inter || r->size < 2)
		return;
	host_of = make_array((size_t)r->size, sizeof(*host_of));
	if (find_hosts(comm, r->size, host_of)) {
		r->own = make_array(n_orders, sizeof(*r->own));
		r->by_order = make_array(n_orders, sizeof(*r->by_order));
		r->rank_in = make_array(n_orders, sizeof(*r->rank_in));
		for (size_t order = 0; order < n_orders; order++)
			place(r, order, host_of);
	}
	free(host_of);
	if (r->n_own == 0)
		pl_shadow_forget(r);
}

void pl_shadow_forget(struct pl_shadow_record *r)
{
	for (size_t i = 0; i < r->n_own; i++) {
		free(r->own[i].rank);
		free(r->own[i].leader);
	}
	free(r->own);
	free(r->by_order);
	free(r->rank_in);
	r->own = NULL;
	r->n_own = 0;
	r->by_order = NULL;
	r->rank_in = NULL;
}

/* A communicator of the same processes by their ranks in the shadow. */
static int create_comm(MPI_Comm comm, const struct pl_shadow *s, int n, MPI_Comm *made)
{
	int *at = make_array((size_t)n, sizeof(*at)), rc;
	MPI_Group all, ordered;

	for (int rank = 0; rank < n; rank++)
		at[s->rank[rank]] = rank;
	PMPI_Comm_group(comm, &all);
	PMPI_Group_incl(all, n, at, &ordered);
	rc = PL_MPI_NEXT(PMPI_Comm_create)(comm, ordered, made);
	PMPI_Group_free(&ordered);
	PMPI_Group_free(&all);
	free(at);
	return rc;
}

/* Does it hold on all of them? */
static bool all_say(MPI_Comm comm, bool mine)
{
	int said = mine, all = 0;

	return PL_MPI_NEXT(PMPI_Allreduce)(&said, &all, 1, MPI_INT, MPI_LAND, comm) ==
		       MPI_SUCCESS &&
	       all;
}

/* May this thread make a communicator, which the program does not ask for? Open MPI 4.1 may hang
 * where several threads make some at the same time, one of them of one that MPI_Comm_create_group
 * made. */
static bool is_main_thread(void)
{
	int level, is_main;

	PMPI_Query_thread(&level);
	PMPI_Is_thread_main(&is_main);
	return level < MPI_THREAD_MULTIPLE || is_main;
}

/* What goes wrong here is no error of the program's. */
static MPI_Comm make_comm(MPI_Comm comm, const struct pl_shadow *s, int n)
{
	MPI_Comm made = MPI_COMM_NULL;
	MPI_Errhandler theirs;
	bool have = false;

	PL_MPI_NEXT(PMPI_Comm_get_errhandler)(comm, &theirs);
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
	if (all_say(comm, is_main_thread())) {
		have = create_comm(comm, s, n, &made) == MPI_SUCCESS;
		if (!all_say(comm, have) && have)
			PL_MPI_NEXT(PMPI_Comm_free)(&made);
	}
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, theirs);
	PMPI_Errhandler_free(&theirs);
	return have ? made : MPI_COMM_NULL;
}

const struct pl_shadow *pl_shadow_make(const struct pl_shadow_record *r, struct pl_shadow *s)
{
	static uint64_t n_made; /* by one thread: see is_main_thread() */
	MPI_Comm made;

	if (s->tried)
		return NULL;
	s->tried = true;
	made = make_comm(r->comm, s, r->size);
	if (made == MPI_COMM_NULL)
		return NULL;
	s->made = n_made++;
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(made, pl_shadow_handler);
	__atomic_store_n(&s->comm, made, __ATOMIC_RELEASE);
	return s;
}
