/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c - how communicators fare and end */
#include "config.h"

#include "shim/nccl/creations.h"

#include "shim/nccl/make.h"
#include "shim/nccl/stats/stats.h"
#include "shim/nccl/two-level.h"

/* Of two results, that of which the program has to know. */
static ncclResult_t worse(ncclResult_t a, ncclResult_t b)
{
	if (a == ncclSuccess)
		return b;
	if (a == ncclInProgress && b != ncclSuccess)
		return b;
	return a;
}

/* A communicator of the program, and those that are hidden beside it. */
struct all {
	ncclComm_t app, hidden[PL_HIDDEN_MAX];
	size_t n_hidden;
};

/* Where none is hidden, there will be none later. */
static struct all all_of(ncclComm_t app)
{
	const struct pl_nccl_comm *comm = pl_creations_find(app);
	struct all all = {.app = app};

	if (comm)
		all.n_hidden = pl_comm_hidden(comm, all.hidden);
	return all;
}

typedef ncclResult_t each_fn(ncclComm_t comm, int flags);

/* The hidden ones first. */
static ncclResult_t each(const struct all *all, each_fn *fn, int flags)
{
	ncclResult_t rc = ncclSuccess;

	for (size_t i = 0; i < all->n_hidden; i++)
		rc = worse(rc, fn(all->hidden[i], flags));
	return worse(rc, fn(all->app, flags));
}

/*
 * Each tells its kernels to stop and waits for them, and the kernels of the one may stand behind
 * those of the other in a stream. In a group, all are told before any is waited for.
 */
static ncclResult_t each_at_once(const struct all *all, each_fn *fn, int flags)
{
	ncclResult_t rc;

	if (!all->n_hidden)
		return fn(all->app, flags);
	rc = PL_NCCL(GroupStart)();
	rc = worse(rc, each(all, fn, flags));
	return worse(rc, PL_NCCL(GroupEnd)());
}

static ncclResult_t destroy(ncclComm_t comm, int flags)
{
	(void)flags;
	return PL_NCCL(CommDestroy)(comm);
}

static ncclResult_t abort_one(ncclComm_t comm, int flags)
{
	(void)flags;
	return PL_NCCL(CommAbort)(comm);
}

/* While its hidden ones are being made, @end brings that to its end, too. */
static ncclResult_t end_unmade(const struct pl_nccl_comm *comm, each_fn *end)
{
	const ncclResult_t rc = end(comm->app, 0);
	/* only now nobody writes them any longer */
	const ncclComm_t made[] = {comm->voted, comm->levels.group, comm->levels.across};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		if (made[i])
			PL_NCCL(CommAbort)(made[i]);
	return rc;
}

typedef ncclResult_t end_fn(const struct all *all, each_fn *fn, int flags);

/* @end is called for each of them, by @how. */
static ncclResult_t end_record(ncclComm_t app, each_fn *end, end_fn *how)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	const struct all all = all_of(app);
	ncclResult_t rc;

	pl_creations_forget(app);
	for (size_t i = 0; i < all.n_hidden; i++)
		pl_nccl_stats_end(all.hidden[i]);
	pl_nccl_stats_end(app);
	if (!comm)
		return end(app, 0);
	pl_comms_forget(comm);
	pl_two_level_forget(comm);
	rc = pl_make_is_done(comm) ? how(&all, end, 0) : end_unmade(comm, end);
	pl_comms_release(comm);
	return rc;
}

size_t pl_life_take_hidden(ncclComm_t app, ncclComm_t hidden[PL_HIDDEN_MAX])
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	size_t n;

	if (!comm || !pl_make_is_done(comm))
		return 0;
	pl_comms_forget(comm);
	pl_two_level_forget(comm);
	n = pl_comm_hidden(comm, hidden);
	for (size_t i = 0; i < n; i++)
		pl_nccl_stats_end(hidden[i]);
	pl_comms_release(comm);
	return n;
}

ncclResult_t pncclCommDestroy(ncclComm_t comm)
{
	return end_record(comm, destroy, each);
}
PL_NCCL_ALIAS(ncclCommDestroy)

ncclResult_t pncclCommAbort(ncclComm_t comm)
{
	return end_record(comm, abort_one, each_at_once);
}
PL_NCCL_ALIAS(ncclCommAbort)

/*
 * What follows is done to all of them. The library may ask for the state of one (open.c), which
 * then must not be that of another.
 */
static ncclResult_t do_to_all(ncclComm_t comm, each_fn *fn, int flags, end_fn *how)
{
	const struct all all = all_of(comm);
	ncclResult_t rc;

	pl_make_set_inside(true);
	rc = how(&all, fn, flags);
	pl_make_set_inside(false);
	return rc;
}

static ncclResult_t finalize(ncclComm_t comm, int flags)
{
	(void)flags;
	return PL_NCCL(CommFinalize)(comm);
}

ncclResult_t pncclCommFinalize(ncclComm_t comm)
{
	return do_to_all(comm, finalize, 0, each);
}
PL_NCCL_ALIAS(ncclCommFinalize)

static ncclResult_t resume(ncclComm_t comm, int flags)
{
	(void)flags;
	return PL_NCCL(CommResume)(comm);
}

ncclResult_t pncclCommResume(ncclComm_t comm)
{
	return do_to_all(comm, resume, 0, each);
}
PL_NCCL_ALIAS(ncclCommResume)

ncclResult_t pncclCommRevoke(ncclComm_t comm, int flags)
{
	return do_to_all(comm, PL_NCCL(CommRevoke), flags, each_at_once);
}
PL_NCCL_ALIAS(ncclCommRevoke)

ncclResult_t pncclCommSuspend(ncclComm_t comm, int flags)
{
	return do_to_all(comm, PL_NCCL(CommSuspend), flags, each);
}
PL_NCCL_ALIAS(ncclCommSuspend)

/* Of all of them, when all are there. */
static ncclResult_t state_of(ncclComm_t app, ncclResult_t *error)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	const struct all all = all_of(app);
	ncclResult_t rc = PL_NCCL(CommGetAsyncError)(app, error);

	if (rc != ncclSuccess || !comm || !error)
		return rc;
	if (!pl_make_is_done(comm))
		*error = worse(*error, pl_make_advance(comm, app));
	for (size_t i = 0; i < all.n_hidden && rc == ncclSuccess; i++) {
		ncclResult_t hidden = ncclSuccess;

		rc = PL_NCCL(CommGetAsyncError)(all.hidden[i], &hidden);
		*error = worse(*error, hidden);
	}
	return rc;
}

/* The library asks it itself, of what it was called with, unless it has been opened so that it does
 * not find this one (open.c). */
ncclResult_t pncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
	ncclResult_t rc;

	if (pl_make_is_inside())
		return PL_NCCL(CommGetAsyncError)(comm, error);
	rc = state_of(comm, error);
	if (rc == ncclSuccess && error && *error == ncclSuccess)
		*error = pl_creations_advance(comm);
	return rc;
}
PL_NCCL_ALIAS(ncclCommGetAsyncError)
