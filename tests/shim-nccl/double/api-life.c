/* SPDX-License-Identifier: BSD-3-Clause */
/* api-life.c - the public functions that ask about a communicator or end it */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <stdlib.h>

NCCL_FUNCTION(ncclResult_t, ncclCommGetAsyncError, ncclComm_t comm, ncclResult_t *error)
{
	const ncclResult_t rc = comm_check(comm, __func__);

	if (rc)
		return rc;
	if (!error)
		return log_fault(ncclInvalidArgument, "%s", __func__);
	*error = (ncclResult_t)atomic_load(&comm->state);
	return ncclSuccess;
}

NCCL_FUNCTION(ncclResult_t, ncclCommCount, ncclComm_t comm, int *count)
{
	const ncclResult_t rc = comm_ready(comm, __func__);

	if (!rc)
		*count = comm->n;
	return rc;
}

NCCL_FUNCTION(ncclResult_t, ncclCommCuDevice, ncclComm_t comm, int *device)
{
	const ncclResult_t rc = comm_ready(comm, __func__);

	if (!rc)
		*device = comm->device;
	return rc;
}

NCCL_FUNCTION(ncclResult_t, ncclCommUserRank, ncclComm_t comm, int *rank)
{
	const ncclResult_t rc = comm_ready(comm, __func__);

	if (!rc)
		*rank = comm->rank;
	return rc;
}

NCCL_FUNCTION(ncclResult_t, ncclCommFinalize, ncclComm_t comm)
{
	ncclResult_t rc = comm_ready(comm, __func__);
	struct job *job;

	if (!rc && (comm->finalized || comm->revoked))
		rc = log_fault(ncclInvalidArgument, "%s: %s was before", __func__, comm->name);
	job = rc ? NULL : calloc(1, sizeof(*job));
	if (!job)
		return group_fail(rc ? rc : ncclSystemError);
	comm->finalized = true;
	job->func = FUNC_FINALIZE;
	job->comm = comm;
	job->call.func = FUNC_FINALIZE;
	log_line("finalize %s %d", comm->name, comm->rank);
	return group_add(job, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommDestroy, ncclComm_t comm)
{
	ncclResult_t rc;

	if (!comm)
		return ncclSuccess;
	rc = comm_check(comm, __func__);
	if (!rc)
		comm_release(comm, "destroy");
	return rc;
}

NCCL_FUNCTION(ncclResult_t, ncclCommAbort, ncclComm_t comm)
{
	ncclResult_t rc;

	if (!comm)
		return ncclSuccess;
	rc = comm_check(comm, __func__);
	if (rc)
		return rc;
	group_stop(comm, false);
	return ncclSuccess;
}

NCCL_FUNCTION(ncclResult_t, ncclCommRevoke, ncclComm_t comm, int flags)
{
	ncclResult_t rc;

	if (!comm)
		return ncclSuccess;
	rc = comm_check(comm, __func__);
	if (rc)
		return rc;
	if (flags || comm->finalized || comm->revoked)
		return log_fault(ncclInvalidArgument, "%s: %s: flags %d, or its end before",
				 __func__, comm->name, flags);
	log_line("revoke %s %d", comm->name, comm->rank);
	comm->revoked = true;
	group_stop(comm, true);
	return ncclSuccess;
}
