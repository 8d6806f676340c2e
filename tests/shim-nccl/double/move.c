/* SPDX-License-Identifier: BSD-3-Clause */
/* move.c - the data of a collective: what each gives and what each takes */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

#include <stdlib.h>
#include <string.h>

const char *func_name(int func)
{
	static const char *const names[N_FUNCS] = {
		[FUNC_INIT] = "Init",
		[FUNC_SPLIT] = "Split",
		[FUNC_SHRINK] = "Shrink",
		[FUNC_GROW] = "Grow",
		[FUNC_FINALIZE] = "Finalize",
		[FUNC_SUSPEND] = "Suspend",
		[FUNC_RESUME] = "Resume",
		[FUNC_WINDOW] = "Window",
		[FUNC_ALLREDUCE] = "AllReduce",
		[FUNC_BROADCAST] = "Broadcast",
		[FUNC_REDUCE] = "Reduce",
		[FUNC_ALLGATHER] = "AllGather",
		[FUNC_REDUCESCATTER] = "ReduceScatter",
		[FUNC_ALLTOALL] = "AlltoAll",
		[FUNC_GATHER] = "Gather",
		[FUNC_SCATTER] = "Scatter",
		[FUNC_SEND] = "Send",
		[FUNC_RECV] = "Recv",
		[FUNC_PUT] = "PutSignal",
		[FUNC_WAIT] = "WaitSignal",
	};

	return func >= 0 && func < N_FUNCS ? names[func] : "?";
}

/* Blocks of count elements that this member gives. */
static size_t blocks_given(const struct job *job)
{
	const bool is_root = job->call.root == job->comm->rank;

	switch (job->func) {
	case FUNC_BROADCAST:
		return is_root;
	case FUNC_SCATTER:
		return is_root ? (size_t)job->comm->n : 0;
	case FUNC_REDUCESCATTER:
	case FUNC_ALLTOALL:
		return (size_t)job->comm->n;
	default:
		return 1;
	}
}

static bool is_reduction(const struct job *job)
{
	return job->func == FUNC_ALLREDUCE || job->func == FUNC_REDUCE ||
	       job->func == FUNC_REDUCESCATTER;
}

/* The member's data as it goes to the others: scaled by its own scalar, where the operator has one.
 * NULL: no memory. */
static void *scaled(const struct job *job, size_t len)
{
	const struct user_op *op = &job->op;
	const size_t count = len / type_size(job->call.type);
	void *copy = malloc(len);

	if (!copy)
		return NULL;
	memcpy(copy, job->send, len);
	reduce_scale(copy, count, job->call.type, op->device ? op->device : op->scalar);
	return copy;
}

static ncclResult_t take_reduced(struct job *job, size_t offset, size_t len)
{
	struct ncclComm *comm = job->comm;
	char *sum = malloc(2 * len), *from = sum + len;
	ncclResult_t rc;

	if (!sum)
		return ncclSystemError;
	rc = board_read(&comm->place, 0, offset, sum, len);
	for (int r = 1; r < comm->n && !rc; r++) {
		rc = board_read(&comm->place, r, offset, from, len);
		reduce_into(sum, from, job->call.count, job->call.type, job->call.op);
	}
	if (job->call.op == ncclAvg)
		reduce_divide(sum, job->call.count, job->call.type, comm->n);
	if (!rc)
		memcpy(job->recv, sum, len);
	free(sum);
	return rc;
}

/* A block of each, at @offset of what it gave. */
static ncclResult_t take_blocks(struct job *job, size_t offset, size_t len)
{
	ncclResult_t rc = ncclSuccess;

	for (int r = 0; r < job->comm->n && !rc; r++)
		rc = board_read(&job->comm->place, r, offset, (char *)job->recv + (size_t)r * len,
				len);
	return rc;
}

static ncclResult_t take(struct job *job, size_t len)
{
	const size_t mine = (size_t)job->comm->rank * len;
	const bool is_root = job->call.root == job->comm->rank;
	struct board_place *place = &job->comm->place;

	switch (job->func) {
	case FUNC_ALLREDUCE:
		return take_reduced(job, 0, len);
	case FUNC_REDUCE:
		return is_root ? take_reduced(job, 0, len) : ncclSuccess;
	case FUNC_REDUCESCATTER:
		return take_reduced(job, mine, len);
	case FUNC_BROADCAST:
		return board_read(place, job->call.root, 0, job->recv, len);
	case FUNC_SCATTER:
		return board_read(place, job->call.root, mine, job->recv, len);
	case FUNC_ALLGATHER:
		return take_blocks(job, 0, len);
	case FUNC_ALLTOALL:
		return take_blocks(job, mine, len);
	case FUNC_GATHER:
		return is_root ? take_blocks(job, 0, len) : ncclSuccess;
	default:
		return ncclInternalError;
	}
}

ncclResult_t move_collective(struct job *job)
{
	const size_t len = job->call.count * type_size(job->call.type);
	const size_t given = len * blocks_given(job);
	const void *data = job->send;
	void *copy = NULL;
	ncclResult_t rc;

	if (is_reduction(job) && job->call.op >= ncclNumOps) {
		data = copy = scaled(job, given);
		if (!copy)
			return ncclSystemError;
	}
	rc = board_meet(&job->comm->place, &job->call, data, given);
	if (!rc)
		rc = take(job, len);
	if (!rc)
		board_part(&job->comm->place);
	free(copy);
	return rc;
}
