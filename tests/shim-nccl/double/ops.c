/* SPDX-License-Identifier: BSD-3-Clause */
/* ops.c - operators that a program makes, each for one communicator */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

#include <stdlib.h>
#include <string.h>

bool op_find(const struct ncclComm *comm, int handle, struct user_op *op)
{
	const struct user_op *found;

	pthread_mutex_lock(&process_lock);
	for (found = comm->ops; found && found->handle != handle;)
		found = found->next;
	if (found)
		*op = *found;
	pthread_mutex_unlock(&process_lock);
	return found != NULL;
}

/* No two alike in the process, but one that is gone comes again, as in NCCL. Under the lock. */
static int free_handle(const struct ncclComm *comm)
{
	int handle = ncclNumOps + comm->serial * 256;
	const struct user_op *op = comm->ops;

	while (op) {
		if (op->handle == handle) {
			handle++;
			op = comm->ops;
		} else {
			op = op->next;
		}
	}
	return handle;
}

NCCL_FUNCTION(ncclResult_t, ncclRedOpCreatePreMulSum, ncclRedOp_t *op, void *scalar,
	      ncclDataType_t datatype, ncclScalarResidence_t residence, ncclComm_t comm)
{
	const ncclResult_t rc = comm_ready(comm, __func__);
	struct user_op *made;

	if (rc)
		return group_fail(rc);
	if (!op || !scalar || (int)datatype < 0 || (int)datatype >= N_TYPES)
		return group_fail(
			log_fault(ncclInvalidArgument, "%s: %d", __func__, (int)datatype));
	made = calloc(1, sizeof(*made));
	if (!made)
		return ncclSystemError;
	made->type = datatype;
	if (residence == ncclScalarDevice)
		made->device = scalar;
	else
		memcpy(made->scalar, scalar, type_size((int)datatype));
	pthread_mutex_lock(&process_lock);
	made->handle = free_handle(comm);
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
		return group_fail(log_fault(ncclInvalidArgument, "%s: %d is no operator of %s",
					    __func__, (int)op, comm->name));
	log_line("op %s %d destroyed", comm->name, comm->rank);
	return ncclSuccess;
}
