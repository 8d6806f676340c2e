/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c - how communicators fare and end */
#include "config.h"

#include "shim/nccl/creations.h"

#include "shim/nccl/make.h"
#include "shim/nccl/stats/stats.h"

/* Of two results, that of which the program has to know. */
static ncclResult_t worse(ncclResult_t a, ncclResult_t b)
{
	if (a == ncclSuccess)
		return b;
	if (a == ncclInProgress && b != ncclSuccess)
		return b;
	return a;
}

/* The hidden one of @app, or NULL; there will be none later. */
static ncclComm_t shadow_of(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);

	return comm ? pl_comm_shadow(comm) : NULL;
}

typedef ncclResult_t end_fn(ncclComm_t);

/* While its hidden one is being made, @end brings that to its end, too. */
static ncclResult_t end_unmade(struct pl_nccl_comm *comm, end_fn *end)
{
	const ncclResult_t rc = end(comm->app);

	if (comm->voted)
		PL_NCCL(CommAbort)(comm->voted);
	return rc;
}

/* What it takes to end both, the hidden one first. */
typedef ncclResult_t end_both_fn(ncclComm_t shadow, ncclComm_t app);

static ncclResult_t destroy_both(ncclComm_t shadow, ncclComm_t app)
{
	const ncclResult_t rc = PL_NCCL(CommDestroy)(shadow);

	return worse(rc, PL_NCCL(CommDestroy)(app));
}

/*
 * Each tells its kernels to stop and waits for them, and the kernels of the one
 * may stand behind those of the other in a stream. In a group, both are told
 * before either is waited for.
 */
static ncclResult_t abort_both(ncclComm_t shadow, ncclComm_t app)
{
	ncclResult_t rc = PL_NCCL(GroupStart)();

	rc = worse(rc, PL_NCCL(CommAbort)(shadow));
	rc = worse(rc, PL_NCCL(CommAbort)(app));
	return worse(rc, PL_NCCL(GroupEnd)());
}

/* The same. */
static ncclResult_t revoke_both(ncclComm_t shadow, ncclComm_t app, int flags)
{
	ncclResult_t rc = PL_NCCL(GroupStart)();

	rc = worse(rc, PL_NCCL(CommRevoke)(shadow, flags));
	rc = worse(rc, PL_NCCL(CommRevoke)(app, flags));
	return worse(rc, PL_NCCL(GroupEnd)());
}

static ncclResult_t end_record(ncclComm_t app, end_fn *end, end_both_fn *both)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	ncclResult_t rc;

	pl_creations_forget(app);
	if (comm && pl_comm_shadow(comm))
		pl_nccl_stats_end(pl_comm_shadow(comm));
	pl_nccl_stats_end(app);
	if (!comm)
		return end(app);
	pl_comms_forget(comm);
	if (!pl_make_is_done(comm))
		rc = end_unmade(comm, end);
	else if (pl_comm_shadow(comm))
		rc = both(pl_comm_shadow(comm), app);
	else
		rc = end(app);
	pl_comms_release(comm);
	return rc;
}

ncclComm_t pl_life_take_shadow(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	ncclComm_t shadow;

	if (!comm || !pl_make_is_done(comm))
		return NULL;
	pl_comms_forget(comm);
	shadow = pl_comm_shadow(comm);
	if (shadow)
		pl_nccl_stats_end(shadow);
	pl_comms_release(comm);
	return shadow;
}

ncclResult_t pncclCommDestroy(ncclComm_t comm)
{
	return end_record(comm, PL_NCCL(CommDestroy), destroy_both);
}
PL_NCCL_ALIAS(ncclCommDestroy)

ncclResult_t pncclCommAbort(ncclComm_t comm)
{
	return end_record(comm, PL_NCCL(CommAbort), abort_both);
}
PL_NCCL_ALIAS(ncclCommAbort)

/*
 * What follows is done to both, the hidden one first. The library may ask for
 * the state of the one (open.c), which then must not be that of the other.
 */
static ncclResult_t do_to_both(ncclComm_t comm,
			       ncclResult_t (*real)(ncclComm_t))
{
	const ncclComm_t shadow = shadow_of(comm);
	ncclResult_t rc = ncclSuccess;

	pl_make_set_inside(true);
	if (shadow)
		rc = real(shadow);
	rc = worse(rc, real(comm));
	pl_make_set_inside(false);
	return rc;
}

ncclResult_t pncclCommFinalize(ncclComm_t comm)
{
	return do_to_both(comm, PL_NCCL(CommFinalize));
}
PL_NCCL_ALIAS(ncclCommFinalize)

ncclResult_t pncclCommResume(ncclComm_t comm)
{
	return do_to_both(comm, PL_NCCL(CommResume));
}
PL_NCCL_ALIAS(ncclCommResume)

ncclResult_t pncclCommRevoke(ncclComm_t comm, int flags)
{
	const ncclComm_t shadow = shadow_of(comm);
	ncclResult_t rc;

	pl_make_set_inside(true);
	rc = shadow ? revoke_both(shadow, comm, flags)
		    : PL_NCCL(CommRevoke)(comm, flags);
	pl_make_set_inside(false);
	return rc;
}
PL_NCCL_ALIAS(ncclCommRevoke)

ncclResult_t pncclCommSuspend(ncclComm_t comm, int flags)
{
	const ncclComm_t shadow = shadow_of(comm);
	ncclResult_t rc = ncclSuccess;

	pl_make_set_inside(true);
	if (shadow)
		rc = PL_NCCL(CommSuspend)(shadow, flags);
	rc = worse(rc, PL_NCCL(CommSuspend)(comm, flags));
	pl_make_set_inside(false);
	return rc;
}
PL_NCCL_ALIAS(ncclCommSuspend)

/* Of both of them, when both are there. */
static ncclResult_t state_of(ncclComm_t app, ncclResult_t *error)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	const ncclComm_t shadow = comm ? pl_comm_shadow(comm) : NULL;
	ncclResult_t rc = PL_NCCL(CommGetAsyncError)(app, error);
	ncclResult_t hidden = ncclSuccess;

	if (rc != ncclSuccess || !comm || !error)
		return rc;
	if (!pl_make_is_done(comm))
		*error = worse(*error, pl_make_advance(comm, app));
	else if (shadow)
		rc = PL_NCCL(CommGetAsyncError)(shadow, &hidden);
	*error = worse(*error, hidden);
	return rc;
}

/* The library asks it itself, of what it was called with, unless it has been
 * opened so that it does not find this one (open.c). */
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
