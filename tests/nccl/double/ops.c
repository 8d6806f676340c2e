/* SPDX-License-Identifier: BSD-3-Clause */
/* ops.c - operators that a program makes, each for one communicator */
#include "config.h"

#include "tests/nccl/double/double.h"
#include "tests/nccl/types.h"

#include <stdlib.h>
#include <string.h>

struct user_op *op_find(const struct ncclComm *comm, int handle)
{
	struct user_op *op;

	pthread_mutex_lock(&process_lock);
	for (op = comm->ops; op && op->handle != handle; op = op->next)
		;
	pthread_mutex_unlock(&process_lock);
	return op;
}

NCCL_FUNCTION(ncclResult_t, ncclRedOpCreatePreMulSum, ncclRedOp_t *op,
	      void *scalar, ncclDataType_t datatype,
	      ncclScalarResidence_t residence, ncclComm_t comm)
{
	static int last_handle = ncclNumOps;
	const ncclResult_t rc = comm_ready(comm, __func__);
	struct user_op *made;

	if (rc)
		return group_fail(rc);
	if (!op || !scalar || (int)datatype < 0 || (int)datatype >= N_TYPES)
		return group_fail(log_fault(ncclInvalidArgument, "%s: %d",
					    __func__, (int)datatype));
	made = calloc(1, sizeof(*made));
	if (!made)
		return ncclSystemError;
	made->type = datatype;
	if (residence == ncclScalarDevice)
		made->device = scalar;
	else
		memcpy(made->scalar, scalar, type_size((int)datatype));
	pthread_mutex_lock(&process_lock);
	/* no two alike in the process, and none to be guessed from another */
	last_handle += 1 + (int)((uintptr_t)comm >> 4 & 63);
	made->handle = last_handle;
	made->next = comm->ops;
	comm->ops = made;
	pthread_mutex_unlock(&process_lock);
	*op = (ncclRedOp_t)made->handle;
	log_line("op %s %d made", comm->name, comm->rank);
	return ncclSuccess;
}

NCCL_FUNCTION(ncclResult_t, ncclRedOpDestroy, ncclRedOp_t op, ncclComm_t comm)
{
	const ncclResult_t rc = comm_check(comm, __func__);
	struct user_op **at, *found;

	if (rc)
		return group_fail(rc);
	pthread_mutex_lock(&process_lock);
	for (at = &comm->ops; *at && (*at)->handle != (int)op;)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&process_lock);
	free(found);
	if (!found)
		return group_fail(log_fault(ncclInvalidArgument,
					    "%s: %d is no operator of %s",
					    __func__, (int)op, comm->name));
	log_line("op %s %d destroyed", comm->name, comm->rank);
	return ncclSuccess;
}
