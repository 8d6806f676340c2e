/* SPDX-License-Identifier: BSD-3-Clause */
/* api-collectives.c - the public functions that move data */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

#include <stdlib.h>

static ncclResult_t check(const struct ncclComm *comm, const struct board_call *call,
			  struct user_op *op, const char *caller)
{
	if (call->type < 0 || call->type >= N_TYPES)
		return log_fault(ncclInvalidArgument, "%s: type %d", caller, call->type);
	if (call->root < 0 || call->root >= comm->n)
		return log_fault(ncclInvalidArgument, "%s: %s: rank %d of %d", caller, comm->name,
				 call->root, comm->n);
	if (call->op < 0)
		return log_fault(ncclInvalidArgument, "%s: operator %d", caller, call->op);
	if (call->op >= ncclNumOps) {
		if (!op_find(comm, call->op, op))
			return log_fault(ncclInvalidArgument, "%s: %d is no operator of %s", caller,
					 call->op, comm->name);
		if ((int)op->type != call->type)
			return log_fault(ncclInvalidArgument, "%s: an operator of another type",
					 caller);
	}
	return ncclSuccess;
}

/* Whether it reads from @send and writes to @recv; rank @root and the rest. */
static bool lacks_buffer(const struct ncclComm *comm, const struct board_call *call,
			 const void *send, const void *recv)
{
	const bool is_root = call->root == comm->rank;
	bool gives = true, takes = true;

	switch (call->func) {
	case FUNC_SEND:
		takes = false;
		break;
	case FUNC_RECV:
		gives = false;
		break;
	case FUNC_REDUCE:
	case FUNC_GATHER:
		takes = is_root;
		break;
	case FUNC_BROADCAST:
	case FUNC_SCATTER:
		gives = is_root;
		break;
	default:
		break;
	}
	return (gives && !send) || (takes && !recv);
}

static ncclResult_t enqueue(struct ncclComm *comm, struct board_call call, const void *send,
			    void *recv, const char *caller)
{
	ncclResult_t rc = comm_ready(comm, caller);
	struct user_op op = {0};
	struct job *job;

	if (!rc && (comm->finalized || comm->revoked))
		rc = log_fault(ncclInvalidUsage, "%s: %s was %s", caller, comm->name,
			       comm->finalized ? "finalized" : "revoked");
	if (!rc && comm->suspended)
		rc = log_fault(ncclInvalidUsage, "%s: %s is suspended", caller, comm->name);
	if (!rc)
		rc = check(comm, &call, &op, caller);
	if (!rc && call.count && lacks_buffer(comm, &call, send, recv))
		rc = log_fault(ncclInvalidArgument, "%s: no buffer", caller);
	if (rc)
		return group_fail(rc);
	if (!call.count && call.func != FUNC_SEND && call.func != FUNC_RECV)
		return ncclSuccess;
	job = calloc(1, sizeof(*job));
	if (!job)
		return group_fail(ncclSystemError);
	job->func = (enum func)call.func;
	job->comm = comm;
	job->call = call;
	job->send = send;
	job->recv = recv;
	job->op = op;
	if (call.op >= ncclNumOps) /* handles differ, what they do not */
		job->call.op = ncclNumOps;
	return group_add(job, caller);
}

NCCL_FUNCTION(ncclResult_t, ncclAllReduce, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_ALLREDUCE, .type = (int)datatype, .op = (int)op, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclBroadcast, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_BROADCAST, .type = (int)datatype, .root = root, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

/* As in the real library: by ncclBroadcast's public name. */
NCCL_FUNCTION(ncclResult_t, ncclBcast, void *buff, size_t count, ncclDataType_t datatype, int root,
	      ncclComm_t comm, cudaStream_t stream)
{
	return ncclBroadcast(buff, buff, count, datatype, root, comm, stream);
}

NCCL_FUNCTION(ncclResult_t, ncclReduce, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm,
	      cudaStream_t stream)
{
	const struct board_call call = {.func = FUNC_REDUCE,
					.type = (int)datatype,
					.op = (int)op,
					.root = root,
					.count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclAllGather, const void *sendbuff, void *recvbuff, size_t sendcount,
	      ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_ALLGATHER, .type = (int)datatype, .count = sendcount};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclReduceScatter, const void *sendbuff, void *recvbuff,
	      size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
	      cudaStream_t stream)
{
	const struct board_call call = {.func = FUNC_REDUCESCATTER,
					.type = (int)datatype,
					.op = (int)op,
					.count = recvcount};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclAlltoAll, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_ALLTOALL, .type = (int)datatype, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclGather, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_GATHER, .type = (int)datatype, .root = root, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclScatter, const void *sendbuff, void *recvbuff, size_t count,
	      ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_SCATTER, .type = (int)datatype, .root = root, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, recvbuff, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclSend, const void *sendbuff, size_t count, ncclDataType_t datatype,
	      int peer, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_SEND, .type = (int)datatype, .root = peer, .count = count};

	(void)stream;
	return enqueue(comm, call, sendbuff, NULL, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclRecv, void *recvbuff, size_t count, ncclDataType_t datatype,
	      int peer, ncclComm_t comm, cudaStream_t stream)
{
	const struct board_call call = {
		.func = FUNC_RECV, .type = (int)datatype, .root = peer, .count = count};

	(void)stream;
	return enqueue(comm, call, NULL, recvbuff, __func__);
}
