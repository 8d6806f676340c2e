/* SPDX-License-Identifier: BSD-3-Clause */
/* init.c - the functions that make communicators, and those of groups */
#include "config.h"

#include "shim/nccl/births.h"
#include "shim/nccl/life.h"
#include "shim/nccl/tell.h"

#define SHRINK_ABORT 1 /* of the flags of ncclCommShrink */

ncclResult_t pncclCommInitRank(ncclComm_t *comm, int n_ranks, ncclUniqueId id,
			       int rank)
{
	const ncclResult_t rc = PL_NCCL(CommInitRank)(comm, n_ranks, id, rank);

	pl_tell_obstacle(rank);
	return pl_born(comm, NULL, rc);
}
PL_NCCL_ALIAS(ncclCommInitRank)

ncclResult_t pncclCommInitRankConfig(ncclComm_t *comm, int n_ranks,
				     ncclUniqueId id, int rank,
				     ncclConfig_t *config)
{
	const ncclResult_t rc =
		PL_NCCL(CommInitRankConfig)(comm, n_ranks, id, rank, config);

	pl_tell_obstacle(rank);
	return pl_born(comm, NULL, rc);
}
PL_NCCL_ALIAS(ncclCommInitRankConfig)

ncclResult_t pncclCommInitRankScalable(ncclComm_t *comm, int n_ranks, int rank,
				       int n_ids, ncclUniqueId *ids,
				       ncclConfig_t *config)
{
	const ncclResult_t rc = PL_NCCL(CommInitRankScalable)(
		comm, n_ranks, rank, n_ids, ids, config);

	pl_tell_obstacle(rank);
	return pl_born(comm, NULL, rc);
}
PL_NCCL_ALIAS(ncclCommInitRankScalable)

ncclResult_t pncclCommSplit(ncclComm_t comm, int color, int key,
			    ncclComm_t *child, ncclConfig_t *config)
{
	const ncclResult_t rc =
		PL_NCCL(CommSplit)(comm, color, key, child, config);

	return pl_born(child, comm, rc);
}
PL_NCCL_ALIAS(ncclCommSplit)

ncclResult_t pncclCommShrink(ncclComm_t comm, int *excluded, int n_excluded,
			     ncclComm_t *child, ncclConfig_t *config, int flags)
{
	ncclResult_t rc;

	/* what hangs may hang there */
	if (flags & SHRINK_ABORT)
		pl_life_abort_shadow(comm);
	rc = PL_NCCL(CommShrink)(comm, excluded, n_excluded, child, config,
				 flags);
	return pl_born(child, comm, rc);
}
PL_NCCL_ALIAS(ncclCommShrink)

ncclResult_t pncclCommGrow(ncclComm_t comm, int n_ranks, const ncclUniqueId *id,
			   int rank, ncclComm_t *child, ncclConfig_t *config)
{
	const ncclResult_t rc =
		PL_NCCL(CommGrow)(comm, n_ranks, id, rank, child, config);

	return pl_born(child, comm, rc);
}
PL_NCCL_ALIAS(ncclCommGrow)

ncclResult_t pncclGroupStart(void)
{
	const ncclResult_t rc = PL_NCCL(GroupStart)();

	if (rc == ncclSuccess)
		pl_births_group_start();
	return rc;
}
PL_NCCL_ALIAS(ncclGroupStart)

ncclResult_t pncclGroupEnd(void)
{
	return pl_births_group_end(PL_NCCL(GroupEnd)());
}
PL_NCCL_ALIAS(ncclGroupEnd)

/* What was called in the group has no effect. */
ncclResult_t pncclGroupSimulateEnd(ncclSimInfo_t *info)
{
	const ncclResult_t rc = PL_NCCL(GroupSimulateEnd)(info);

	pl_births_group_drop();
	return rc;
}
PL_NCCL_ALIAS(ncclGroupSimulateEnd)
