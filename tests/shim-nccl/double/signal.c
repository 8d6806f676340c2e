/* SPDX-License-Identifier: BSD-3-Clause */
/* signal.c - the public functions that write into another rank's window */
/*
 * What is put into a window comes there when its owner waits for the signal that goes with it:
 * before, it may not look.
 */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

#include <stdlib.h>
#include <string.h>

static ncclResult_t check(struct ncclComm *comm, int peer, int signal, int ctx, unsigned int flags,
			  const char *caller)
{
	const ncclResult_t rc = comm_ready(comm, caller);

	if (rc)
		return rc;
	if (peer < 0 || peer >= comm->n || signal || ctx || flags)
		return log_fault(ncclInvalidArgument, "%s: %s: rank %d of %d", caller, comm->name,
				 peer, comm->n);
	if (comm->finalized || comm->revoked || comm->suspended)
		return log_fault(ncclInvalidUsage, "%s: %s", caller, comm->name);
	return ncclSuccess;
}

static ncclResult_t enqueue(struct ncclComm *comm, const struct job *like, const char *caller)
{
	struct job *job = malloc(sizeof(*job));

	if (!job)
		return group_fail(ncclSystemError);
	*job = *like;
	job->comm = comm;
	job->call.func = (int)job->func;
	return group_add(job, caller);
}

NCCL_FUNCTION(ncclResult_t, ncclPutSignal, const void *localbuff, size_t count,
	      ncclDataType_t datatype, int peer, ncclWindow_t win, size_t offset, int signal,
	      int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream)
{
	const struct job job = {.func = FUNC_PUT,
				.send = localbuff,
				.offset = offset,
				.call = {.type = (int)datatype, .root = peer, .count = count}};
	ncclResult_t rc = check(comm, peer, signal, ctx, flags, __func__);
	struct job to = job;
	struct held window;

	(void)stream;
	if (!rc && (!localbuff || (int)datatype < 0 || (int)datatype >= N_TYPES ||
		    !held_window(comm, win, 0, &window) ||
		    offset + count * type_size((int)datatype) > window.size))
		rc = log_fault(ncclInvalidArgument, "%s: not into the window", __func__);
	if (rc)
		return group_fail(rc);
	to.window = window.number;
	return enqueue(comm, &to, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclSignal, int peer, int signal, int ctx, unsigned int flags,
	      ncclComm_t comm, cudaStream_t stream)
{
	const struct job job = {.func = FUNC_PUT, .call = {.root = peer}};
	const ncclResult_t rc = check(comm, peer, signal, ctx, flags, __func__);

	(void)stream;
	return rc ? group_fail(rc) : enqueue(comm, &job, __func__);
}

/* A job for each rank that is waited for. */
NCCL_FUNCTION(ncclResult_t, ncclWaitSignal, int n, ncclWaitSignalDesc_t *signals, ncclComm_t comm,
	      cudaStream_t stream)
{
	ncclResult_t rc = n > 0 && signals ? ncclSuccess
					   : log_fault(ncclInvalidArgument, "%s: %d", __func__, n);

	(void)stream;
	for (int i = 0; i < n && !rc; i++) {
		rc = check(comm, signals[i].peer, signals[i].sig_idx, signals[i].ctx, 0, __func__);
		if (!rc && signals[i].op_cnt <= 0)
			rc = log_fault(ncclInvalidArgument, "%s: %d of them", __func__,
				       signals[i].op_cnt);
	}
	if (rc)
		return group_fail(rc);
	group_start();
	for (int i = 0; i < n && !rc; i++) {
		const struct job job = {
			.func = FUNC_WAIT,
			.call = {.root = signals[i].peer, .count = (uint64_t)signals[i].op_cnt}};

		rc = enqueue(comm, &job, __func__);
	}
	return group_end();
}

ncclResult_t signal_put(const struct job *job)
{
	const struct board_head head = {.type = job->call.type,
					.window = job->window,
					.offset = job->offset,
					.count = job->call.count,
					.len = job->call.count * type_size(job->call.type)};

	return board_send(&job->comm->place, BOARD_SIGNALS, job->call.root, &head, job->send);
}

/* The next signal of that rank, and what was put with it. */
static ncclResult_t take(struct ncclComm *comm, int src)
{
	struct board_head head;
	struct held window = {0};
	ncclResult_t rc = board_next(&comm->place, BOARD_SIGNALS, src, &head);

	if (rc)
		return rc;
	if (head.len && (!held_window(comm, NULL, head.window, &window) ||
			 head.offset + head.len > window.size))
		return log_fault(ncclInvalidUsage, "%s: rank %d puts into no window of rank %d",
				 comm->name, src, comm->rank);
	return board_take(&comm->place, BOARD_SIGNALS, src, &head,
			  (char *)window.buff + head.offset);
}

ncclResult_t signal_wait(const struct job *job)
{
	ncclResult_t rc = ncclSuccess;

	for (uint64_t i = 0; i < job->call.count && !rc; i++)
		rc = take(job->comm, job->call.root);
	return rc;
}
