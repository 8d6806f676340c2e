/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-ring.c - all-reduce, all-gather and reduce-scatter round the ring of
 * nodes */
/*
 *   node 0 [0 1 2 3] --> node 1 [4 5 6 7] --> node 2 [8 9 10 11] --+
 *      ^                                                           |
 *      +-----------------------------------------------------------+
 *
 * The ring goes through all R ranks, those of a node one after the other. A
 * chunk is R-th of the buffer (all-gather: the block of a rank), at most 2 MiB:
 * larger buffers go round in several loops. Every step each rank passes one
 * chunk on:
 *   all-reduce      2 (R - 1) steps, rank q sends chunk q - 1 - t in step t
 *   all-gather        R - 1   steps
 *   reduce-scatter    R - 1   steps
 * so a node sends that many chunks to the next node, whatever its size; with g
 * ranks in a node, what goes out in step t came in from the node before in step
 * t - g, and the first g chunks are the node's own.
 *
 * What textbooks do not have: the last loop of an all-reduce cuts what is left
 * in R chunks rounded up to 16 bytes, so that the last of them may be short or
 * empty; a chunk travels as two slices (4 and 2 of the 8 buffer steps), the
 * first of them at least 1/32 of a full one; a slice is 1 MiB unless the call's
 * segment says other. Here an empty second slice is no message, an empty chunk
 * one of zero bytes.
 *
 * Mirrors: src/device/all_reduce.h, all_gather.h, reduce_scatter.h (runRing),
 * prims_simple.h (genericOp), src/graph/connect.cc, src/enqueue.cc.
 *
 * Objective: the sum of the hops between nodes, each with one step's bytes.
 * Senders run up to 8 steps ahead and shake no hands, so a step takes all hops'
 * mean and not the slowest; only where a link's bandwidth is the limit is it
 * the slowest, which the predictor knows.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/nccl/algorithms.h"
#include "costmodels/nccl/nccl-link.h"

#include <stdbool.h>
#include <stdlib.h>

#define SLICE_BYTES (2 * PL_NCCL_STEP_BYTES)
#define SLICES 2
#define CHUNKS_AHEAD 2 /* that fit a connection's buffer */

/* Counted in elements. */
struct ring {
	const struct pl_call *call;
	bool all_reduce, reduces;
	size_t n_nodes;
	uint64_t steps;        /* of a loop */
	uint64_t count;        /* of the buffer (all-reduce) or of a block */
	uint64_t slice, chunk; /* of full ones */
	uint64_t n_loops;
};

/* What is passed on in a step. */
struct chunk {
	uint64_t at; /* in the buffer of an all-reduce */
	uint64_t bytes[SLICES];
	size_t n_slices;
};

static int ring_init(struct ring *r, enum pl_collective collective, const struct pl_call *call,
		     struct pl_err *err)
{
	const uint64_t n = pl_nccl_ranks(call);
	uint64_t loop;

	*r = (struct ring){.call = call,
			   .all_reduce = collective == PL_ALLREDUCE,
			   .reduces = collective == PL_REDUCE_SCATTER,
			   .steps = n - 1,
			   .count = call->bytes / call->element_bytes,
			   .slice = pl_nccl_elements(call, SLICE_BYTES)};
	if (pl_nccl_count_nodes(call, &r->n_nodes, err))
		return -1;
	if (collective == PL_REDUCE_SCATTER) {
		if (r->count % n)
			return pl_err_set(err, PL_EUSAGE,
					  "%llu elements do not make equal "
					  "blocks for %llu ranks",
					  (unsigned long long)r->count, (unsigned long long)n);
		r->count /= n;
	}
	if (r->all_reduce)
		r->steps *= 2;
	if (r->slice > INT32_MAX)
		r->slice = INT32_MAX; /* counted in an int there */
	r->chunk = SLICES * r->slice;
	loop = r->all_reduce ? n * r->chunk : r->chunk;
	r->n_loops = r->count / loop + (r->count % loop != 0);
	return 0;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Elements of what ring position @q sends in step @t of loop @l. *at becomes
 * the first of an all-reduce. */
static uint64_t count_of(const struct ring *r, uint64_t q, uint64_t l, uint64_t t, uint64_t *at)
{
	const uint64_t n = r->call->n_pos, element = r->call->element_bytes;
	const uint64_t grain = element < 16 ? 16 / element : 1;
	const uint64_t id = (q + 2 * n - 1 - t) % n;
	uint64_t left, chunk = r->chunk;

	if (!r->all_reduce) {
		left = r->count - l * chunk;
		return left < chunk ? left : chunk;
	}
	left = r->count - l * n * chunk;
	if (left < n * chunk)
		chunk = round_up((left + n - 1) / n, grain);
	*at = l * n * r->chunk + id * chunk;
	if (left <= id * chunk)
		return 0;
	return left - id * chunk < chunk ? left - id * chunk : chunk;
}

/* In step @w, counted through all loops. */
static struct chunk chunk_of(const struct ring *r, uint64_t q, uint64_t w)
{
	const uint64_t element = r->call->element_bytes;
	uint64_t at = 0;
	const uint64_t count = count_of(r, q, w / r->steps, w % r->steps, &at);
	uint64_t first = round_up((count + SLICES - 1) / SLICES, 16);

