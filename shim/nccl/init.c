/* SPDX-License-Identifier: BSD-3-Clause */
/* init.c - the functions that make communicators, and those of groups */
#include "config.h"

#include "shim/nccl/creations.h"
#include "shim/nccl/meanwhile.h"
#include "shim/nccl/order.h"
#include "shim/nccl/same-host.h"
#include "shim/nccl/tell.h"
#include "shim/nccl/two-level.h"

#include <stdlib.h>

#define SHRINK_ABORT 1  /* of the flags of ncclCommShrink */
#define SHRINK_COLOR -2 /* that no split has */

/* Of a call with those ids. Where the environment has the id, all have the same. */
static struct pl_showing show_ids(const ncclUniqueId *ids, int n_ids, int rank, int n)
{
	if (!pl_order()->follows || getenv("NCCL_COMM_ID") || !ids || n_ids < 1)
		return PL_NOT_SHOWN;
	return pl_same_host_show(pl_same_host_mix((uint64_t)n, ids, (size_t)n_ids * sizeof(*ids)),
				 pl_order()->host, rank, n);
}

/* Of one that makes others from @app, of which this process wants that of @color. */
static struct pl_showing show_child(ncclComm_t app, int color)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);
	struct {
		unsigned n;
		int color;
	} call = {.color = color};

	if (!comm)
		return PL_NOT_SHOWN;
	call.n = __atomic_add_fetch(&comm->n_calls, 1, __ATOMIC_RELAXED);
	if (color == NCCL_SPLIT_NOCOLOR || !comm->showing.common)
		return PL_NOT_SHOWN;
	return pl_same_host_show(pl_same_host_mix(comm->showing.common, &call, sizeof(call)),
				 pl_order()->host, comm->rank, comm->n);
}

ncclResult_t pncclCommInitRank(ncclComm_t *comm, int n_ranks, ncclUniqueId id, int rank)
{
	const struct pl_showing showing = show_ids(&id, 1, rank, n_ranks);
	const ncclResult_t rc = PL_NCCL(CommInitRank)(comm, n_ranks, id, rank);

	pl_tell_init(rank);
	return pl_nccl_created(comm, NULL, rc, showing);
}
PL_NCCL_ALIAS(ncclCommInitRank)

ncclResult_t pncclCommInitRankConfig(ncclComm_t *comm, int n_ranks, ncclUniqueId id, int rank,
				     ncclConfig_t *config)
{
	const struct pl_showing showing = show_ids(&id, 1, rank, n_ranks);
	const ncclResult_t rc = PL_NCCL(CommInitRankConfig)(comm, n_ranks, id, rank, config);

	pl_tell_init(rank);
	return pl_nccl_created(comm, NULL, rc, showing);
}
PL_NCCL_ALIAS(ncclCommInitRankConfig)

ncclResult_t pncclCommInitRankScalable(ncclComm_t *comm, int n_ranks, int rank, int n_ids,
				       ncclUniqueId *ids, ncclConfig_t *config)
{
	const struct pl_showing showing = show_ids(ids, n_ids, rank, n_ranks);
	const ncclResult_t rc =
		PL_NCCL(CommInitRankScalable)(comm, n_ranks, rank, n_ids, ids, config);

	pl_tell_init(rank);
	return pl_nccl_created(comm, NULL, rc, showing);
}
PL_NCCL_ALIAS(ncclCommInitRankScalable)

ncclResult_t pncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *child,
			    ncclConfig_t *config)
{
	const struct pl_showing showing = show_child(comm, color);
	const ncclResult_t rc = PL_NCCL(CommSplit)(comm, color, key, child, config);

	return pl_nccl_created(child, comm, rc, showing);
}
PL_NCCL_ALIAS(ncclCommSplit)

ncclResult_t pncclCommShrink(ncclComm_t comm, int *excluded, int n_excluded, ncclComm_t *child,
			     ncclConfig_t *config, int flags)
{
	const struct pl_showing showing = show_child(comm, SHRINK_COLOR);
	struct pl_meanwhile aborted = {0};
	ncclResult_t rc;

	/* what hangs may hang there */
	if (flags & SHRINK_ABORT)
		aborted.n = pl_life_take_hidden(comm, aborted.comm);
	if (aborted.n)
		pl_meanwhile_abort(&aborted);
	rc = PL_NCCL(CommShrink)(comm, excluded, n_excluded, child, config, flags);
	if (aborted.n)
		pl_meanwhile_end(&aborted);
	return pl_nccl_created(child, comm, rc, showing);
}
PL_NCCL_ALIAS(ncclCommShrink)

ncclResult_t pncclCommGrow(ncclComm_t comm, int n_ranks, const ncclUniqueId *id, int rank,
			   ncclComm_t *child, ncclConfig_t *config)
{
	const ncclResult_t rc = PL_NCCL(CommGrow)(comm, n_ranks, id, rank, child, config);

	/* the new one itself tells how far it is, and outlives the old one */
	return pl_nccl_created(child, NULL, rc, PL_NOT_SHOWN);
}
PL_NCCL_ALIAS(ncclCommGrow)

ncclResult_t pncclGroupStart(void)
{
	const ncclResult_t rc = PL_NCCL(GroupStart)();

	if (rc == ncclSuccess)
		pl_creations_group_start();
	return rc;
}
PL_NCCL_ALIAS(ncclGroupStart)

ncclResult_t pncclGroupEnd(void)
{
	const ncclResult_t rc = pl_creations_group_end(PL_NCCL(GroupEnd)());

	return pl_creations_in_group() ? rc : pl_two_level_group_end(rc);
}
PL_NCCL_ALIAS(ncclGroupEnd)

/* What was called in the group has no effect. */
ncclResult_t pncclGroupSimulateEnd(ncclSimInfo_t *info)
{
	const ncclResult_t rc = PL_NCCL(GroupSimulateEnd)(info);

	pl_creations_group_drop();
	if (!pl_creations_in_group())
		pl_two_level_group_end(ncclInternalError);
	return rc;
}
PL_NCCL_ALIAS(ncclGroupSimulateEnd)
