/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - the functions that are counted */
/*
 * Each stands in pl_nccl in the place of the real one, and calls that. So it sees the communicator
 * on which a call runs, hidden or not. What NCCL calls of itself, where that comes back to this
 * library (open.c), is no call of the program.
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

static ncclResult_t end(enum pl_counted what, const struct part *part, uint64_t started,
			ncclResult_t rc)
{
	const uint64_t ticks = pl_stats_clock() - started;

	if (--own.n_calls == 0 && is_well(rc)) {
		pl_counted_in_group();
		pl_nccl_stats_note(what, part->comm, part->count, part->type, ticks);
	}
	return rc;
}

uint64_t pl_counted_begin(void)
{
	return begin();
}

uint64_t pl_counted_end(uint64_t started)
{
	own.n_calls--;
	return pl_stats_clock() - started;
}

void pl_counted_in_group(void)
{
	own.has_calls = own.n_groups > 0;
}

/* Defines count_X, which calls the real X and counts @n elements as @what. */
#define COUNT(what, function, n, parameters, arguments)                                            \
	static ncclResult_t count_##function parameters                                            \
	{                                                                                          \
		const struct part part = {comm, n, datatype};                                      \
		const uint64_t started = begin();                                                  \
                                                                                                   \
		return end(what, &part, started, real.function arguments);                         \
	}

/* clang-format off */
COUNT(PL_COUNTED_ALL_REDUCE, AllReduce, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, op, comm, stream))
COUNT(PL_COUNTED_BROADCAST, Broadcast, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, int root, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, root, comm, stream))
COUNT(PL_COUNTED_BROADCAST, Bcast, count,
      (void *buff, size_t count, ncclDataType_t datatype, int root,
       ncclComm_t comm, cudaStream_t stream),
      (buff, count, datatype, root, comm, stream))
COUNT(PL_COUNTED_REDUCE, Reduce, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, op, root, comm, stream))
COUNT(PL_COUNTED_ALL_GATHER, AllGather, sendcount,
      (const void *sendbuff, void *recvbuff, size_t sendcount,
       ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream),
      (sendbuff, recvbuff, sendcount, datatype, comm, stream))
COUNT(PL_COUNTED_REDUCE_SCATTER, ReduceScatter, recvcount,
      (const void *sendbuff, void *recvbuff, size_t recvcount,
       ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, recvcount, datatype, op, comm, stream))
COUNT(PL_COUNTED_ALL_TO_ALL, AlltoAll, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, comm, stream))
COUNT(PL_COUNTED_GATHER, Gather, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, int root, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, root, comm, stream))
COUNT(PL_COUNTED_SCATTER, Scatter, count,
      (const void *sendbuff, void *recvbuff, size_t count,
       ncclDataType_t datatype, int root, ncclComm_t comm,
       cudaStream_t stream),
      (sendbuff, recvbuff, count, datatype, root, comm, stream))
COUNT(PL_COUNTED_SEND, Send, count,
      (const void *sendbuff, size_t count, ncclDataType_t datatype, int peer,
       ncclComm_t comm, cudaStream_t stream),
      (sendbuff, count, datatype, peer, comm, stream))
/* clang-format on */

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

#define INSERT(function, counted) __atomic_store_n(&pl_nccl.function, counted, __ATOMIC_RELEASE)

void pl_counted_insert(void)
{
	real = pl_nccl;
	INSERT(AllReduce, count_AllReduce);
	INSERT(Broadcast, count_Broadcast);
	INSERT(Bcast, count_Bcast);
	INSERT(Reduce, count_Reduce);
	INSERT(AllGather, count_AllGather);
	INSERT(ReduceScatter, count_ReduceScatter);
	INSERT(AlltoAll, count_AlltoAll);
	INSERT(Gather, count_Gather);
	INSERT(Scatter, count_Scatter);
	INSERT(Send, count_Send);
	INSERT(GroupStart, group_start);
	INSERT(GroupEnd, group_end);
	INSERT(GroupSimulateEnd, group_simulate_end);
}
