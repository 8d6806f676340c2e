/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.c - what runs on hidden communicators */
#include "config.h"

#include "shim/nccl/creations.h"
#include "shim/nccl/make.h"
#include "shim/nccl/two-level.h"

/* The record of a communicator that has, or may have, hidden ones, else NULL.
 */
static inline const struct pl_nccl_comm *find_made(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);

	if (!comm)
		return NULL;
	if (__builtin_expect(!pl_make_is_done(comm), 0) && pl_make_finish(comm, app) != ncclSuccess)
		return NULL;
	return comm;
}

/* The same if its collectives go to the hidden one of a plan. */
static inline const struct pl_nccl_comm *find_shadowed(ncclComm_t app)
{
	const struct pl_nccl_comm *comm = find_made(app);

	return comm && pl_comm_shadow(comm) ? comm : NULL;
}

/* The hidden communicator's operator for one that the program has made. */
static bool map_op(const struct pl_nccl_comm *comm, ncclRedOp_t *op)
{
	struct pl_nccl_comm *record = (struct pl_nccl_comm *)(uintptr_t)comm;
	const struct pl_twin *twin;

	if (*op < ncclNumOps)
		return true;
	pthread_mutex_lock(&record->lock);
	twin = pl_twins_find(&record->ops, (void *)(uintptr_t)*op);
	if (twin)
		*op = (ncclRedOp_t)(uintptr_t)twin->of_shadow;
	pthread_mutex_unlock(&record->lock);
	return twin != NULL;
}

/* Faults of arguments are found on the program's communicator. */
static bool map_root(const struct pl_nccl_comm *comm, int *root)
{
	if (!comm->rank_in || *root < 0 || *root >= comm->n)
		return false;
	*root = comm->rank_in[*root];
	return true;
}

ncclResult_t pncclAllReduce(const void *sendbuff, void *recvbuff, size_t count,
			    ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
			    cudaStream_t stream)
{
	const struct pl_nccl_comm *made = find_made(comm);

	if (made && made->levels.n_shards) {
		const struct pl_two_level_call call = {made,     sendbuff, recvbuff, count,
						       datatype, op,       stream};

		if (pl_two_level_takes(&call))
			return pl_two_level_all_reduce(&call);
	} else if (made && pl_comm_shadow(made) && map_op(made, &op)) {
		comm = made->shadow;
	}
	return PL_NCCL(AllReduce)(sendbuff, recvbuff, count, datatype, op, comm, stream);
}
PL_NCCL_ALIAS(ncclAllReduce)

ncclResult_t pncclBroadcast(const void *sendbuff, void *recvbuff, size_t count,
			    ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)
{
	const struct pl_nccl_comm *shadowed = find_shadowed(comm);

	if (shadowed && map_root(shadowed, &root))
		comm = shadowed->shadow;
	return PL_NCCL(Broadcast)(sendbuff, recvbuff, count, datatype, root, comm, stream);
}
PL_NCCL_ALIAS(ncclBroadcast)

ncclResult_t pncclBcast(void *buff, size_t count, ncclDataType_t datatype, int root,
			ncclComm_t comm, cudaStream_t stream)
{
	const struct pl_nccl_comm *shadowed = find_shadowed(comm);

	if (shadowed && map_root(shadowed, &root))
		comm = shadowed->shadow;
	return PL_NCCL(Bcast)(buff, count, datatype, root, comm, stream);
}
PL_NCCL_ALIAS(ncclBcast)

ncclResult_t pncclReduce(const void *sendbuff, void *recvbuff, size_t count,
			 ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm,
			 cudaStream_t stream)
{
	const struct pl_nccl_comm *shadowed = find_shadowed(comm);
	ncclRedOp_t mapped = op;

	if (shadowed && map_op(shadowed, &mapped) && map_root(shadowed, &root)) {
		comm = shadowed->shadow;
		op = mapped;
	}
	return PL_NCCL(Reduce)(sendbuff, recvbuff, count, datatype, op, root, comm, stream);
}
PL_NCCL_ALIAS(ncclReduce)
