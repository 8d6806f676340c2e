/* SPDX-License-Identifier: BSD-3-Clause */
/* births.c - communicators that the program has asked for */
#include "config.h"

#include "shim/nccl/births.h"

#include "shim/nccl/make.h"
#include "shim/nccl/order.h"
#include "src/mem.h"

#include <stdlib.h>

/* One that a call has been made for, and that is not there yet. */
struct birth {
	/* Its handle, where NCCL gives it at once: then the program need not keep
	 * @where. Otherwise NULL, and NCCL will write it there. */
	ncclComm_t app, *where;
	ncclComm_t parent;
	struct pl_showing showing;
	struct pl_nccl_comm *comm; /* NULL: not adopted */
};
struct births {
	struct birth *v;
	size_t n, room;
};

/* Of this thread's group, until it ends. */
struct group {
	int depth;
	struct births births;
};
static __thread __attribute__((tls_model("initial-exec"))) struct group group;

/* Children of nonblocking communicators, of any thread. */
static struct births children;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pl_births_expected;

static struct birth birth_of(ncclComm_t *where, ncclComm_t parent,
			     struct pl_showing showing)
{
	/* what has a parent may be written at any moment */
	return (struct birth){.app = parent ? NULL : *where,
			      .where = where,
			      .parent = parent,
			      .showing = showing};
}

static ncclComm_t handle_of(const struct birth *birth)
{
	return birth->app ? birth->app
			  : __atomic_load_n(birth->where, __ATOMIC_ACQUIRE);
}

static int expect(struct births *births, struct birth *birth)
{
	if (pl_array_grow((void **)&births->v, &births->room, births->n,
			  sizeof(*births->v))) {
		pl_same_host_hide(&birth->showing);
		return -1;
	}
	births->v[births->n++] = *birth;
	birth->showing.fd = -1; /* the other has it now */
	return 0;
}

