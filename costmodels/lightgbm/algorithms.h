/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * LightGBM (src/network/) uses its own TCP sockets. SendRecv writes as much as
 * the socket's buffer of 100,000 bytes holds and then reads, or it writes in a
 * second thread; so a send and a receive always run at the same time. A part of
 * no bytes is not sent. All sizes are int32_t.
 */
#ifndef PLINK_COSTMODELS_LIGHTGBM_ALGORITHMS_H
#define PLINK_COSTMODELS_LIGHTGBM_ALGORITHMS_H

#include "costmodels/algorithm.h"

/* LightGBM's rules take rings for more bytes than this, the 10 MB of
 * network.cpp; all-gathers take them only among fewer machines than the second
 * number. */
#define PL_LIGHTGBM_RING_BYTES ((uint64_t)10 << 20)
#define PL_LIGHTGBM_RING_POS_MAX 64

/* Block i begins at i * step_bytes, or at the end of the buffer if that is
 * less: LightGBM's all-reduce cuts its blocks like this. */
struct pl_lightgbm_blocks {
	size_t n;
	uint64_t total_bytes, step_bytes;
	/* the round that the pl_lightgbm_run functions begin with */
	uint32_t first_round;
};

/* The blocks of a call: cut: call->bytes divided among all ranks; equal:
 * call->bytes for each rank, as in an all-gather. */
struct pl_lightgbm_blocks pl_lightgbm_cut(const struct pl_call *call);
struct pl_lightgbm_blocks pl_lightgbm_equal(const struct pl_call *call);

/* Bytes of @count blocks from @first on; the range may wrap from block n - 1 to
 * block 0. */
uint64_t pl_lightgbm_range(const struct pl_lightgbm_blocks *b, size_t first, size_t count);

/* The blocks that go to one rank and those that come from one, as ranges. */
struct pl_lightgbm_swap {
	size_t dst, send_first, n_send;
	size_t src, recv_first, n_recv;
	enum pl_taking taking; /* of those that come in */
};

/* SendRecv, without the send or the receive if it has no bytes. The bytes that
 * came in. */
uint64_t pl_lightgbm_exchange(struct pl_script *s, const struct pl_lightgbm_blocks *b,
			      const struct pl_lightgbm_swap *x);

/* 0, or -1 with @err set (PL_EUSAGE) if @bytes are more than an int32_t
 * holds. */
int pl_lightgbm_check(uint64_t bytes, struct pl_err *err);

/* The calls of one rank in each algorithm. Rounds are counted from
 * b->first_round on. */
void pl_lightgbm_run_halving(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_scatter_ring(struct pl_script *s, size_t rank,
				  const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_bruck(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_doubling(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b);
void pl_lightgbm_run_ring(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b);

/* Rounds of halving: floor(log2 n), and if n is not a power of two, one before
 * and one after. */
uint32_t pl_lightgbm_halving_rounds(size_t n);
bool pl_lightgbm_power_of_two(size_t n);

/* All-reduce: a reduce-scatter and an all-gather, or an all-gather of whole
 * buffers. */
pl_generate_fn pl_lightgbm_halving_doubling;
pl_generate_fn pl_lightgbm_halving_bruck;
pl_generate_fn pl_lightgbm_halving_ring;
pl_generate_fn pl_lightgbm_ring_bruck;
pl_generate_fn pl_lightgbm_ring_ring;
pl_generate_fn pl_lightgbm_gather_doubling;
pl_generate_fn pl_lightgbm_gather_bruck;
pl_generate_fn pl_lightgbm_gather_ring;
pl_generate_fn pl_lightgbm_allgather_bruck;
pl_generate_fn pl_lightgbm_allgather_doubling;
pl_generate_fn pl_lightgbm_allgather_ring;
pl_generate_fn pl_lightgbm_reduce_scatter_halving;
pl_generate_fn pl_lightgbm_reduce_scatter_ring;

/* Rings of eager messages: the sum of all hops, once or twice round. */
pl_shape_fn pl_lightgbm_ring_ring_shape;
pl_shape_fn pl_lightgbm_allgather_ring_shape;
pl_shape_fn pl_lightgbm_reduce_scatter_ring_shape;

#endif
