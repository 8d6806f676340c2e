/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - every collective, type, operator and place, alone and in groups */
/*
 *     RANK=0 WORLD_SIZE=4 matrix [TYPE...]
 *
 * The whole of a buffer is compared afterwards, so what must not be written is checked, too. Its
 * values are small whole numbers that all types can hold, and so can they hold what becomes of
 * them: results are exact, whatever the order.
 */
#include "config.h"

#include "tests/shim-nccl/device.h"
#include "tests/shim-nccl/job.h"
#include "tests/shim-nccl/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what {
	ALLREDUCE,
	BROADCAST,
	BCAST,
	REDUCE,
	ALLGATHER,
	REDUCESCATTER,
	ALLTOALL,
	GATHER,
	SCATTER,
	SENDRECV,
	N_WHAT
};

static const char *const what_name[N_WHAT] = {"AllReduce", "Broadcast",     "Bcast",    "Reduce",
					      "AllGather", "ReduceScatter", "AlltoAll", "Gather",
					      "Scatter",   "Send, Recv"};

/* One call, its buffer and what must be in it afterwards. */
struct call {
	enum what what;
	int type, op, root, rank, n;
	size_t count;
	bool in_place, grouped;
	ncclRedOp_t handle; /* of PreMulSum, else @op */
	size_t len, room;   /* bytes: of a block, of the buffer */
	size_t send_at, recv_at;
	char *before, *after, *device;
};

static bool is_reduction(const struct call *c)
{
	return c->what == ALLREDUCE || c->what == REDUCE || c->what == REDUCESCATTER;
}

static int scalar_of(int rank, int type)
{
	return type_is_float(type) && type_size(type) == 1 ? 2 : 1 + rank % 2;
}

/* Element @i of block @block of what @rank gives. */
static int value_of(const struct call *c, int rank, int block, size_t i)
{
	const int at = (int)((i + (size_t)block * c->count) % 5040);
	const bool is_small = type_is_float(c->type) && type_size(c->type) == 1;

	if (!is_reduction(c) || c->op == ncclMax || c->op == ncclMin)
		return (rank * 5 + block * 3 + at) % 8;
	if (c->op == ncclProd)
		return 1 + (rank + at) % 2;
	if (c->op == ncclAvg)
		return is_small ? 1 : (rank + at) % c->n * (2 - c->n % 2);
	return is_small ? (rank + at) % 2 : (rank * 3 + at) % 7;
}

static int reduced(const struct call *c, int block, size_t i)
{
	int sum = c->op == ncclProd ? 1 : c->op == ncclMin ? 100 : 0;

	for (int r = 0; r < c->n; r++) {
		int v = value_of(c, r, block, i);

		if (c->op == ncclNumOps)
			v *= scalar_of(r, c->type);
		if (c->op == ncclProd)
			sum *= v;
		else if (c->op == ncclMax)
			sum = v > sum ? v : sum;
		else if (c->op == ncclMin)
			sum = v < sum ? v : sum;
		else
			sum += v;
	}
	return c->op == ncclAvg ? sum / c->n : sum;
}

/* Element @i of block @block of what this rank must have got. */
static int wanted(const struct call *c, int block, size_t i)
{
	switch (c->what) {
	case ALLREDUCE:
	case REDUCE:
		return reduced(c, 0, i);
	case REDUCESCATTER:
		return reduced(c, c->rank, i);
	case BROADCAST:
	case BCAST:
		return value_of(c, c->root, 0, i);
	case SCATTER:
		return value_of(c, c->root, c->rank, i);
	case ALLTOALL:
		return value_of(c, block, c->rank, i);
	case SENDRECV:
		return value_of(c, (c->rank + c->n - 1) % c->n, 0, i);
	default:
		return value_of(c, block, 0, i);
	}
}

static int blocks_sent(const struct call *c)
{
	if (c->what == REDUCESCATTER || c->what == ALLTOALL)
		return c->n;
	if (c->what == SCATTER)
		return c->rank == c->root ? c->n : 0;
	if (c->what == BROADCAST || c->what == BCAST)
		return c->rank == c->root;
	return 1;
}

static int blocks_received(const struct call *c)
{
	const bool is_root = c->rank == c->root;

	if (c->what == ALLGATHER || c->what == ALLTOALL)
		return c->n;
	if (c->what == GATHER)
		return is_root ? c->n : 0;
	return c->what == REDUCE ? is_root : 1;
}

/* Where both buffers are one, the smaller one lies in its rank's block. */
static void place(struct call *c)
{
	const size_t mine = (size_t)c->rank * c->len;
	const bool is_root = c->rank == c->root;

	c->send_at = 0;
	c->recv_at = c->in_place ? 0 : (size_t)c->n * c->len;
	if (!c->in_place)
		return;
	if (c->what == ALLGATHER || (c->what == GATHER && is_root))
		c->send_at = mine;
	if (c->what == REDUCESCATTER || (c->what == SCATTER && is_root))
		c->recv_at = mine;
}

