/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler-abi.h - what NCCL and a profiler plugin agree on, versions 2 to 6 */
/*
 * NCCL looks for tables of functions with the names ncclProfiler_v6, _v5 and so
 * on, and takes the newest that it knows: 2 came with NCCL 2.24, 3 with 2.26,
 * 4 with 2.27, 5 with 2.28, 6 with 2.29 (also of 2.30). NCCL describes an event
 * by its address: here are the members up to the last that is read. Strings
 * are NCCL's and stay.
 */
#ifndef PLINK_SHIM_NCCL_PROFILER_ABI_H
#define PLINK_SHIM_NCCL_PROFILER_ABI_H

#include "shim/nccl/nccl-abi.h"

/* Events, as bits: the plugin asks for some, NCCL says which one it is. */
enum {
	PL_PROFILER_GROUP = 1 << 0,    /* what is launched at once */
	PL_PROFILER_COLL = 1 << 1,     /* a collective is launched */
	PL_PROFILER_P2P = 1 << 2,      /* a send or receive is launched */
	PL_PROFILER_CHANNEL = 1 << 6,  /* a kernel runs in a channel */
	PL_PROFILER_COLL_API = 1 << 9, /* a collective is called (since 5) */
	PL_PROFILER_CE_COLL = 1 << 12, /* one of the copy engines (since 6) */
};

/* Without the communicator, which the function init has named (since 4). Elements of all-gathers
 * and broadcasts are bytes. */
struct pl_profiler_coll {
	uint64_t seq;
	const char *func; /* "AllReduce" */
	const void *send_buff;
	void *recv_buff;
	size_t count;
	int root;
	const char *datatype; /* "ncclFloat32" */
	uint8_t n_channels, n_warps;
	const char *algo, *proto; /* "RING", "LL128" */
};

/* Version 2, before n_channels: the bytes on the wire. */
struct pl_profiler_coll_v2 {
	uint64_t seq;
	const char *func;
	const void *send_buff;
	void *recv_buff;
	size_t count;
	int root;
	const char *datatype;
	size_t traffic_bytes;
	uint8_t n_channels, n_warps;
	const char *algo, *proto;
};

struct pl_profiler_p2p {
	const char *func; /* "Send", "Recv" */
	void *buff;
	const char *datatype;
	size_t count;
	int peer;
};

/* The parent of such an event is the collective. Times are the GPU's. */
struct pl_profiler_channel {
	uint8_t channel;
	uint64_t ns; /* since 4: when it has begun */
};

/* A state of an event, with what comes with it. */
#define PL_PROFILER_CHANNEL_ENDS 22
struct pl_profiler_channel_ends {
	uint64_t ns;
};

/* A call as the program made it. */
struct pl_profiler_coll_api {
	const char *func;
	size_t count;
	const char *datatype;
};

/* Which of them it is, the type tells. */
union pl_profiler_body {
	struct pl_profiler_coll coll; /* one of copy engines begins so, too */
	struct pl_profiler_p2p p2p;
	struct pl_profiler_channel channel;
	struct pl_profiler_coll_api coll_api;
};

/* The communicator of each event, in versions 2 and 3. */
struct pl_profiler_comm {
	const char *name; /* NULL: none */
	uint64_t id;
};

struct pl_profiler_event_v2 {
	uint8_t type;
	void *parent;
	int rank; /* in the communicator */
	struct pl_profiler_comm comm;
	union {
		struct pl_profiler_coll_v2 coll;
		union pl_profiler_body body;
	};
};

struct pl_profiler_event_v3 {
	uint8_t type;
	void *parent;
	int rank;
	struct pl_profiler_comm comm;
	union pl_profiler_body body;
};

struct pl_profiler_event_v4 {
	uint8_t type;
	void *parent;
	int rank;
	union pl_profiler_body body;
};

struct pl_profiler_event_v5 { /* and of 6 */
	uint64_t type;
	void *parent;
	int rank;
	union pl_profiler_body body;
};

/* A table. A context belongs to a communicator; *events: those that are asked for. What start gives
 * as *handle comes back in record and stop. */
struct pl_profiler_table {
	const char *name;
	union {
		ncclResult_t (*init_v2)(void **context, int *events);
		ncclResult_t (*init_v4)(void **context, int *events, const char *name, uint64_t id,
					int n_nodes, int n_ranks, int rank, void (*log)(void));
		ncclResult_t (*init_v5)(void **context, uint64_t id, int *events, const char *name,
					int n_nodes, int n_ranks, int rank, void (*log)(void));
	};
	ncclResult_t (*start)(void *context, void **handle, const void *event);
	ncclResult_t (*stop)(void *handle);
	ncclResult_t (*record)(void *handle, int state, const void *args);
	ncclResult_t (*finalize)(void *context);
};

#endif
