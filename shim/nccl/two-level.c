/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level.c - all-reduces in two levels, by a schedule */
#include "config.h"

#include "shim/nccl/two-level.h"

#include "base/mem.h"
#include "shim/nccl/creations.h"
#include "shim/nccl/order.h"
#include "shim/nccl/stats/stats.h"
#include "shim/nccl/types.h"

#include <stdlib.h>

/* NCCL reads and writes so many bytes at once where shards begin at multiples of them. */
#define ALIGN_BYTES 16

/* What this thread's group has noted. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
	struct pl_two_level_call *v;
	size_t n, room;
} noted;

/* Elements of each shard but the last, which has more. */
static size_t shard_count(const struct pl_two_level_call *call)
{
	const size_t unit = ALIGN_BYTES / pl_nccl_type_bytes(call->type);
	const size_t count = call->count / (size_t)call->comm->levels.n_shards;

	return count - count % unit;
}

/* Some of the elements, as bytes from the buffer's begin. */
struct part {
	size_t at, count;
};

static struct part shard(const struct pl_two_level_call *call, int i)
{
	const size_t each = shard_count(call), first = (size_t)i * each;
	const bool is_last = i == call->comm->levels.n_shards - 1;

	return (struct part){first * pl_nccl_type_bytes(call->type),
			     is_last ? call->count - first : each};
}

/* What the last shard has more than the others. */
static struct part rest(const struct pl_two_level_call *call)
{
	const size_t first = (size_t)call->comm->levels.n_shards * shard_count(call);

	return (struct part){first * pl_nccl_type_bytes(call->type), call->count - first};
}

static ncclResult_t reduce(const struct pl_two_level_call *call, struct part part, int root)
{
	if (!part.count)
		return ncclSuccess;
	return PL_NCCL(Reduce)((const char *)call->send + part.at, (char *)call->recv + part.at,
			       part.count, call->type, call->op, root, call->comm->levels.group,
			       call->stream);
}

static ncclResult_t broadcast(const struct pl_two_level_call *call, struct part part, int root)
{
	char *at = (char *)call->recv + part.at;

	if (!part.count)
		return ncclSuccess;
	return PL_NCCL(Broadcast)(at, at, part.count, call->type, root, call->comm->levels.group,
				  call->stream);
}

/* To whom the shards of the group go; from whom the sums come. */
typedef ncclResult_t root_fn(const struct pl_two_level_call *call, struct part part, int root);

static ncclResult_t each_shard(const struct pl_two_level_call *call, root_fn *fn)
{
	ncclResult_t rc = ncclSuccess;

	for (int i = 0; i < call->comm->levels.n_shards && rc == ncclSuccess; i++)
		rc = fn(call, shard(call, i), i);
	return rc;
}

static bool has_rank_for_each(const struct pl_nccl_levels *l)
{
	return l->n == l->n_shards;
}

typedef ncclResult_t step_fn(const struct pl_two_level_call *call);

static ncclResult_t scatter_group(const struct pl_two_level_call *call)
{
	const struct pl_nccl_levels *l = &call->comm->levels;
	ncclResult_t rc;

	if (!has_rank_for_each(l))
		return each_shard(call, reduce);
	rc = PL_NCCL(ReduceScatter)(call->send, (char *)call->recv + shard(call, l->rank).at,
				    shard_count(call), call->type, call->op, l->group,
				    call->stream);
	return rc == ncclSuccess ? reduce(call, rest(call), l->n - 1) : rc;
}

static ncclResult_t sum_across(const struct pl_two_level_call *call)
{
	const struct pl_nccl_levels *l = &call->comm->levels;
	const struct part own = shard(call, l->rank);
	char *at = (char *)call->recv + own.at;

	if (!l->across)
		return ncclSuccess;
	return PL_NCCL(AllReduce)(at, at, own.count, call->type, call->op, l->across, call->stream);
}

static ncclResult_t gather_group(const struct pl_two_level_call *call)
{
	const struct pl_nccl_levels *l = &call->comm->levels;
	ncclResult_t rc;

	if (!has_rank_for_each(l))
		return each_shard(call, broadcast);
	rc = PL_NCCL(AllGather)((char *)call->recv + shard(call, l->rank).at, call->recv,
				shard_count(call), call->type, l->group, call->stream);
	return rc == ncclSuccess ? broadcast(call, rest(call), l->n - 1) : rc;
}

/* A step of all calls, in a group: of several communicators of one thread, NCCL must know all
 * before it begins any. */
static ncclResult_t run_step(const struct pl_two_level_call *calls, size_t n, step_fn *step)
{
	ncclResult_t rc = PL_NCCL(GroupStart)(), ended;

	if (rc != ncclSuccess)
		return rc;
	for (size_t i = 0; i < n && rc == ncclSuccess; i++)
		rc = step(&calls[i]);
	ended = PL_NCCL(GroupEnd)();
	return rc == ncclSuccess ? ended : rc;
}

/* The steps are no calls of the program: it has made @n of them. */
static ncclResult_t run(const struct pl_two_level_call *calls, size_t n)
{
	static step_fn *const steps[] = {scatter_group, sum_across, gather_group};
	const uint64_t started = pl_counted_begin();
	ncclResult_t rc = ncclSuccess;
	uint64_t ticks;

	for (size_t i = 0; i < 3 && rc == ncclSuccess; i++)
		rc = run_step(calls, n, steps[i]);
	ticks = pl_counted_end(started);
	for (size_t i = 0; i < n && rc == ncclSuccess; i++)
		pl_nccl_stats_note_two_level(calls[i].comm, calls[i].count, calls[i].type,
					     ticks / n);
	return rc;
}

static bool takes_operator(const struct pl_two_level_call *call)
{
	if (call->op == ncclAvg)
		return call->comm->levels.are_equal && pl_nccl_type_is_float(call->type);
	return call->op < ncclNumOps;
}

bool pl_two_level_takes(const struct pl_two_level_call *call)
{
	const struct pl_nccl_order *order = pl_order();
	const size_t size = pl_nccl_type_bytes(call->type);

	return size && call->send && call->recv && takes_operator(call) && shard_count(call) > 0 &&
	       pl_schedules_find(&order->schedules, (uint64_t)call->count * size) ==
		       order->two_level;
}

ncclResult_t pl_two_level_all_reduce(const struct pl_two_level_call *call)
{
	if (!pl_creations_in_group())
		return run(call, 1);
	if (pl_array_grow((void **)&noted.v, &noted.room, noted.n, sizeof(*noted.v)))
		return ncclSystemError;
	noted.v[noted.n++] = *call;
	pl_counted_in_group();
	return ncclSuccess;
}

ncclResult_t pl_two_level_group_end(ncclResult_t rc)
{
	struct pl_two_level_call *calls = noted.v;
	const size_t n = noted.n;
	ncclResult_t ran = ncclSuccess;

	if (!calls)
		return rc;
	noted.v = NULL;
	noted.n = noted.room = 0;
	if (n && (rc == ncclSuccess || rc == ncclInProgress))
		ran = run(calls, n);
	free(calls);
	return ran == ncclSuccess ? rc : ran;
}

void pl_two_level_forget(const struct pl_nccl_comm *comm)
{
	size_t n = 0;

	for (size_t i = 0; i < noted.n; i++)
		if (noted.v[i].comm != comm)
			noted.v[n++] = noted.v[i];
	noted.n = n;
}
