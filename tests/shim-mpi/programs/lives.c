/* SPDX-License-Identifier: BSD-3-Clause */
/* lives.c - collectives of communicators that come and go */
#include "config.h"

#include "tests/shim-mpi/programs/collectives.h"

#include <pthread.h>
#include <stdlib.h>

#define N_THREADS 4

/* Handles come again, for communicators of other processes in another order. */
void check_lives(int n_lives)
{
	bool right = true;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < n_lives; i++) {
		MPI_Comm comm;

		if (i % 3 == 0)
			MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		else
			MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? 0 : rank % 2, i % 5 ? rank : -rank,
				       &comm);
		right &= sum_is_right(comm);
		MPI_Comm_free(&comm);
	}
	check(right, "communicators, one after the other");
	/* one that lives on across MPI_Finalize */
	MPI_Comm_dup(MPI_COMM_WORLD, &(MPI_Comm){MPI_COMM_NULL});
}

static void check_many(int n)
{
	MPI_Comm *comm = calloc((size_t)n, sizeof(*comm));
	bool right = comm != NULL;

	for (int i = 0; i < n && comm; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
	for (int i = 0; i < 2 * n && comm; i++)
		right &= sum_is_right(comm[i % n]);
	for (int i = 0; i < n && comm; i++)
		MPI_Comm_free(&comm[i]);
	free(comm);
	check(right, "many communicators at once");
}

static int n_called, n_right, fails;

/* Called while the communicator is freed, which it still is whole. */
static int delete_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)keyval;
	(void)value;
	(void)extra;
	n_called++;
	n_right += sum_is_right(comm);
	return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* With the attribute set before the first collective on even ranks and after it on odd ones: no
 * process may tell from the order of the two. */
static MPI_Comm with_attribute(int keyval)
{
	MPI_Comm comm;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	if (rank % 2 == 0)
		MPI_Comm_set_attr(comm, keyval, NULL);
	n_right += sum_is_right(comm);
	if (rank % 2)
		MPI_Comm_set_attr(comm, keyval, NULL);
	return comm;
}

void check_callbacks(int n_at_once)
{
	MPI_Comm comm;
	int keyval, rc;

	check_many(n_at_once);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_value, &keyval, NULL);
	comm = with_attribute(keyval);
	MPI_Comm_free(&comm);
	check(n_called == 1 && n_right == 2, "a collective while the communicator is freed");
	comm = with_attribute(keyval);
	MPI_Comm_disconnect(&comm);
	check(n_called == 2 && n_right == 4, "and while it is disconnected");

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	comm = with_attribute(keyval);
	fails = 1;
	rc = MPI_Comm_free(&comm);
	check(rc != MPI_SUCCESS && comm != MPI_COMM_NULL && n_right == 6 && sum_is_right(comm),
	      "and after its freeing has failed");
	fails = 0;
	MPI_Comm_free(&comm);
	check(comm == MPI_COMM_NULL, "it can be freed then");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_free_keyval(&keyval);
}

/* Two groups that know one another, and a communicator that is not ready
 * yet. */
void check_between(void)
{
	int rank, n, sum = -1, root, bit = 1;
	MPI_Comm half, both, copy;
	MPI_Request request;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 4, &both);
	MPI_Allreduce(&bit, &sum, 1, MPI_INT, MPI_SUM, both);
	check(sum == (rank % 2 ? (n + 1) / 2 : n / 2), "an all-reduce between two groups");
	root = rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
	sum = rank == 0 ? 42 : -1;
	MPI_Bcast(&sum, 1, MPI_INT, root, both);
	check(sum == (rank == 0 || rank % 2 ? 42 : -1), "a broadcast from one to the other");
	MPI_Barrier(both);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);

	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	check(sum_is_right(copy), "a copy made without blocking");
	MPI_Comm_free(&copy);
}

struct thread {
	pthread_t id;
	MPI_Comm comm;
	int n_lives, tag;
	bool right;
};

static void *live(void *arg)
{
	struct thread *t = arg;

	t->right = true;
	for (int i = 0; i < t->n_lives; i++) {
		MPI_Comm copy;

		MPI_Comm_dup(t->comm, &copy);
		t->right &= sum_is_right(copy);
		t->right &= sum_is_right(t->comm);
		MPI_Comm_free(&copy);
	}
	return NULL;
}

/* A collective of a group's communicator, which only its tag tells from those that the other
 * threads make at the same time. */
static bool is_right_by_tag(MPI_Group group, int tag)
{
	MPI_Comm comm;
	bool right;

	MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm);
	right = sum_is_right(comm);
	MPI_Comm_free(&comm);
	return right;
}

static void *live_by_tags(void *arg)
{
	struct thread *t = arg;
	MPI_Group all, some;
	int rank, n;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_range_incl(all, 1, (int[1][3]){{0, n / 2, 1}}, &some);
	t->right = true;
	for (int i = 0; i < t->n_lives; i++) {
		if (rank <= n / 2)
			t->right &= is_right_by_tag(some, t->tag);
		t->right &= is_right_by_tag(all, t->tag);
	}
	MPI_Group_free(&some);
	MPI_Group_free(&all);
	return NULL;
}

static bool run_threads(struct thread *t, void *(*run)(void *))
{
	bool right = true;

	for (int i = 0; i < N_THREADS; i++)
		if (pthread_create(&t[i].id, NULL, run, &t[i]))
			MPI_Abort(MPI_COMM_WORLD, 8);
	for (int i = 0; i < N_THREADS; i++) {
		pthread_join(t[i].id, NULL);
		right &= t[i].right;
	}
	return right;
}

void check_threads(int n_lives)
{
	struct thread t[N_THREADS];
	bool right;

	for (int i = 0; i < N_THREADS; i++) {
		t[i].tag = i;
		t[i].n_lives = n_lives;
		MPI_Comm_dup(MPI_COMM_WORLD, &t[i].comm);
		if (i == 0) /* known before the thread comes to it */
			sum_is_right(t[i].comm);
	}
	right = run_threads(t, live);
	for (int i = 0; i < N_THREADS; i++)
		MPI_Comm_free(&t[i].comm);
	check(right, "communicators of several threads");
	check(run_threads(t, live_by_tags), "and with tags");
}
