/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - what the files of this folder give its table and each other */
/*
 * LightGBM (src/network/) over its own TCP sockets: SendRecv writes what the
 * socket's 100,000 bytes hold and then reads, or writes in a second thread;
 * so sends and receives always go on together. Nothing is sent for a part of no
 * bytes. All sizes are int32_t.
 */
#ifndef PLINK_COSTMODELS_LIGHTGBM_ALGORITHMS_H
#define PLINK_COSTMODELS_LIGHTGBM_ALGORITHMS_H

#include "costmodels/algorithm.h"

/* From here on, rings: the 10 MB of network.cpp; all-gathers only below so many
 * machines. */
#define PL_LIGHTGBM_RING_BYTES ((uint64_t)10 << 20)
#define PL_LIGHTGBM_RING_POS_MAX 64

/* Block i begins at i * step_bytes, or at the end: as all-reduce cuts them. */
struct pl_lightgbm_blocks {
	size_t n;
	uint64_t total_bytes, step_bytes;
	uint32_t first_round; /* of what is done with them */
};

/* The blocks of a buffer of @bytes; of all-gather, each of @bytes. */
struct pl_lightgbm_blocks pl_lightgbm_cut(const struct pl_call *call);
struct pl_lightgbm_blocks pl_lightgbm_equal(const struct pl_call *call);

/* Bytes of @count blocks from @first on; @first + @count may wrap round n. */
uint64_t pl_lightgbm_range(const struct pl_lightgbm_blocks *b, size_t first,
			   size_t count);

/* SendRecv, without the halves that have no bytes. */
void pl_lightgbm_exchange(struct pl_script *s, struct pl_exchange x);

/* 0, or -1 with @err set where @bytes are more than an int32_t holds. */
int pl_lightgbm_check(uint64_t bytes, struct pl_err *err);

/* What one rank does in each; they count rounds from blocks->first_round on. */
void pl_lightgbm_run_halving(struct pl_script *s, size_t rank,
			     const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_scatter_ring(struct pl_script *s, size_t rank,
				  const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_bruck(struct pl_script *s, size_t rank,
			   const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_doubling(struct pl_script *s, size_t rank,
			      const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_ring(struct pl_script *s, size_t rank,
			  const struct pl_lightgbm_blocks *b);

/* Rounds of halving: ceil(log2 n) and, for n no power of two, one before and
 * one after. */
uint32_t pl_lightgbm_halving_rounds(size_t n);
bool pl_lightgbm_power_of_two(size_t n);

#define PL_LIGHTGBM_GENERATOR(name)                                            \
	int pl_lightgbm_##name(struct pl_script *s,                            \
			       const struct pl_call *call, struct pl_err *err)

/* All-reduce: two of the others, or an all-gather of whole buffers. */
PL_LIGHTGBM_GENERATOR(halving_doubling);
PL_LIGHTGBM_GENERATOR(halving_bruck);
PL_LIGHTGBM_GENERATOR(halving_ring);
PL_LIGHTGBM_GENERATOR(ring_bruck);
PL_LIGHTGBM_GENERATOR(ring_ring);
PL_LIGHTGBM_GENERATOR(gather_doubling);
PL_LIGHTGBM_GENERATOR(gather_bruck);
PL_LIGHTGBM_GENERATOR(gather_ring);
PL_LIGHTGBM_GENERATOR(allgather_bruck);
PL_LIGHTGBM_GENERATOR(allgather_doubling);
PL_LIGHTGBM_GENERATOR(allgather_ring);
PL_LIGHTGBM_GENERATOR(reduce_scatter_halving);
PL_LIGHTGBM_GENERATOR(reduce_scatter_ring);

/* Rings of eager messages: the sum of the hops, once or twice round. */
int pl_lightgbm_ring_ring_shape(struct pl_shape *shape,
				const struct pl_call *call, struct pl_err *err);
int pl_lightgbm_allgather_ring_shape(struct pl_shape *shape,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_lightgbm_reduce_scatter_ring_shape(struct pl_shape *shape,
					  const struct pl_call *call,
					  struct pl_err *err);

#endif
