/* SPDX-License-Identifier: BSD-3-Clause */
/* creations.c - communicators that the program has asked for */
#include "config.h"

#include "shim/nccl/creations.h"

#include "base/mem.h"
#include "shim/nccl/make.h"
#include "shim/nccl/order.h"

#include <stdlib.h>

/* One that a call has been made for, and that is not there yet. */
struct creation {
	/* Its handle, where NCCL gives it at once: then the program need not keep @where. Otherwise
	 * NULL, and NCCL will write it there. */
	ncclComm_t app, *where;
	ncclComm_t parent;
	struct pl_showing showing;
	struct pl_nccl_comm *comm; /* NULL: not adopted */
};
struct creations {
	struct creation *v;
	size_t n, room;
};

/* Of this thread's group, until it ends. */
struct group {
	int depth;
	struct creations creations;
};
static __thread __attribute__((tls_model("initial-exec"))) struct group group;

/* Children of nonblocking communicators, of any thread. */
static struct creations children;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pl_creations_expected;

static struct creation creation_of(ncclComm_t *where, ncclComm_t parent, struct pl_showing showing)
{
	/* what has a parent may be written at any moment */
	return (struct creation){.app = parent ? NULL : *where,
				 .where = where,
				 .parent = parent,
				 .showing = showing};
}

static ncclComm_t handle_of(const struct creation *creation)
{
	return creation->app ? creation->app : __atomic_load_n(creation->where, __ATOMIC_ACQUIRE);
}

static int expect(struct creations *creations, struct creation *creation)
{
	if (pl_array_grow((void **)&creations->v, &creations->room, creations->n,
			  sizeof(*creations->v))) {
		pl_same_host_hide(&creation->showing);
		return -1;
	}
	creations->v[creations->n++] = *creation;
	creation->showing.fd = -1; /* the other has it now */
	return 0;
}

/* NCCL goes on with it by itself: the program will ask. */
static ncclResult_t leave_open(struct creation *creation)
{
	int rc;

	if (creation->app)
		return pl_comms_add(creation->app, &creation->showing) ? ncclInProgress
								       : ncclSystemError;
	pthread_mutex_lock(&lock);
	rc = expect(&children, creation);
	__atomic_store_n(&pl_creations_expected, (int)children.n, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return rc ? ncclSystemError : ncclInProgress;
}

/* It is there, or will never be. */
static ncclResult_t make_creation(struct creation *creation)
{
	const ncclComm_t app = handle_of(creation);
	struct pl_nccl_comm *comm;

	if (!app) { /* this process is in none of the parts */
		pl_same_host_hide(&creation->showing);
		return ncclSuccess;
	}
	comm = pl_comms_add(app, &creation->showing);
	return comm ? pl_make_all(&comm, 1) : ncclSystemError;
}

/* What makes one of another returns ncclSuccess also where it is not there yet: then that whose
 * state tells of it is still in progress. */
static bool is_in_progress(const struct creation *creation, ncclResult_t rc)
{
	const ncclComm_t teller = creation->parent ? creation->parent : creation->app;
	ncclResult_t state = ncclSuccess;

	if (rc == ncclInProgress)
		return true;
	return teller && PL_NCCL(CommGetAsyncError)(teller, &state) == ncclSuccess &&
	       state == ncclInProgress;
}

ncclResult_t pl_nccl_created(ncclComm_t *where, ncclComm_t parent, ncclResult_t rc,
			     struct pl_showing showing)
{
	struct creation creation;
	ncclResult_t left;

	if ((rc != ncclSuccess && rc != ncclInProgress) || !where) {
		pl_same_host_hide(&showing);
		return rc;
	}
	if (pl_nccl_version() < PL_VERSION_SPLIT) {
		pl_same_host_hide(&showing);
		return pl_order_refuses() ? ncclInvalidUsage : rc;
	}
	creation = creation_of(where, parent, showing);
	if (group.depth > 0)
		return expect(&group.creations, &creation) ? ncclSystemError : rc;
	if (!is_in_progress(&creation, rc))
		return make_creation(&creation);
	left = leave_open(&creation);
	return left == ncclInProgress ? rc : left;
}

void pl_creations_group_start(void)
{
	group.depth++;
}

bool pl_creations_in_group(void)
{
	return group.depth > 0;
}

static void hide_creations(struct creations *creations)
{
	for (size_t i = 0; i < creations->n; i++)
		pl_same_host_hide(&creations->v[i].showing);
}

/* No split of theirs has begun. */
static void forget_comms(struct pl_nccl_comm **comms, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pl_comms_forget(comms[i]);
		pl_comms_release(comms[i]);
	}
}

