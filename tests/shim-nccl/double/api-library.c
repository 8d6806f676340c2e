/* SPDX-License-Identifier: BSD-3-Clause */
/* api-library.c - the public functions that are of no communicator, and
 * groups */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

NCCL_FUNCTION(const char *, ncclGetErrorString, ncclResult_t result)
{
	static const char *const text[] = {"no error",
					   "unhandled cuda error",
					   "unhandled system error",
					   "internal error",
					   "invalid argument",
					   "invalid usage",
					   "remote process exited or there was a network error",
					   "NCCL operation in progress"};

	return (unsigned)result < sizeof(text) / sizeof(*text) ? text[result]
							       : "unknown result code";
}

NCCL_FUNCTION(const char *, ncclGetLastError, ncclComm_t comm)
{
	(void)comm;
	return log_last_fault();
}

NCCL_FUNCTION(void, ncclResetDebugInit, void)
{
	log_line("reset");
}

NCCL_FUNCTION(ncclResult_t, ncclGroupStart, void)
{
	return group_start();
}

NCCL_FUNCTION(ncclResult_t, ncclGroupEnd, void)
{
	return group_end();
}

/* As the real one: the group is over, and nothing of it was done. */
NCCL_FUNCTION(ncclResult_t, ncclGroupSimulateEnd, ncclSimInfo_t *info)
{
	const int n = group_drop();

	log_line("simulate %d", n);
	if (info)
		info->estimated_time = (float)n;
	return ncclSuccess;
}
