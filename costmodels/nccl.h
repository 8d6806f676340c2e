/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.h - what NCCL chooses by itself, and what its files share */
/*
 * NCCL orders nodes, not ranks: between nodes its rings and trees depend only on which rank of each
 * node comes first, and inside a node on its hardware. The patterns here therefore have the
 * messages between nodes: host k runs the ranks k * slots .. (k + 1) * slots - 1, and the first of
 * them stands for the host. One node alone sends nothing, and a call of zero bytes sends nothing.
 *
 * Here one channel carries all data. The library divides the data among several channels with the
 * same neighbours, so that the sum for each pair is the same. Bytes are those of the Simple
 * protocol; LL adds a flag to every 4 bytes and LL128 to every 120.
 */
#ifndef PLINK_COSTMODELS_NCCL_H
#define PLINK_COSTMODELS_NCCL_H

#include "costmodels/kernels.h"

enum pl_nccl_algo { PL_NCCL_RING, PL_NCCL_TREE, PL_NCCL_PAT };

/* The name of an algorithm as NCCL_ALGO has it, "Ring", and that of a collective, "AllReduce". */
const char *pl_nccl_algo_name(enum pl_nccl_algo algo);
const char *pl_nccl_function(enum pl_collective collective);

/* The kind that an algorithm of the catalogue, one of NCCL's, belongs to. */
enum pl_nccl_algo pl_nccl_algo_of(const struct pl_algorithm *a);

/* A call on several hosts over sockets. */
struct pl_nccl_job {
	enum pl_collective collective;
	/* as NCCL counts them: those of the whole result if that is larger than the input of a
	 * rank */
	uint64_t bytes;
	uint64_t n_nodes, n_gpus; /* hosts, ranks on each */
	/* the rate of a host's network card in each direction */
	double bytes_per_ns;
};

/* The rate, in bits per second, that NCCL assumes if a network card does not tell its own. */
#define PL_NCCL_BPS 10e9

/* NCCL takes the same algorithm on every machine, or it depends on the machine. */
enum pl_nccl_choice { PL_NCCL_TAKES, PL_NCCL_DEPENDS };

/*
 * The algorithm that NCCL chooses by itself, by the model in graph/tuning.cc of versions 2.28 to
 * 2.30, without SHARP (CollNet, NVLS). PL_NCCL_TAKES with *algo set if the choice is the same on
 * every machine: GPUs of either generation (before Ampere or not), joined by NVLink or PCI;
 * processors of AMD or Intel; 2 channels or 16; LL128 in use or not; trees as chains or not, and at
 * twice the rate between two hosts or not. PL_NCCL_DEPENDS if it is not.
 */
enum pl_nccl_choice pl_nccl_choose(const struct pl_nccl_job *job, enum pl_nccl_algo *algo);

/* ---- for the files of NCCL alone */

/* The buffer of a connection is divided into so many steps; in the Simple protocol a step has 512
 * KiB (NCCL_BUFFSIZE, 4 MiB, divided by 8). */
#define PL_NCCL_STEPS 8
#define PL_NCCL_STEP_BYTES ((uint64_t)512 << 10)

/* The number of elements in @bytes or, if the call sets it, in its segment_bytes; at least one. */
uint64_t pl_nccl_elements(const struct pl_call *call, uint64_t bytes);
/* @bytes in chunks of that, as far as there are whole elements. */
struct pl_blocks pl_nccl_chunks(const struct pl_call *call, uint64_t bytes, uint64_t chunk);

/* One end of a connection. A send waits for the one PL_NCCL_STEPS before it, so that so many
 * messages are under way at most. Receives are posted (expect) and waited for (take) in the same
 * order. */
struct pl_nccl_link {
	size_t peer;
	uint32_t tag;
	uint64_t posted, taken; /* numbers of messages */
	struct pl_request buffer[PL_NCCL_STEPS];
};
void pl_nccl_send(const struct pl_rank *r, struct pl_nccl_link *link, uint64_t bytes);
void pl_nccl_expect(const struct pl_rank *r, struct pl_nccl_link *link, uint64_t bytes);
void pl_nccl_take(const struct pl_rank *r, struct pl_nccl_link *link);

/* All-reduce, all-gather, reduce-scatter round the ring of nodes (nccl-ring.c). */
pl_kernel_fn pl_nccl_ring;
/* PAT (nccl-pat.c). */
pl_kernel_fn pl_nccl_pat;
pl_whole_fn pl_nccl_write_pat;
pl_check_fn pl_nccl_check_pat;
/* The same, and elements must make equal blocks. */
pl_check_fn pl_nccl_check_pat_blocks;
pl_objective_fn pl_nccl_pat_objective;

#endif