/* All of them are there. */
static ncclResult_t make_creations(struct creations *creations)
{
	struct pl_nccl_comm **comms = pl_array_create(creations->n, sizeof(*comms));
	ncclResult_t rc = comms ? ncclSuccess : ncclSystemError;
	size_t n = 0;

	for (size_t i = 0; i < creations->n && rc == ncclSuccess; i++) {
		struct creation *creation = &creations->v[i];

		if (!handle_of(creation))
			continue;
		comms[n] = pl_comms_add(handle_of(creation), &creation->showing);
		if (comms[n])
			n++;
		else
			rc = ncclSystemError;
	}
	if (rc == ncclSuccess)
		rc = pl_make_all(comms, n);
	else
		forget_comms(comms, n);
	free(comms);
	return rc;
}

ncclResult_t pl_creations_group_end(ncclResult_t rc)
{
	struct creations creations = group.creations;

	if (group.depth > 0)
		group.depth--;
	if (group.depth > 0 || !creations.n)
		return rc;
	group.creations = (struct creations){0};
	if (rc == ncclSuccess) {
		rc = make_creations(&creations);
	} else if (rc == ncclInProgress) {
		for (size_t i = 0; i < creations.n && rc == ncclInProgress; i++)
			rc = leave_open(&creations.v[i]);
	}
	hide_creations(&creations);
	free(creations.v);
	return rc;
}

void pl_creations_group_drop(void)
{
	pl_creations_group_end(ncclInternalError);
}

/* Under the lock. */
static void remove_child(size_t i)
{
	pl_same_host_hide(&children.v[i].showing);
	children.v[i] = children.v[--children.n];
	__atomic_store_n(&pl_creations_expected, (int)children.n, __ATOMIC_RELEASE);
}

void pl_creations_forget(ncclComm_t parent)
{
	if (!__atomic_load_n(&pl_creations_expected, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&lock);
	for (size_t i = children.n; i-- > 0;)
		if (children.v[i].parent == parent)
			remove_child(i);
	pthread_mutex_unlock(&lock);
}

struct pl_nccl_comm *pl_creations_adopt(ncclComm_t app)
{
	struct pl_nccl_comm *comm = NULL;

	if (!app)
		return NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < children.n && !comm; i++) {
		struct creation *child = &children.v[i];

		if (!child->comm && handle_of(child) == app)
			comm = child->comm = pl_comms_add(app, &child->showing);
	}
	pthread_mutex_unlock(&lock);
	return comm;
}

/* How far is that one? Its parent is ready, so it is there, or never will
 * be. */
static ncclResult_t advance_child(struct creation *child)
{
	const ncclComm_t app = handle_of(child);

	if (!app)
		return ncclSuccess;
	if (!child->comm)
		child->comm = pl_comms_add(app, &child->showing);
	return child->comm ? pl_make_advance(child->comm, app) : ncclSystemError;
}

ncclResult_t pl_creations_advance(ncclComm_t parent)
{
	ncclResult_t rc = ncclSuccess, one;

	if (!__atomic_load_n(&pl_creations_expected, __ATOMIC_ACQUIRE))
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
