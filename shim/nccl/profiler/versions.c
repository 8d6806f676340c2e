/* SPDX-License-Identifier: BSD-3-Clause */
/* versions.c - the tables of functions that NCCL finds in libnccl-profiler-plink.so */
/*
 * Errors are never returned: NCCL 2.29 and later count their uses of a plugin wrongly then. A
 * plugin that asks for no events is not called again.
 */
#include "config.h"

#include "shim/nccl/profiler/profiler-abi.h"
#include "shim/nccl/profiler/profiler.h"
#include "shim/nccl/profiler/timed.h"

#include <string.h>

#define EVENTS (PL_PROFILER_COLL | PL_PROFILER_P2P)

/* Where times are wanted. */
#define TIMED_EVENTS (pl_profiled_is_timed() ? PL_PROFILER_CHANNEL : 0)

static ncclResult_t init_v2(void **context, int *events)
{
	*context = pl_profiled_add(NULL);
	if (*context)
		*events = EVENTS;
	return ncclSuccess;
}

static ncclResult_t init_v4(void **context, int *events, const char *name, uint64_t id, int n_nodes,
			    int n_ranks, int rank, void (*log)(void))
{
	const struct pl_profiled_comm comm = {
		.id = id, .rank = rank, .n_ranks = n_ranks, .n_nodes = n_nodes, .name = name};

	(void)log;
	*context = pl_profiled_add(&comm);
	if (*context)
		*events = EVENTS | TIMED_EVENTS;
	return ncclSuccess;
}

static ncclResult_t init_v5(void **context, uint64_t id, int *events, const char *name, int n_nodes,
			    int n_ranks, int rank, void (*log)(void))
{
	return init_v4(context, events, name, id, n_nodes, n_ranks, rank, log);
}

static ncclResult_t init_v6(void **context, uint64_t id, int *events, const char *name, int n_nodes,
			    int n_ranks, int rank, void (*log)(void))
{
	init_v4(context, events, name, id, n_nodes, n_ranks, rank, log);
	if (*context)
		*events |= PL_PROFILER_COLL_API | PL_PROFILER_CE_COLL;
	return ncclSuccess;
}

/* The handle of every group: without one, NCCL 2.24 to 2.27 do not tell of what is in it. */
static char group;

static void *start_coll(void *context, const struct pl_profiler_coll *coll, int n_channels)
{
	const struct pl_profiled_call call = {
		.func = coll->func,
		.datatype = coll->datatype,
		.count = coll->count,
		.algo = coll->algo,
		.proto = coll->proto,
		.n_channels = n_channels,
	};

	return pl_profiled_count(context, &call);
}

/* Of one that copy engines run, or that was only called. */
static void count_plain(void *context, const char *func, size_t count, const char *datatype)
{
	const struct pl_profiled_call call = {.func = func, .datatype = datatype, .count = count};

	pl_profiled_count(context, &call);
}

static void count_p2p(void *context, const struct pl_profiler_p2p *p2p)
{
	const struct pl_profiled_call call = {
		.func = p2p->func,
		.datatype = p2p->datatype,
		.count = p2p->count,
		.peer = p2p->peer,
	};

	pl_profiled_count(context, &call);
}

/* @parent: of a channel, the record of the collective that it runs, or NULL. */
static void *start_channel(void *parent, const struct pl_profiler_channel *channel)
{
	if (parent)
		pl_timed_first(parent, channel->ns);
	return parent;
}

/* Gives a handle to groups, and to collectives and channels that are timed; other events need
 * none. */
static void *start(void *context, uint64_t type, void *parent, const union pl_profiler_body *body)
{
	switch (type) {
	case PL_PROFILER_GROUP:
		return &group;
	case PL_PROFILER_COLL:
		return start_coll(context, &body->coll, body->coll.n_channels);
	case PL_PROFILER_CHANNEL:
		return start_channel(parent, &body->channel);
	case PL_PROFILER_P2P:
		count_p2p(context, &body->p2p);
		return NULL;
	default:
		return NULL;
	}
}

