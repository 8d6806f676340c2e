/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-reduce.c - gloo::reduce(): a ring of segments, then all blocks to the
 * root */
/*
 *   0 <== 1 <== 2 <== 3 <== 0      reduce-scatter, as in gloo::allreduce()
 *   root <-- each other rank       its block, in one message
 *
 * What textbooks do not have: the ring goes on until but two segments of all
 * have been sent, not until N - 1 blocks have: with k > 2 segments to a block
 * (buffers of more than 2 N MiB) every rank sends k - 2 segments too many, of
 * its own finished block, which the receiver adds up and never uses.
 */
#include "config.h"

#include "costmodels/gloo/gloo-segments.h"

/* Here the segment is fixed first, and their number follows from it. */
static int segments_of(const struct pl_call *call, struct pl_gloo_segments *g, struct pl_err *err)
{
	const uint64_t e = call->element_bytes, n = call->n_pos;
	const uint64_t most = call->segment_bytes ? call->segment_bytes : PL_GLOO_SEGMENT_BYTES_MAX;

	*g = (struct pl_gloo_segments){.n_pos = n, .total_bytes = call->bytes};
	if (most < e)
		return pl_err_set(err, PL_EUSAGE,
				  "Gloo divides by zero if a segment (%llu bytes) is "
				  "smaller than an element (%llu bytes)",
				  (unsigned long long)most, (unsigned long long)e);
	g->segment_bytes = pl_gloo_divide_up(call->bytes, 2 * n);
	if (g->segment_bytes > most / e * e)
		g->segment_bytes = most / e * e;
	g->segment_bytes = pl_gloo_divide_up(g->segment_bytes, e) * e;
	g->n = call->bytes ? pl_gloo_divide_up(call->bytes, g->segment_bytes) : 0;
	if (g->n < 2 * n)
		g->n = 2 * n;
	g->per_rank = pl_gloo_divide_up(g->n, n);
	g->n = g->per_rank * n;
	return pl_gloo_segments_check(g, err);
}

static uint64_t block_bytes(const struct pl_gloo_segments *g, size_t rank)
{
	return pl_gloo_segment_bytes(g, rank * g->per_rank, g->per_rank);
}

/* The messages from now on are that rank's block. */
static void of_block(struct pl_script *s, const struct pl_gloo_segments *g, size_t rank)
{
	pl_script_data(s, pl_gloo_segment_at(g, rank * g->per_rank), PL_STORES);
}

static void gather(struct pl_script *s, const struct pl_gloo_segments *g, size_t rank, size_t root)
{
	pl_script_round(s, (uint32_t)g->n_pos);
	if (rank != root) {
		of_block(s, g, rank);
		if (block_bytes(g, rank))
			pl_script_send(s, root, block_bytes(g, rank));
		return;
	}
	for (size_t peer = 0; peer < g->n_pos; peer++)
		if (peer != rank && block_bytes(g, peer)) {
			of_block(s, g, peer);
			pl_script_irecv(s, peer, block_bytes(g, peer));
		}
	pl_script_wait_all(s);
}

int pl_gloo_reduce(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct pl_gloo_segments g;

	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (segments_of(call, &g, err))
		return -1;
	for (size_t rank = 0; rank < call->n_pos && !pl_script_is_over(s); rank++) {
		const uint64_t own = rank * g.per_rank;

		pl_script_rank(s, rank);
		pl_gloo_segments_pass(s, &g,
				      &(struct pl_gloo_pass){.first_sent = own + g.per_rank,
							     .first_received = own + 2 * g.per_rank,
							     .count = g.n - 2,
							     .reduces = true});
		gather(s, &g, rank, call->root);
	}
	return 0;
}

static int add_gather(struct pl_shape *shape, const struct pl_gloo_segments *g, size_t root,
		      struct pl_err *err)
{
	for (size_t rank = 0; rank < g->n_pos; rank++)
		if (rank != root && block_bytes(g, rank) &&
		    pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)rank,
						 .dst = (uint32_t)root,
						 .group = 1,
						 .times = 1,
						 .bytes = (double)block_bytes(g, rank)},
				 err))
			return -1;
	return 0;
}

/* The slowest link of the ring, and the slowest way to the root. */
int pl_gloo_reduce_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	struct pl_gloo_segments g;

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (segments_of(call, &g, err))
		return -1;
	if (pl_shape_add_ring(shape, g.n_pos, g.n_pos - 1,
			      pl_gloo_paced_hop((double)(g.n / 2 - 1), 2 * (double)g.segment_bytes),
			      err))
		return -1;
	return add_gather(shape, &g, call->root, err);
}
