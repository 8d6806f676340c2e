/* SPDX-License-Identifier: BSD-3-Clause */
/* rings.c - XGBoost's rings: that of 2.1 and later, and rabit's before */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      ring: block r first, each block is added up
 *                                  on its way, then passed round
 *   0 <-- 1 <-- 2 <-- 3 <-- 0      rabit's: block r + 1 first
 *
 * Cost: the sum of the hops. What textbooks do not have: the ring of 2.1 passes
 * each block once more than needed, so that a rank gets the block that it has
 * added up: 2 N - 1 steps. Its last block has what is left when the elements
 * are divided among the ranks; rabit rounds blocks up, and its last ones may be
 * short or empty. Rabit's blocks are no messages: a rank passes on what it has.
 */
#include "config.h"

#include "costmodels/xgboost/algorithms.h"

/* Block i of a buffer: step_bytes, but the last one ends with the buffer. */
struct blocks {
	size_t n;
	uint64_t step_bytes, total_bytes;
};

static uint64_t block_at(const struct blocks *b, size_t i)
{
	const uint64_t at = i * b->step_bytes;

	return at < b->total_bytes ? at : b->total_bytes;
}

static uint64_t block_bytes(const struct blocks *b, size_t i)
{
	const uint64_t end = i + 1 < b->n ? block_at(b, i + 1) : b->total_bytes;

	return end - block_at(b, i);
}

/* Steps of a rank: in each, it sends a block, at first @block, and receives the
 * one that it sends next. */
struct lap {
	size_t rank, block, n_steps;
	uint32_t first_round;
	bool down; /* to the rank below; the block after this one comes in */
	enum pl_taking taking;
};

static void go_round(struct pl_script *s, const struct blocks *b, struct lap lap)
{
	const size_t n = b->n;
	const size_t above = (lap.rank + 1) % n, below = (lap.rank + n - 1) % n;

	for (size_t i = 0; i < lap.n_steps; i++) {
		const size_t next = (lap.block + (lap.down ? 1 : n - 1)) % n;
		const struct pl_exchange x = {.dst = lap.down ? below : above,
					      .src = lap.down ? above : below,
					      .send_bytes = block_bytes(b, lap.block),
					      .recv_bytes = block_bytes(b, next)};

		pl_script_round(s, lap.first_round + (uint32_t)i);
		pl_script_data(s, block_at(b, next), lap.taking);
		pl_script_send_at(s, block_at(b, lap.block));
		pl_script_sendrecv(s, x);
		if (lap.taking == PL_ADDS)
			pl_script_reduce(s, x.recv_bytes);
		lap.block = next;
	}
}

int pl_xgboost_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	const uint64_t count = call->bytes / call->element_bytes;
	const struct blocks b = {
		.n = n, .step_bytes = count / n * call->element_bytes, .total_bytes = call->bytes};

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		struct lap lap = {.rank = rank,
				  .block = rank,
				  .n_steps = n - 1,
				  .first_round = 0,
				  .down = false,
				  .taking = PL_ADDS};

		pl_script_rank(s, rank);
		go_round(s, &b, lap);
		lap.block = (rank + 1) % n;
		lap.n_steps = n;
		lap.first_round = (uint32_t)(n - 1);
		lap.taking = PL_STORES;
		go_round(s, &b, lap);
	}
	return 0;
}

int pl_xgboost_gather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	const struct blocks b = {.n = n, .step_bytes = call->bytes, .total_bytes = n * call->bytes};

	if (call->bytes > INT64_MAX / n)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu buffers of %llu bytes are more than "
				  "2^63 - 1 bytes",
				  n, (unsigned long long)call->bytes);
	pl_script_buffer(s, call->bytes, true);
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		go_round(s, &b,
			 (struct lap){.rank = rank,
				      .block = rank,
				      .n_steps = n,
				      .first_round = 0,
				      .down = false,
				      .taking = PL_STORES});
		pl_script_reduce(s, (n - 1) * call->bytes);
	}
	return 0;
}

int pl_rabit_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	const uint64_t count = call->bytes / call->element_bytes;
	const struct blocks b = {.n = n,
				 .step_bytes = (count / n + (count % n != 0)) * call->element_bytes,
				 .total_bytes = call->bytes};

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		struct lap lap = {.rank = rank,
				  .block = (rank + 1) % n,
				  .n_steps = n - 1,
				  .first_round = 0,
				  .down = true,
				  .taking = PL_ADDS};

		pl_script_rank(s, rank);
		go_round(s, &b, lap);
		lap.block = rank;
		lap.first_round = (uint32_t)(n - 1);
		lap.taking = PL_STORES;
		go_round(s, &b, lap);
	}
	return 0;
}

/* A block waits for nothing but itself: as many hops as steps. @step: to the
 * next rank. */
static int ring_shape(struct pl_shape *shape, size_t n, size_t step, size_t n_steps, double bytes,
		      struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = n};
	return pl_shape_add_ring(
		shape, n, step,
		(struct pl_hop){.times = (double)n_steps / (double)n, .bytes = bytes}, err);
}

int pl_xgboost_ring_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	return ring_shape(shape, n, 1, 2 * n - 1, (double)call->bytes / (double)n, err);
}

int pl_xgboost_gather_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	return ring_shape(shape, call->n_pos, 1, call->n_pos, (double)call->bytes, err);
}

int pl_rabit_ring_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	return ring_shape(shape, n, n - 1, 2 * (n - 1), (double)call->bytes / (double)n, err);
}
