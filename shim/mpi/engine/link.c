/* SPDX-License-Identifier: BSD-3-Clause */
/* link.c - connections between the processes of a communicator */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"
#include "shim/say.h"
#include "shim/self.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

/* besides those of MPI_COMM_WORLD: each takes descriptors of the program */
#define LINKS_MAX 16

static int n_links; /* atomic */

void pl_engine_mode_let_library_work(void *with)
{
	int flag;

	(void)with;
	PL_MPI_NEXT(PMPI_Iprobe)
	(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

struct connection {
	struct pl_mesh *mesh;
	const struct sockaddr_storage *address; /* [n], by number */
	struct pl_err *err;
	int rc;
	bool is_done; /* atomic */
};

static void *make_connection(void *connection)
{
	struct connection *c = connection;

	c->rc = pl_mesh_connect(c->mesh, pl_engine_mode.is_peer, c->address, c->err);
	__atomic_store_n(&c->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* In a thread, which gets no signals of the program's: meanwhile the library may still have to send
 * what another process waits for before it connects. */
static void connect_beside(struct connection *c)
{
	pthread_t thread;
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&thread, NULL, make_connection, c);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		make_connection(c);
		return;
	}
	while (!__atomic_load_n(&c->is_done, __ATOMIC_ACQUIRE)) {
		pl_engine_mode_let_library_work(NULL);
		usleep(50);
	}
	pthread_join(thread, NULL);
}

/* From the ranks' addresses in @all, both by rank, to the processes'. */
static int connect_all(struct pl_mesh *mesh, const struct sockaddr_storage *all, struct pl_err *err)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	struct sockaddr_storage *address = pl_array_create((size_t)m->n, sizeof(*address));
	struct connection c = {.mesh = mesh, .address = address, .err = err};

	if (!address)
		return pl_err_nomem(err);
	for (int rank = 0; rank < m->n; rank++)
		address[m->number[rank]] = all[rank];
	connect_beside(&c);
	free(address);
	return c.rc;
}

/* The first rank that has failed, or -1: the same on all. */
static int first_failed(MPI_Comm comm, int rc)
{
	const int mine = rc ? pl_engine_mode.rank : pl_engine_mode.n;
	int first;

	PL_MPI_NEXT(PMPI_Allreduce)(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
	return first < pl_engine_mode.n ? first : -1;
}

/* A secret of all processes. */
static int make_key(unsigned char *key, MPI_Comm comm, int rc, struct pl_err *err)
{
	if (pl_engine_mode.rank == 0 && rc == 0 &&
	    getrandom(key, PL_MESH_KEY_BYTES, 0) != PL_MESH_KEY_BYTES)
		rc = pl_err_errno(err, "no random bytes");
	PL_MPI_NEXT(PMPI_Bcast)(key, PL_MESH_KEY_BYTES, MPI_BYTE, 0, comm);
	return rc;
}

static void say_change(const char *why)
{
	pl_shim_say("the schedules change: %s", why);
}

/* Listens here, tells all where, and connects to them. Returns as pl_engine_mode_link. */
static int link_mesh(struct pl_engine *e, MPI_Comm comm, int rc, struct pl_err *err)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	struct sockaddr_storage mine = m->address;
	struct sockaddr_storage *all = pl_array_create((size_t)m->n, sizeof(*all));
	struct pl_mesh_options o = e->mesh.options;
	struct pl_tuning_rules rules = pl_tuning_rules;
	int failed;

	if (m->verbose)
		rules.changed = say_change;
	if (!all)
		pl_mpi_no_memory();
	rc = make_key(o.key, comm, rc, err);
	if (rc == 0)
		rc = pl_mesh_listen(&e->mesh, &o, &mine, err);
	failed = first_failed(comm, rc);
	if (failed < 0) {
		PL_MPI_NEXT(PMPI_Allgather)
		(&mine, (int)sizeof(mine), MPI_BYTE, all, (int)sizeof(mine), MPI_BYTE, comm);
		rc = connect_all(&e->mesh, all, err);
		if (rc == 0)
			rc = pl_engine_tune(e, &rules, err);
		failed = first_failed(comm, rc);
	}
	free(all);
	return failed;
}

/* The same by messages, on a communicator without the program's attributes. */
static int link_messages(struct pl_engine *e, MPI_Comm comm, bool is_request, int rc,
			 struct pl_err *err)
{
	MPI_Comm own = MPI_COMM_NULL;
	int failed = first_failed(comm, rc);

	if (failed >= 0)
		return failed;
	if (PL_MPI_NEXT(PMPI_Comm_split)(comm, 0, 0, &own))
		rc = pl_err_set(err, PL_ESYSTEM, "no communicator can be made");
	else
		rc = pl_engine_mode_messages(&e->carrier, own, !is_request, err);
	failed = first_failed(comm, rc);
	if (rc && own != MPI_COMM_NULL) /* else the carrier has it */
		PL_MPI_NEXT(PMPI_Comm_free)(&own);
	return failed;
}

int pl_engine_mode_link(struct pl_engine_queue *q, MPI_Comm comm, bool is_request, int rc,
			struct pl_err *err)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_engine e = {.mesh = {.listener = -1,
				       .epoll = -1,
				       .options = {.rank = (uint32_t)m->number[m->rank],
						   .n_ranks = (uint32_t)m->n,
						   .shares_memory = pl_self_shares_memory()}},
			      .part = &m->part};
	struct pl_mesh_options *o = &e.mesh.options;
	bool runs = false;
	int failed;

	o->patience_ns = (int64_t)m->limit_s * 1000000000;
	if (!m->by_messages)
		o->n_lanes = m->schedules.n_connections;
	failed = m->by_messages ? link_messages(&e, comm, is_request, rc, err)
				: link_mesh(&e, comm, rc, err);
	if (failed < 0) {
		rc = m->live ? pl_engine_tell(&e, m->live, err) : 0;
		if (rc == 0)
			rc = pl_engine_queue_init(q, &e, err);
		runs = rc == 0;
		failed = first_failed(comm, rc);
	}
	if (failed >= 0 && runs)
		pl_engine_queue_fini(q);
	else if (failed >= 0)
		pl_engine_fini(&e);
	return failed;
}