/* NCCL goes on with it by itself: the program will ask. */
static ncclResult_t leave_open(struct birth *birth)
{
	int rc;

	if (birth->app)
		return pl_comms_add(birth->app, &birth->showing)
			       ? ncclInProgress
			       : ncclSystemError;
	pthread_mutex_lock(&lock);
	rc = expect(&children, birth);
	__atomic_store_n(&pl_births_expected, (int)children.n,
			 __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return rc ? ncclSystemError : ncclInProgress;
}

/* It is there, or will never be. */
static ncclResult_t make_birth(struct birth *birth)
{
	const ncclComm_t app = handle_of(birth);
	struct pl_nccl_comm *comm;

	if (!app) { /* this process is in none of the parts */
		pl_same_host_hide(&birth->showing);
		return ncclSuccess;
	}
	comm = pl_comms_add(app, &birth->showing);
	return comm ? pl_make_all(&comm, 1) : ncclSystemError;
}

/* What makes one of another returns ncclSuccess also where it is not there yet: then
 * that whose state tells of it is still in progress. */
static bool is_in_progress(const struct birth *birth, ncclResult_t rc)
{
	const ncclComm_t teller = birth->parent ? birth->parent : birth->app;
	ncclResult_t state = ncclSuccess;

	if (rc == ncclInProgress)
		return true;
	return teller &&
	       PL_NCCL(CommGetAsyncError)(teller, &state) == ncclSuccess &&
	       state == ncclInProgress;
}

ncclResult_t pl_born(ncclComm_t *where, ncclComm_t parent, ncclResult_t rc,
		     struct pl_showing showing)
{
	struct birth birth;
	ncclResult_t left;

	if ((rc != ncclSuccess && rc != ncclInProgress) || !where) {
		pl_same_host_hide(&showing);
		return rc;
	}
	if (pl_nccl_version() < PL_VERSION_SPLIT) {
		pl_same_host_hide(&showing);
		return pl_order_refuses() ? ncclInvalidUsage : rc;
	}
	birth = birth_of(where, parent, showing);
	if (group.depth > 0)
		return expect(&group.births, &birth) ? ncclSystemError : rc;
	if (!is_in_progress(&birth, rc))
		return make_birth(&birth);
	left = leave_open(&birth);
	return left == ncclInProgress ? rc : left;
}

void pl_births_group_start(void)
{
	group.depth++;
}

static void hide_births(struct births *births)
{
	for (size_t i = 0; i < births->n; i++)
		pl_same_host_hide(&births->v[i].showing);
}

/* All of them are there. */
static ncclResult_t make_births(struct births *births)
{
	struct pl_nccl_comm **comms =
		pl_array_create(births->n, sizeof(*comms));
	ncclResult_t rc = comms ? ncclSuccess : ncclSystemError;
	size_t n = 0;

	for (size_t i = 0; i < births->n && rc == ncclSuccess; i++) {
		struct birth *birth = &births->v[i];

		if (!handle_of(birth))
			continue;
		comms[n] = pl_comms_add(handle_of(birth), &birth->showing);
		if (comms[n])
			n++;
		else
			rc = ncclSystemError;
	}
	if (rc == ncclSuccess)
		rc = pl_make_all(comms, n);
	free(comms);
	return rc;
}

ncclResult_t pl_births_group_end(ncclResult_t rc)
{
	struct births births = group.births;

	if (group.depth > 0)
		group.depth--;
	if (group.depth > 0 || !births.n)
		return rc;
	group.births = (struct births){0};
	if (rc == ncclSuccess) {
		rc = make_births(&births);
	} else if (rc == ncclInProgress) {
		for (size_t i = 0; i < births.n && rc == ncclInProgress; i++)
			rc = leave_open(&births.v[i]);
	}
	hide_births(&births);
	free(births.v);
	return rc;
}

void pl_births_group_drop(void)
{
	pl_births_group_end(ncclInternalError);
}

/* Under the lock. */
static void remove_child(size_t i)
{
	pl_same_host_hide(&children.v[i].showing);
	children.v[i] = children.v[--children.n];
	__atomic_store_n(&pl_births_expected, (int)children.n,
			 __ATOMIC_RELEASE);
}

void pl_births_forget(ncclComm_t parent)
{
	if (!__atomic_load_n(&pl_births_expected, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&lock);
	for (size_t i = children.n; i-- > 0;)
		if (children.v[i].parent == parent)
			remove_child(i);
	pthread_mutex_unlock(&lock);
}

struct pl_nccl_comm *pl_births_adopt(ncclComm_t app)
{
	struct pl_nccl_comm *comm = NULL;

	if (!app)
		return NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < children.n && !comm; i++) {
		struct birth *child = &children.v[i];

		if (!child->comm && handle_of(child) == app)
			comm = child->comm = pl_comms_add(app, &child->showing);
	}
	pthread_mutex_unlock(&lock);
	return comm;
}

/* How far is that one? Its parent is ready, so it is there, or never will be. */
static ncclResult_t advance_child(struct birth *child)
{
	const ncclComm_t app = handle_of(child);

	if (!app)
		return ncclSuccess;
	if (!child->comm)
		child->comm = pl_comms_add(app, &child->showing);
	return child->comm ? pl_make_advance(child->comm, app)
			   : ncclSystemError;
}

ncclResult_t pl_births_advance(ncclComm_t parent)
{
	ncclResult_t rc = ncclSuccess, one;

	if (!__atomic_load_n(&pl_births_expected, __ATOMIC_ACQUIRE))
		return rc;
	pthread_mutex_lock(&lock);
	for (size_t i = children.n; i-- > 0;) {
		if (children.v[i].parent != parent)
			continue;
		one = advance_child(&children.v[i]);
		if (one != ncclInProgress)
			remove_child(i);
		if (rc == ncclSuccess || rc == ncclInProgress)
			rc = one == ncclSuccess ? rc : one;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}
