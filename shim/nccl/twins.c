/* SPDX-License-Identifier: BSD-3-Clause */
/* twins.c - operators and registered memory, which belong to one
 * communicator */
#include "config.h"

#include "shim/nccl/creations.h"

/* The record, if it has a hidden communicator; otherwise NULL. */
static struct pl_nccl_comm *find_shadowed(ncclComm_t app)
{
	struct pl_nccl_comm *comm = pl_creations_find(app);

	return comm && pl_comm_shadow(comm) ? comm : NULL;
}

static int remember(struct pl_nccl_comm *comm, struct pl_twins *twins, void *of_app,
		    void *of_shadow)
{
	int rc;

	pthread_mutex_lock(&comm->lock);
	rc = pl_twins_add(twins, of_app, of_shadow);
	pthread_mutex_unlock(&comm->lock);
	return rc;
}

/* What belongs to @of_app, and no more does; false where there is none. */
static bool take(struct pl_nccl_comm *comm, struct pl_twins *twins, const void *of_app,
		 void **of_shadow)
{
	struct pl_twin *twin;

	pthread_mutex_lock(&comm->lock);
	twin = pl_twins_find(twins, of_app);
	if (twin) {
		*of_shadow = twin->of_shadow;
		pl_twins_remove(twins, twin);
	}
	pthread_mutex_unlock(&comm->lock);
	return twin != NULL;
}

ncclResult_t pncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t datatype,
				       ncclScalarResidence_t residence, ncclComm_t comm)
{
	struct pl_nccl_comm *shadowed = find_shadowed(comm);
	ncclResult_t rc = PL_NCCL(RedOpCreatePreMulSum)(op, scalar, datatype, residence, comm);
	ncclRedOp_t hidden;

	if (rc != ncclSuccess || !shadowed)
		return rc;
	rc = PL_NCCL(RedOpCreatePreMulSum)(&hidden, scalar, datatype, residence, shadowed->shadow);
	if (rc == ncclSuccess) {
		if (remember(shadowed, &shadowed->ops, (void *)(uintptr_t)*op,
			     (void *)(uintptr_t)hidden) == 0)
			return rc;
		PL_NCCL(RedOpDestroy)(hidden, shadowed->shadow);
		rc = ncclSystemError;
	}
	PL_NCCL(RedOpDestroy)(*op, comm);
	return rc;
}
PL_NCCL_ALIAS(ncclRedOpCreatePreMulSum)

ncclResult_t pncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm)
{
	struct pl_nccl_comm *shadowed = find_shadowed(comm);
	void *hidden;

	if (shadowed && take(shadowed, &shadowed->ops, (void *)(uintptr_t)op, &hidden))
		PL_NCCL(RedOpDestroy)
	((ncclRedOp_t)(uintptr_t)hidden, shadowed->shadow);
	return PL_NCCL(RedOpDestroy)(op, comm);
}
PL_NCCL_ALIAS(ncclRedOpDestroy)

/* The program gets the handle of its own communicator. Where the hidden one cannot register the
 * memory, it copies, as it does with what is not registered. */
ncclResult_t pncclCommRegister(ncclComm_t comm, void *buff, size_t size, void **handle)
{
	struct pl_nccl_comm *shadowed = find_shadowed(comm);
	const ncclResult_t rc = PL_NCCL(CommRegister)(comm, buff, size, handle);
	void *hidden = NULL;

	if (rc != ncclSuccess || !shadowed ||
	    PL_NCCL(CommRegister)(shadowed->shadow, buff, size, &hidden) != ncclSuccess || !hidden)
		return rc;
	if (remember(shadowed, &shadowed->registered, *handle, hidden))
		PL_NCCL(CommDeregister)(shadowed->shadow, hidden);
	return rc;
}
PL_NCCL_ALIAS(ncclCommRegister)

ncclResult_t pncclCommDeregister(ncclComm_t comm, void *handle)
{
	struct pl_nccl_comm *shadowed = find_shadowed(comm);
	void *hidden;

	if (shadowed && take(shadowed, &shadowed->registered, handle, &hidden))
		PL_NCCL(CommDeregister)(shadowed->shadow, hidden);
	return PL_NCCL(CommDeregister)(comm, handle);
}
PL_NCCL_ALIAS(ncclCommDeregister)