/* Versions 2 and 3 tell with an event what the communicator is. */
static void know(void *context, uint64_t type, const struct pl_profiler_comm *comm, int rank)
{
	const struct pl_profiled_comm known = {
		.id = comm->id, .rank = rank, .n_ranks = 0, .n_nodes = 0, .name = comm->name};

	if (type == PL_PROFILER_COLL || type == PL_PROFILER_P2P)
		pl_profiled_know(context, &known);
}

static ncclResult_t start_v2(void *context, void **handle, const void *event)
{
	const struct pl_profiler_event_v2 *e = event;
	const struct pl_profiler_coll_v2 *from = &e->coll;
	union pl_profiler_body body;

	know(context, e->type, &e->comm, e->rank);
	if (e->type == PL_PROFILER_COLL)
		body.coll = (struct pl_profiler_coll){
			.func = from->func,
			.count = from->count,
			.datatype = from->datatype,
			.algo = from->algo,
			.proto = from->proto,
		};
	else
		body.p2p = e->body.p2p;
	*handle = start(context, e->type, NULL, &body);
	return ncclSuccess;
}

static ncclResult_t start_v3(void *context, void **handle, const void *event)
{
	const struct pl_profiler_event_v3 *e = event;

	know(context, e->type, &e->comm, e->rank);
	*handle = start(context, e->type, NULL, &e->body);
	return ncclSuccess;
}

static ncclResult_t start_v4(void *context, void **handle, const void *event)
{
	const struct pl_profiler_event_v4 *e = event;

	*handle = start(context, e->type, e->parent, &e->body);
	return ncclSuccess;
}

static ncclResult_t start_v5(void *context, void **handle, const void *event)
{
	const struct pl_profiler_event_v5 *e = event;

	*handle = start(context, e->type, e->parent, &e->body);
	return ncclSuccess;
}

static bool is_broadcast(const char *func)
{
	return strcmp(func, "Broadcast") == 0;
}

/* NCCL 2.29 and later tell of the launch of some broadcasts and not of others, but always of the
 * call. */
static ncclResult_t start_v6(void *context, void **handle, const void *event)
{
	const struct pl_profiler_event_v5 *e = event;
	const union pl_profiler_body *body = &e->body;

	*handle = NULL;
	if (e->type == PL_PROFILER_COLL_API) {
		if (is_broadcast(body->coll_api.func))
			count_plain(context, body->coll_api.func, body->coll_api.count,
				    body->coll_api.datatype);
	} else if (e->type == PL_PROFILER_CE_COLL) {
		if (!is_broadcast(body->coll.func))
			count_plain(context, body->coll.func, body->coll.count,
				    body->coll.datatype);
	} else if (e->type != PL_PROFILER_COLL || !is_broadcast(body->coll.func)) {
		*handle = start(context, e->type, e->parent, body);
	}
	return ncclSuccess;
}

static ncclResult_t stop(void *handle)
{
	if (handle && handle != &group)
		pl_timed_end(handle);
	return ncclSuccess;
}

static ncclResult_t record(void *handle, int state, const void *args)
{
	const struct pl_profiler_channel_ends *ends = args;

	if (state == PL_PROFILER_CHANNEL_ENDS && handle && handle != &group)
		pl_timed_last(handle, ends->ns);
	return ncclSuccess;
}

static ncclResult_t finalize(void *context)
{
	pl_profiled_end(context);
	return ncclSuccess;
}

#define TABLE(version, ...)                                                                        \
	extern const struct pl_profiler_table ncclProfiler_v##version;                             \
	__attribute__((visibility("default")))                                                     \
	const struct pl_profiler_table ncclProfiler_v##version = {.name = "plink",                 \
								  __VA_ARGS__,                     \
								  .stop = stop,                    \
								  .record = record,                \
								  .finalize = finalize};

TABLE(2, .init_v2 = init_v2, .start = start_v2)
TABLE(3, .init_v2 = init_v2, .start = start_v3)
TABLE(4, .init_v4 = init_v4, .start = start_v4)
TABLE(5, .init_v5 = init_v5, .start = start_v5)
TABLE(6, .init_v5 = init_v6, .start = start_v6)