	at *= element;
	if (first < r->slice / 32)
		first = r->slice / 32;
	if (first >= count)
		return (struct chunk){at, {count * element, 0}, 1};
	return (struct chunk){at, {first * element, (count - first) * element}, 2};
}

/* Is what came in step @w added to the node's own? */
static bool reduces(const struct ring *r, uint64_t w)
{
	return r->all_reduce ? w % r->steps < r->call->n_pos - 1 : r->reduces;
}

/* The next message is slice @i of the chunk that is passed on in step @w. */
static void of_slice(struct pl_script *s, const struct ring *r, const struct chunk *chunk, size_t i,
		     uint64_t w)
{
	if (r->all_reduce)
		pl_script_data(s, chunk->at + (i > 0 ? chunk->bytes[0] : 0),
			       reduces(r, w) ? PL_ADDS : PL_STORES);
}

struct node {
	struct pl_script *s;
	const struct ring *r;
	uint64_t q; /* place in the ring of the rank that sends on */
	struct pl_nccl_link in, out;
};

/* What the node before sends in step @w. */
static struct chunk incoming(const struct node *n, uint64_t w)
{
	const uint64_t ranks = n->r->call->n_pos;

	return chunk_of(n->r, (n->q + ranks - n->r->call->slots) % ranks, w);
}

static void expect_step(struct node *n, uint64_t w)
{
	const struct chunk chunk = incoming(n, w);

	for (size_t i = 0; i < chunk.n_slices; i++) {
		of_slice(n->s, n->r, &chunk, i, w);
		pl_nccl_expect(n->s, &n->in, chunk.bytes[i]);
	}
}

/* Step @w of @last: what came in as many steps ago as the node has ranks is
 * sent on, or has been the last of its loop. */
static void run_step(struct node *n, uint64_t w, uint64_t last)
{
	const uint64_t slots = n->r->call->slots;
	struct chunk in = {.n_slices = 0}, out = {.n_slices = 0};

	if (w >= slots)
		in = incoming(n, w - slots);
	if (w < last)
		out = chunk_of(n->r, n->q, w);
	pl_script_round(n->s, (uint32_t)w);
	for (size_t i = 0; i < SLICES; i++) {
		if (i < in.n_slices)
			pl_nccl_take(n->s, &n->in);
		if (i < in.n_slices && reduces(n->r, w - slots))
			pl_script_reduce(n->s, in.bytes[i]);
		if (i < out.n_slices) {
			of_slice(n->s, n->r, &out, i, w);
			pl_nccl_send(n->s, &n->out, out.bytes[i]);
		}
	}
	if (w + CHUNKS_AHEAD < last)
		expect_step(n, w + CHUNKS_AHEAD);
}

static void run_node(struct pl_script *s, const struct ring *r, size_t node,
		     struct pl_request *room)
{
	const struct pl_call *call = r->call;
	const uint64_t last = r->n_loops * r->steps;
	const size_t next = (node + 1) % r->n_nodes;
	const size_t prev = (node + r->n_nodes - 1) % r->n_nodes;
	struct node n = {.s = s,
			 .r = r,
			 .q = node * call->slots + call->slots - 1,
			 .out = {.peer = pl_nccl_first_rank(call, next),
				 .buffer = room,
				 .n_buffers = SLICES * CHUNKS_AHEAD},
			 .in = {.peer = pl_nccl_first_rank(call, prev),
				.buffer = room + SLICES * CHUNKS_AHEAD,
				.n_buffers = SLICES * (call->slots + CHUNKS_AHEAD)}};

	pl_script_rank(s, pl_nccl_first_rank(call, node));
	for (uint64_t w = 0; w < CHUNKS_AHEAD && w < last; w++)
		expect_step(&n, w);
	for (uint64_t w = 0; w < last + call->slots; w++)
		run_step(&n, w, last);
}

static int generate(struct pl_script *s, enum pl_collective collective, const struct pl_call *call,
		    struct pl_err *err)
{
	struct pl_request *room;
	struct ring r;

	if (ring_init(&r, collective, call, err))
		return -1;
	if (r.n_nodes < 2)
		return 0;
	if (pl_nccl_check_messages(r.n_loops, r.steps * r.n_nodes, err))
		return -1;
	pl_nccl_know_buffer(s, call);
	room = pl_array_create(call->slots + 2 * CHUNKS_AHEAD, SLICES * sizeof(*room));
	if (!room)
		return pl_err_nomem(err);
	for (size_t node = 0; node < r.n_nodes && !pl_script_is_over(s); node++)
		run_node(s, &r, node, room);
	free(room);
	return 0;
}

int pl_nccl_allreduce_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_ALLREDUCE, call, err);
}

int pl_nccl_allgather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_ALLGATHER, call, err);
}

int pl_nccl_reduce_scatter_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_REDUCE_SCATTER, call, err);
}

/* @bytes: a step's. */
static int closed_ring(struct pl_shape *shape, enum pl_collective collective,
		       const struct pl_call *call, double bytes, struct pl_err *err)
{
	struct ring r;
	size_t n;

	if (ring_init(&r, collective, call, err))
		return -1;
	n = r.n_nodes;
	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = call->n_pos};
	for (size_t k = 0; n > 1 && k < n; k++)
		if (pl_shape_add(
			    shape,
			    (struct pl_hop){.src = (uint32_t)pl_nccl_first_rank(call, k),
					    .dst = (uint32_t)pl_nccl_first_rank(call, (k + 1) % n),
					    .times = 1,
					    .bytes = bytes},
			    err))
			return -1;
	return 0;
}

int pl_nccl_allreduce_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	return closed_ring(shape, PL_ALLREDUCE, call,
			   (double)call->bytes / (double)pl_nccl_ranks(call), err);
}

int pl_nccl_allgather_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	return closed_ring(shape, PL_ALLGATHER, call, (double)call->bytes, err);
}

int pl_nccl_reduce_scatter_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				      struct pl_err *err)
{
	return closed_ring(shape, PL_REDUCE_SCATTER, call,
			   (double)call->bytes / (double)pl_nccl_ranks(call), err);
}
