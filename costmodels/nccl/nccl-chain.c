/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-chain.c - broadcast and reduce along the ring, cut open at the root */
/*
 *   broadcast, root in node 1:   1 --> 2 --> 3 --> 0
 *   reduce, root in node 1:      2 --> 3 --> 0 --> 1
 *
 * In chunks of 512 KiB (one buffer step; the call's segment, if given), each
 * passed on as soon as it is there: nodes - 1 hops of all bytes. The library's
 * chain goes through ranks, and through the root's node where the root stands
 * in it: a broadcast from a rank that is not its node's first comes back to
 * that node, to reach the ranks before the root, and a reduce to a rank that is
 * not the last begins there. That is one hop more, which textbooks do not have.
 *
 * Mirrors: src/device/broadcast.h, reduce.h (runRing).
 *
 * Objective: the sum of the hops while there are no more chunks than hops; of a
 * longer pipeline the slowest hop, which all chunks wait for.
 */
#include "config.h"

#include "costmodels/nccl/algorithms.h"
#include "costmodels/nccl/nccl-link.h"

#include <stdbool.h>

struct chain {
	const struct pl_call *call;
	bool reduces;
	size_t n_nodes, first, n_hops; /* from node first on, round the ring */
	uint64_t chunk_bytes, n_chunks;
};

static int chain_init(struct chain *c, enum pl_collective collective, const struct pl_call *call,
		      struct pl_err *err)
{
	const size_t slots = call->slots, node = call->root / slots;
	const bool reduces = collective == PL_REDUCE;
	const size_t straight = reduces ? slots - 1 : 0;

	*c = (struct chain){.call = call, .reduces = reduces};
	if (call->n_ranks && (reduces || call->root > 0))
		return pl_err_set(err, PL_EUSAGE,
				  "hosts have different numbers of slots: the host where "
				  "the chain %s depends on the order found; only a "
				  "broadcast from rank 0 does not",
				  reduces ? "ends" : "begins");
	if (pl_nccl_count_nodes(call, &c->n_nodes, err))
		return -1;
	if (c->n_nodes > 1)
		c->n_hops = c->n_nodes - (call->root % slots == straight);
	c->first = reduces ? (node + c->n_nodes - c->n_hops) % c->n_nodes : node;
	c->chunk_bytes = pl_nccl_elements(call, PL_NCCL_STEP_BYTES) * call->element_bytes;
	c->n_chunks = call->bytes / c->chunk_bytes + (call->bytes % c->chunk_bytes != 0);
	return 0;
}

static uint64_t chunk_bytes(const struct chain *c, uint64_t k)
{
	const uint64_t left = c->call->bytes - k * c->chunk_bytes;

	return left < c->chunk_bytes ? left : c->chunk_bytes;
}

static size_t rank_at(const struct chain *c, size_t place)
{
	return pl_nccl_first_rank(c->call, (c->first + place) % c->n_nodes);
}

/*
 * A node that is at both ends (n_hops = n_nodes) takes a chunk so many chunks
 * after it has sent it that the chain is full meanwhile.
 */
static void run_node(struct pl_script *s, const struct chain *c, size_t place)
{
	const bool sends = place < c->n_hops;
	const bool both = place == 0 && c->n_hops == c->n_nodes;
	const bool takes = place > 0 || both;
	const uint64_t lag = both ? c->n_hops : 0;
	struct pl_request room[2][PL_NCCL_STEPS];
	struct pl_nccl_link in = {.buffer = room[0],
				  .n_buffers = PL_NCCL_STEPS,
				  .peer = rank_at(c, place + c->n_nodes - 1)};
	struct pl_nccl_link out = {
		.buffer = room[1], .n_buffers = PL_NCCL_STEPS, .peer = rank_at(c, place + 1)};

	for (uint64_t k = 0; k < c->n_chunks + lag; k++) {
		while (takes && in.posted < c->n_chunks && in.posted - in.taken < PL_NCCL_STEPS)
			pl_nccl_expect(s, &in, chunk_bytes(c, in.posted));
		if (takes && k >= lag) {
			pl_nccl_take(s, &in);
			if (c->reduces)
				pl_script_reduce(s, chunk_bytes(c, k - lag));
		}
		pl_script_round(s, (uint32_t)(place + k));
		if (sends && k < c->n_chunks)
			pl_nccl_send(s, &out, chunk_bytes(c, k));
	}
}

static int generate(struct pl_script *s, enum pl_collective collective, const struct pl_call *call,
		    struct pl_err *err)
{
	struct chain c;

	if (chain_init(&c, collective, call, err))
		return -1;
	if (c.n_hops == 0)
		return 0;
	if (pl_nccl_check_messages(c.n_chunks, c.n_hops, err))
		return -1;
	for (size_t node = 0; node < c.n_nodes; node++) {
		pl_script_rank(s, pl_nccl_first_rank(call, node));
		run_node(s, &c, (node + c.n_nodes - c.first) % c.n_nodes);
	}
	return 0;
}

static int chain_shape(struct pl_shape *shape, enum pl_collective collective,
		       const struct pl_call *call, struct pl_err *err)
{
	struct chain c;

	if (chain_init(&c, collective, call, err))
		return -1;
	*shape = (struct pl_shape){.kind = c.n_chunks > c.n_hops ? PL_SLOWEST : PL_SUM,
				   .n_pos = call->n_pos};
	for (size_t place = 0; place < c.n_hops; place++)
		if (pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)rank_at(&c, place),
						 .dst = (uint32_t)rank_at(&c, place + 1),
						 .times = 1,
						 .bytes = (double)call->bytes},
				 err))
			return -1;
	return 0;
}

int pl_nccl_broadcast_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_BROADCAST, call, err);
}

int pl_nccl_broadcast_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	return chain_shape(shape, PL_BROADCAST, call, err);
}

int pl_nccl_reduce_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_REDUCE, call, err);
}

int pl_nccl_reduce_ring_shape(struct pl_shape *shape, const struct pl_call *call,
			      struct pl_err *err)
{
	return chain_shape(shape, PL_REDUCE, call, err);
}