static void fill(struct call *c, char *image, size_t at, int n_blocks, bool sent)
{
	for (int b = 0; b < n_blocks; b++)
		for (size_t i = 0; i < c->count; i++)
			type_put_any(image + at + (size_t)b * c->len, i, c->type,
				     sent ? value_of(c, c->rank, b, i) : wanted(c, b, i));
}

static bool prepare(struct call *c)
{
	c->len = c->count * type_size(c->type);
	c->room = 2 * (size_t)c->n * c->len + 8;
	place(c);
	c->before = malloc(c->room);
	c->after = malloc(c->room);
	c->device = device_alloc(c->room);
	if (!c->before || !c->after || !c->device)
		return false;
	memset(c->before, 0x55, c->room);
	fill(c, c->before, c->send_at, blocks_sent(c), true);
	memcpy(c->after, c->before, c->room);
	fill(c, c->after, c->recv_at, blocks_received(c), false);
	device_put(c->device, c->before, c->room);
	return true;
}

static ncclResult_t send_and_receive(const struct call *c, const void *send, void *recv,
				     ncclComm_t comm)
{
	const ncclDataType_t type = (ncclDataType_t)c->type;
	ncclResult_t rc;

	ncclGroupStart();
	rc = ncclSend(send, c->count, type, (c->rank + 1) % c->n, comm, device_stream());
	if (!rc)
		rc = ncclRecv(recv, c->count, type, (c->rank + c->n - 1) % c->n, comm,
			      device_stream());
	return rc ? (ncclGroupEnd(), rc) : ncclGroupEnd();
}

static ncclResult_t issue(const struct call *c, ncclComm_t comm)
{
	const void *send = c->device + c->send_at;
	void *recv = c->device + c->recv_at;
	const ncclDataType_t type = (ncclDataType_t)c->type;
	const size_t n = c->count;
	cudaStream_t stream = device_stream();

	switch (c->what) {
	case ALLREDUCE:
		return ncclAllReduce(send, recv, n, type, c->handle, comm, stream);
	case BROADCAST:
		return ncclBroadcast(send, recv, n, type, c->root, comm, stream);
	case BCAST:
		return ncclBcast(recv, n, type, c->root, comm, stream);
	case REDUCE:
		return ncclReduce(send, recv, n, type, c->handle, c->root, comm, stream);
	case ALLGATHER:
		return ncclAllGather(send, recv, n, type, comm, stream);
	case REDUCESCATTER:
		return ncclReduceScatter(send, recv, n, type, c->handle, comm, stream);
	case ALLTOALL:
		return ncclAlltoAll(send, recv, n, type, comm, stream);
	case GATHER:
		return ncclGather(send, recv, n, type, c->root, comm, stream);
	case SCATTER:
		return ncclScatter(send, recv, n, type, c->root, comm, stream);
	default:
		return send_and_receive(c, send, recv, comm);
	}
}

/* An average may be made of the parts' averages, each rounded. */
static bool is_near(const struct call *c, const char *got)
{
	const double unit = type_size(c->type) == 1   ? 0x1p-2
			    : c->type == ncclBfloat16 ? 0x1p-7
						      : 0x1p-10;
	double a, b;

	if (c->op != ncclAvg || !is_reduction(c) || !type_is_float(c->type))
		return false;
	for (size_t i = 0; i < c->count; i++) {
		a = type_get(got + c->recv_at, i, c->type);
		b = type_get(c->after + c->recv_at, i, c->type);
		if (!(fabs(a - b) <= fabs(b) * c->n * unit))
			return false;
	}
	return true;
}

static void check(struct job *job, struct call *c)
{
	static const char *const op_name[] = {"sum", "prod", "max", "min", "avg", "premulsum"};
	char *got = malloc(c->room);
	size_t i = 0;

	if (!got)
		exit(4);
	device_get(got, c->device, c->room);
	while (i < c->room && got[i] == c->after[i])
		i++;
	job_check(job, i == c->room || is_near(c, got),
		  "%s %s %s count=%zu root=%d%s%s: byte %zu of %zu, which begins at %zu",
		  what_name[c->what], type_name(c->type), is_reduction(c) ? op_name[c->op] : "",
		  c->count, c->root, c->in_place ? " in place" : "", c->grouped ? " grouped" : "",
		  i, c->len, c->recv_at);
	free(got);
	free(c->before);
	free(c->after);
	device_free(c->device);
}

