/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - the functions that are counted */
/*
 * Each stands in pl_nccl in the place of the real one, and calls that. So it
 * sees the communicator on which a call runs, hidden or not. What NCCL calls of
 * itself, where that comes back to this library (open.c), is no call of the
 * program.
 */
#include "config.h"

#include "shim/nccl/make.h"
#include "shim/nccl/stats/stats.h"
#include "shim/stats/clock.h"

/* What was in their place. */
static struct pl_nccl_calls real;

/* Of this thread. */
struct nesting {
	int n_calls;    /* that it is in: of the program, then of NCCL itself */
	int n_groups;   /* that it has begun */
	bool has_calls; /* has the group any that were counted? */
};
static __thread __attribute__((tls_model("initial-exec"))) struct nesting own;

static uint64_t begin(void)
{
	own.n_calls++;
	return pl_stats_clock();
}

/* So many elements on a communicator. */
struct part {
	ncclComm_t comm;
	size_t count;
	ncclDataType_t type;
};

/* One that does not block may be in progress. */
static bool is_well(ncclResult_t rc)
{
	return rc == ncclSuccess || rc == ncclInProgress;
}

static ncclResult_t end(enum pl_counted what, const struct part *part,
			uint64_t started, ncclResult_t rc)
{
	const uint64_t ticks = pl_stats_clock() - started;

	if (--own.n_calls == 0 && is_well(rc)) {
		own.has_calls = own.n_groups > 0;
		pl_nccl_stats_note(what, part->comm, part->count, part->type,
				   ticks);
	}
	return rc;
}

static ncclResult_t all_reduce(const void *sendbuff, void *recvbuff,
			       size_t count, ncclDataType_t datatype,
			       ncclRedOp_t op, ncclComm_t comm,
			       cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_ALL_REDUCE, &part, started,
		   real.AllReduce(sendbuff, recvbuff, count, datatype, op, comm,
				  stream));
}

static ncclResult_t broadcast(const void *sendbuff, void *recvbuff,
			      size_t count, ncclDataType_t datatype, int root,
			      ncclComm_t comm, cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_BROADCAST, &part, started,
		   real.Broadcast(sendbuff, recvbuff, count, datatype, root,
				  comm, stream));
}

static ncclResult_t bcast(void *buff, size_t count, ncclDataType_t datatype,
			  int root, ncclComm_t comm, cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_BROADCAST, &part, started,
		   real.Bcast(buff, count, datatype, root, comm, stream));
}

static ncclResult_t reduce(const void *sendbuff, void *recvbuff, size_t count,
			   ncclDataType_t datatype, ncclRedOp_t op, int root,
			   ncclComm_t comm, cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_REDUCE, &part, started,
		   real.Reduce(sendbuff, recvbuff, count, datatype, op, root,
			       comm, stream));
}

static ncclResult_t all_gather(const void *sendbuff, void *recvbuff,
			       size_t sendcount, ncclDataType_t datatype,
			       ncclComm_t comm, cudaStream_t stream)
{
	const struct part part = {comm, sendcount, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_ALL_GATHER, &part, started,
		   real.AllGather(sendbuff, recvbuff, sendcount, datatype, comm,
				  stream));
}

static ncclResult_t reduce_scatter(const void *sendbuff, void *recvbuff,
				   size_t recvcount, ncclDataType_t datatype,
				   ncclRedOp_t op, ncclComm_t comm,
				   cudaStream_t stream)
{
	const struct part part = {comm, recvcount, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_REDUCE_SCATTER, &part, started,
		   real.ReduceScatter(sendbuff, recvbuff, recvcount, datatype,
				      op, comm, stream));
}

static ncclResult_t all_to_all(const void *sendbuff, void *recvbuff,
			       size_t count, ncclDataType_t datatype,
			       ncclComm_t comm, cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_ALL_TO_ALL, &part, started,
		   real.AlltoAll(sendbuff, recvbuff, count, datatype, comm,
				 stream));
}

static ncclResult_t gather(const void *sendbuff, void *recvbuff, size_t count,
			   ncclDataType_t datatype, int root, ncclComm_t comm,
			   cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_GATHER, &part, started,
		   real.Gather(sendbuff, recvbuff, count, datatype, root, comm,
			       stream));
}

static ncclResult_t scatter(const void *sendbuff, void *recvbuff, size_t count,
			    ncclDataType_t datatype, int root, ncclComm_t comm,
			    cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_SCATTER, &part, started,
		   real.Scatter(sendbuff, recvbuff, count, datatype, root, comm,
				stream));
}

static ncclResult_t send(const void *sendbuff, size_t count,
			 ncclDataType_t datatype, int peer, ncclComm_t comm,
			 cudaStream_t stream)
{
	const struct part part = {comm, count, datatype};
	const uint64_t started = begin();

	return end(PL_COUNTED_SEND, &part, started,
		   real.Send(sendbuff, count, datatype, peer, comm, stream));
}

static ncclResult_t group_start(void)
{
	const ncclResult_t rc = real.GroupStart();

	if (rc == ncclSuccess && own.n_calls == 0)
		own.n_groups++;
	return rc;
}

/* Was it the outermost that has ended, and one with calls in it? */
static bool leave_group(void)
{
	bool had_calls;

	if (own.n_groups > 0)
		own.n_groups--;
	if (own.n_groups > 0)
		return false;
	had_calls = own.has_calls;
	own.has_calls = false;
	return had_calls;
}

static ncclResult_t group_end(void)
{
	uint64_t ticks;
	ncclResult_t rc;

	if (own.n_calls > 0)
		return real.GroupEnd();
	ticks = begin();
	rc = real.GroupEnd();
	ticks = pl_stats_clock() - ticks;
	own.n_calls--;
	if (leave_group() && is_well(rc))
		pl_nccl_stats_note_group(ticks);
	return rc;
}

static ncclResult_t group_simulate_end(ncclSimInfo_t *info)
{
	const ncclResult_t rc = real.GroupSimulateEnd(info);

	leave_group();
	return rc;
}

#define INSERT(function, counted)                                              \
	__atomic_store_n(&pl_nccl.function, counted, __ATOMIC_RELEASE)

void pl_counted_insert(void)
{
	real = pl_nccl;
	INSERT(AllReduce, all_reduce);
	INSERT(Broadcast, broadcast);
	INSERT(Bcast, bcast);
	INSERT(Reduce, reduce);
	INSERT(AllGather, all_gather);
	INSERT(ReduceScatter, reduce_scatter);
	INSERT(AlltoAll, all_to_all);
	INSERT(Gather, gather);
	INSERT(Scatter, scatter);
	INSERT(Send, send);
	INSERT(GroupStart, group_start);
	INSERT(GroupEnd, group_end);
	INSERT(GroupSimulateEnd, group_simulate_end);
}
