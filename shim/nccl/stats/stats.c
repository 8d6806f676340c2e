/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - PLINK_STATS: what this process calls, and how long that takes */
#include "config.h"

#include "shim/nccl/stats/stats.h"

#include "shim/nccl/order.h"
#include "shim/nccl/stats/own.h"
#include "shim/nccl/stats/seen.h"
#include "shim/nccl/types.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <stdbool.h>

static bool is_on;

static const char *const functions[PL_COUNTED] = {
	"allreduce", "broadcast", "reduce",  "allgather", "reduce-scatter",
	"alltoall",  "gather",    "scatter", "send",      "group"};

/* What a call's number in a key is made of. */
static unsigned int number_of(enum pl_counted what, enum pl_nccl_route route)
{
	return (unsigned int)what * PL_ROUTES + (unsigned int)route;
}

static const char *order_of(unsigned int number)
{
	return pl_route_order((enum pl_nccl_route)(number % PL_ROUTES));
}

static const char *why_of(unsigned int number)
{
	return pl_route_why((enum pl_nccl_route)(number % PL_ROUTES));
}

static const struct pl_stats_column added[] = {{"order", order_of}, {"why", why_of}};

static struct pl_stats_call calls[PL_COUNTED * PL_ROUTES];

static void name_calls(void)
{
	for (unsigned int i = 0; i < PL_COUNTED * PL_ROUTES; i++)
		calls[i] = (struct pl_stats_call){functions[i / PL_ROUTES], "nonblocking"};
}

static enum pl_nccl_route route_of(enum pl_counted what, enum pl_nccl_route route)
{
	if (what != PL_COUNTED_ALL_REDUCE && pl_order()->two_level)
		return PL_ROUTE_FUNCTION;
	switch (what) {
	case PL_COUNTED_ALL_REDUCE:
		return route;
	case PL_COUNTED_BROADCAST:
	case PL_COUNTED_REDUCE:
		return route == PL_ROUTE_OPERATOR ? PL_ROUTE_ROOT : route;
	default:
		return PL_ROUTE_FUNCTION;
	}
}

void pl_nccl_stats_note(enum pl_counted what, ncclComm_t comm, size_t count, ncclDataType_t type,
			uint64_t ticks)
{
	const struct pl_seen seen = pl_seen_find(comm);
	uint64_t bytes = (uint64_t)count * pl_nccl_type_bytes(type);

	if (what == PL_COUNTED_REDUCE_SCATTER || what == PL_COUNTED_ALL_TO_ALL)
		bytes *= (uint64_t)seen.n_ranks;
	pl_stats_count(
		pl_stats_key(number_of(what, route_of(what, seen.route)), seen.n_ranks, 0, bytes),
		bytes, ticks);
}

void pl_nccl_stats_note_two_level(const struct pl_nccl_comm *comm, size_t count,
				  ncclDataType_t type, uint64_t ticks)
{
	const uint64_t bytes = (uint64_t)count * pl_nccl_type_bytes(type);

	if (is_on)
		pl_stats_count(pl_stats_key(number_of(PL_COUNTED_ALL_REDUCE, PL_ROUTE_TWO_LEVEL),
					    comm->n, 0, bytes),
			       bytes, ticks);
}

/* Their bytes are in the rows of the calls. */
void pl_nccl_stats_note_group(uint64_t ticks)
{
	pl_stats_count(pl_stats_key(number_of(PL_COUNTED_GROUP, PL_ROUTE_ANY), 0, 0, 0), 0, ticks);
}

void pl_nccl_stats_made(const struct pl_nccl_comm *comm, ncclComm_t shadow)
{
	if (is_on)
		pl_seen_made(comm, shadow);
}

void pl_nccl_stats_aside(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	if (is_on)
		pl_seen_aside(comm, why);
}

/* Of the order that all-reduces follow. */
static void describe_order(struct pl_stats_job *job)
{
	const struct pl_nccl_order *order = pl_order();

	job->mode = "aside";
	if (!order->follows || pl_order_obstacle(pl_nccl_version()))
		return;
	snprintf(job->plan, sizeof(job->plan), "%s", order->path);
	if (order->two_level) {
		job->mode = "two-level";
		snprintf(job->order, sizeof(job->order), "allreduce two-level nccl");
		return;
	}
	job->mode = "shadow";
	snprintf(job->order, sizeof(job->order), "%s %s %s", order->order->collective,
		 order->order->algorithm, order->order->impl);
}

struct volume {
	double sharded, all; /* bytes through a process' links, about */
};

static void add_volume(const struct pl_stats_row *row, void *arg)
{
	const unsigned int what = pl_stats_key_call(row->key) / PL_ROUTES;
	struct volume *volume = arg;
	double bytes = (double)row->bytes;

	if (row->key == PL_STATS_OTHER)
		return;
	if (what == PL_COUNTED_ALL_REDUCE)
		bytes *= 2;
	else if (what == PL_COUNTED_ALL_GATHER)
		bytes *= pl_stats_key_ranks(row->key);
	volume->all += bytes;
	if (what == PL_COUNTED_ALL_GATHER || what == PL_COUNTED_REDUCE_SCATTER)
		volume->sharded += bytes;
}

/* FSDP and ZeRO call what this library does not change. */
static void tell_sharded(void)
{
	struct volume volume = {0};
	static bool said;

	pl_stats_each(add_volume, &volume);
	if (volume.sharded <= volume.all / 2 || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		return;
	pl_shim_say("%.0f %% of the bytes are of reduce-scatter and all-gather, as of FSDP and "
		    "ZeRO, which keep the job's own order: number the ranks by the plan before the "
		    "start (plink-exec, plink-torchrun)",
		    100 * volume.sharded / volume.all);
}

static void describe(struct pl_stats_job *job, int *rank)
{
	const struct pl_seen_largest largest = pl_seen_largest();

	job->n_ranks = largest.n_ranks;
	job->calls = calls;
	job->time = "host";
	job->added = added;
	job->n_added = sizeof(added) / sizeof(*added);
	*rank = largest.n_ranks ? largest.rank : -1;
	describe_order(job);
	if (*rank == 0 && job->plan[0])
		tell_sharded();
}

void pl_nccl_stats_start(void)
{
	static const struct pl_own own = {
		.describe = describe, .tick_s = 0, .forget = pl_seen_forget};

	is_on = pl_own_start(&own);
	if (!is_on)
		return;
	name_calls();
	pl_counted_insert();
}

void pl_nccl_stats_end(ncclComm_t comm)
{
	if (is_on && pl_seen_end(comm))
		pl_own_leave();
}