/* Of a communicator that takes no more part. */
static void say_failed(const char *what, const struct pl_err *err)
{
	struct pl_err said = *err;

	pl_err_set(&said, err->code, "%s: no connections of its own: %s", what, err->text);
	pl_shim_say_err(&said, "its all-reduces are the library's");
}

struct pl_engine_queue *pl_engine_mode_queue_create(MPI_Comm comm, bool is_request)
{
	struct pl_engine_queue *q = malloc(sizeof(*q));
	struct pl_err err = {0};
	int failed, rc = 0;

	if (!q)
		pl_mpi_no_memory();
	if (__atomic_add_fetch(&n_links, 1, __ATOMIC_RELAXED) > LINKS_MAX)
		rc = pl_err_set(&err, PL_ESYSTEM, "%d communicators and requests have them",
				LINKS_MAX);
	failed = pl_engine_mode_link(q, comm, is_request, rc, &err);
	if (failed < 0)
		return q;
	__atomic_sub_fetch(&n_links, 1, __ATOMIC_RELAXED);
	free(q);
	if (failed == pl_engine_mode.rank && pl_engine_mode.verbose)
		say_failed(is_request ? "a persistent request" : "a communicator", &err);
	return NULL;
}

void pl_engine_mode_queue_finish(struct pl_engine_queue *q)
{
	while (!pl_engine_queue_wait(q, NULL, 1000000))
		pl_engine_mode_let_library_work(NULL);
}

/* By messages a request's communicator stays, and counts. */
void pl_engine_mode_queue_destroy(struct pl_engine_queue *q, bool is_request)
{
	pl_engine_mode_queue_finish(q);
	pl_engine_queue_fini(q);
	free(q);
	if (!is_request || !pl_engine_mode.by_messages)
		__atomic_sub_fetch(&n_links, 1, __ATOMIC_RELAXED);
}
