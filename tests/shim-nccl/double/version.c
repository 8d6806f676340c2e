/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c - what differs between the versions that the double can be */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#ifndef DOUBLE_VERSION
#error "which version of NCCL is it?"
#endif

NCCL_FUNCTION(ncclResult_t, ncclGetVersion, int *version)
{
	if (!version)
		return ncclInvalidArgument;
	*version = DOUBLE_VERSION;
	return ncclSuccess;
}

/* A name of a version that nobody knows yet: it says which rank it is told. */
ncclResult_t ncclNewest(int peer, ncclComm_t comm);
ncclResult_t pncclNewest(int peer, ncclComm_t comm);

NCCL_FUNCTION(ncclResult_t, ncclNewest, int peer, ncclComm_t comm)
{
	const ncclResult_t rc = comm_ready(comm, __func__);

	if (!rc)
		log_line("newest %s %d peer=%d", comm->name, comm->rank, peer);
	return rc;
}