/* @calls[n], in a group where it is more than one. */
static void run(struct job *job, ncclComm_t *comm, struct call *calls, size_t n)
{
	ncclResult_t rc = ncclSuccess;

	for (size_t i = 0; i < n; i++)
		if (!prepare(&calls[i]))
			exit(4);
	if (n > 1)
		ncclGroupStart();
	for (size_t i = 0; i < n && !rc; i++)
		rc = issue(&calls[i], comm[i % 2]);
	if (n > 1) {
		const ncclResult_t end = ncclGroupEnd();

		rc = rc ? rc : end;
	}
	job_done(job, rc, NULL, what_name[calls[0].what]);
	device_sync();
	for (size_t i = 0; i < n; i++)
		check(job, &calls[i]);
}

static void reset_op(struct job *job, struct call *c, ncclComm_t comm, bool create)
{
	char scalar[8];

	if (c->op < ncclNumOps || !is_reduction(c))
		return;
	type_put_any(scalar, 0, c->type, scalar_of(c->rank, c->type));
	if (create)
		job_done(job,
			 ncclRedOpCreatePreMulSum(&c->handle, scalar, (ncclDataType_t)c->type,
						  ncclScalarHostImmediate, comm),
			 NULL, "ncclRedOpCreatePreMulSum");
	else
		job_done(job, ncclRedOpDestroy(c->handle, comm), NULL, "ncclRedOpDestroy");
}

/* A call alone, in and out of place. */
static void run_alone(struct job *job, ncclComm_t comm, struct call c)
{
	ncclComm_t both[2] = {comm, comm};

	reset_op(job, &c, comm, true);
	for (int in_place = c.what == BCAST; in_place < 2; in_place++) {
		if (in_place && (c.what == ALLTOALL || c.what == SENDRECV))
			continue; /* not allowed */
		c.in_place = in_place;
		run(job, both, &c, 1);
	}
	reset_op(job, &c, comm, false);
}

static void each_call(struct job *job, ncclComm_t comm, struct call c)
{
	static const size_t counts[] = {1, 17, 1029};
	int n_ops;

	for (int w = 0; w < N_WHAT; w++) {
		c.what = (enum what)w;
		n_ops = is_reduction(&c) ? 6 : 1;
		for (size_t k = 0; k < 3 * (size_t)n_ops; k++) {
			c.count = counts[k % 3];
			c.op = (int)(k / 3);
			c.handle = (ncclRedOp_t)c.op;
			c.root = (int)(k + (size_t)c.type) % c.n;
			run_alone(job, comm, c);
		}
	}
}

/* Everything at once, by turns on two communicators. */
static void in_group(struct job *job, ncclComm_t comm[2], struct call c)
{
	struct call calls[2 * N_WHAT];

	for (int i = 0; i < 2 * N_WHAT; i++) {
		c.what = (enum what)(i / 2);
		c.count = (size_t)(1 + 97 * i);
		c.op = i % 5;
		c.handle = (ncclRedOp_t)c.op;
		c.root = i % c.n;
		c.grouped = true;
		c.in_place =
			c.what == BCAST || (c.what != ALLTOALL && c.what != SENDRECV && i % 3 == 1);
		calls[i] = c;
	}
	run(job, comm, calls, 2 * N_WHAT);
}

static bool is_asked(int type, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], type_name(type)))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	ncclComm_t comm[2] = {NULL, NULL};
	struct job job;
	int n, rank;

	job_begin(&job);
	comm[0] = job_world(&job);
	if (!comm[0])
		return job_end(&job);
	job_done(&job, ncclCommSplit(comm[0], 0, -job.rank, &comm[1], NULL), comm[0],
		 "ncclCommSplit");
	for (int i = 0; i < 2; i++) {
		rank = -1;
		job_done(&job, ncclCommCount(comm[i], &n), NULL, "count");
		job_done(&job, ncclCommUserRank(comm[i], &rank), NULL, "rank");
		job_check(&job, n == job.n && rank == (i ? job.n - 1 - job.rank : job.rank),
			  "communicator %d: rank %d of %d", i, rank, n);
	}
	ncclCommDestroy(comm[1]);
	ncclCommSplit(comm[0], 0, job.rank, &comm[1], NULL);
	for (int type = 0; type < N_TYPES; type++) {
		struct call c = {.type = type, .rank = job.rank, .n = job.n};

		if (!is_asked(type, argc, argv))
			continue;
		each_call(&job, comm[0], c);
		in_group(&job, comm, c);
	}
	for (int i = 1; i >= 0; i--) {
		job_done(&job, ncclCommFinalize(comm[i]), comm[i], "finalize");
		job_done(&job, ncclCommDestroy(comm[i]), NULL, "destroy");
	}
	return job_end(&job);
}
