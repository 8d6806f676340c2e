/* SPDX-License-Identifier: BSD-3-Clause */
/* tuner-abi.h - what NCCL and a tuner plugin agree on, versions 3 to 6 */
/*
 * NCCL looks for tables of functions with the names ncclTunerPlugin_v6, _v5 and
 * so on, and takes the newest that it knows: 3 came with NCCL 2.22, 4
 * with 2.24, 5 with 2.28, 6 with 2.30. Versions 1 and 2 (2.19 to 2.21) show no
 * costs: a plugin would have to choose the protocol, too.
 */
#ifndef PLINK_SHIM_NCCL_TUNER_ABI_H
#define PLINK_SHIM_NCCL_TUNER_ABI_H

#include "shim/nccl/nccl-abi.h"

/* Functions that have a choice. */
enum {
	PL_TUNER_BROADCAST,
	PL_TUNER_REDUCE,
	PL_TUNER_ALLGATHER,
	PL_TUNER_REDUCE_SCATTER,
	PL_TUNER_ALLREDUCE,
};

/* Rows of the table of costs; there may be fewer, or more. */
enum { PL_TUNER_TREE = 0, PL_TUNER_RING = 1, PL_TUNER_PAT = 6 };

/* A cost that stands for "cannot be taken"; the others are times in us. */
#define PL_TUNER_IGNORE -1.0F

/*
 * A table. A context belongs to a communicator. get reads and changes the costs of a call:
 * cost[n_algorithms * n_protocols], by algorithm; NCCL declares it as float **. *n_channels stays 0
 * where NCCL is to choose.
 */
struct pl_tuner_table_v3 {
	const char *name;
	ncclResult_t (*init)(size_t n_ranks, size_t n_nodes, void (*log)(void), void **context);
	ncclResult_t (*get)(void *context, int func, size_t bytes, int n_calls, float *cost,
			    int n_algorithms, int n_protocols, int *n_channels);
	ncclResult_t (*end)(void *context);
};

struct pl_tuner_table_v4 {
	const char *name;
	ncclResult_t (*init)(size_t n_ranks, size_t n_nodes, void (*log)(void), void **context);
	ncclResult_t (*get)(void *context, int func, size_t bytes, int n_calls, float *cost,
			    int n_algorithms, int n_protocols, int registered, int *n_channels);
	ncclResult_t (*end)(void *context);
};

/* Version 5 has no chunk_bytes, and NCCL does not read it there. */
struct pl_tuner_table_v6 {
	const char *name;
	ncclResult_t (*init)(void **context, uint64_t id, size_t n_ranks, size_t n_nodes,
			     void (*log)(void), const void *domains, void *constants);
	ncclResult_t (*get)(void *context, int func, size_t bytes, int n_calls, float *cost,
			    int n_algorithms, int n_protocols, int registered, int *n_channels);
	ncclResult_t (*end)(void *context);
	ncclResult_t (*chunk_bytes)(void *context, int func, size_t bytes, int algorithm,
				    int protocol, int n_channels, size_t *chunk_bytes);
};

#endif
