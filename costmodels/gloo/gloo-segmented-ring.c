/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-segmented-ring.c - gloo::allreduce(): a ring of segments, two in
 * flight */
/*
 *   0 <== 1 <== 2 <== 3 <== 0      segments: to the rank before
 *
 * The buffer is cut into N blocks of at least two segments each, a segment
 * being at most 1 MiB; each block goes once round to be reduced and once round
 * to be gathered: 2 (N - 1) rounds. What textbooks do not have: the ring runs
 * downwards; segments are rounded up, so that the last blocks may be short or
 * empty, and nothing is sent for what is empty; and a rank posts the receive of
 * a segment only when the one before the last has come in and has been reduced,
 * without which its neighbour does not send (unbound buffers). So a pair of
 * segments costs 2 c + its bytes / bw at the slowest link, 2 (N - 1) times.
 *
 * Of a buffer of fewer elements than segments only the first blocks hold
 * anything, one element a segment, and a rank waits for nothing in front of
 * them. With m blocks of N, few of them, a call costs about one time round the
 * ring, since the next one may follow it, and m times to and fro at the slowest
 * link: calls in a row as the predictor has them, and as measured. From N / 2
 * blocks on the slowest link sets the pace again, twice to and fro for each;
 * the ring counts up to N / 4.
 *
 * This is what PyTorch's gloo backend calls, in place: no copies.
 */
#include "config.h"

#include "costmodels/gloo/gloo-segments.h"

static struct pl_gloo_segments segments_of(const struct pl_call *call)
{
	const uint64_t e = call->element_bytes, n = call->n_pos;
	uint64_t most = call->segment_bytes ? call->segment_bytes : PL_GLOO_SEGMENT_BYTES_MAX;
	struct pl_gloo_segments g = {.n_pos = n, .total_bytes = call->bytes};

	most = most < e ? e : most / e * e;
	g.n = pl_gloo_divide_up(call->bytes, most);
	if (g.n < 2 * n)
		g.n = 2 * n;
	g.per_rank = pl_gloo_divide_up(g.n, n);
	g.n = g.per_rank * n;
	g.segment_bytes = pl_gloo_divide_up(pl_gloo_divide_up(call->bytes, g.n), e) * e;
	return g;
}

int pl_gloo_segmented_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_gloo_segments g = segments_of(call);
	const size_t n = call->n_pos;

	if (n == 1 || call->bytes == 0)
		return 0;
	if (pl_gloo_segments_check(&g, err))
		return -1;
	for (size_t rank = 0; rank < n && !pl_script_is_over(s); rank++) {
		const uint64_t own = rank * g.per_rank;
		struct pl_gloo_pass pass = {
			.first_sent = own + g.per_rank,
			.first_received = own + 2 * g.per_rank,
			.count = g.n - g.per_rank,
			.reduces = true,
		};

		pl_script_rank(s, rank);
		pl_gloo_segments_pass(s, &g, &pass);
		pass.first_sent = own;
		pass.first_received = own + g.per_rank;
		pass.first_round = (uint32_t)(n - 1);
		pass.reduces = false;
		pl_gloo_segments_pass(s, &g, &pass);
	}
	return 0;
}

/* Blocks that are not empty. */
static uint64_t n_full_blocks(const struct pl_gloo_segments *g)
{
	const uint64_t block = g->per_rank * g->segment_bytes;

	return pl_gloo_divide_up(g->total_bytes, block);
}

/* A ring with little in it: each hop by itself, and the slowest of them. */
static int small_shape(struct pl_shape *shape, const struct pl_gloo_segments *g, uint64_t n_full,
		       struct pl_err *err)
{
	const size_t n = g->n_pos;
	struct pl_hop hop = {.times = 1, .bytes = (double)g->segment_bytes};

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = n};
	for (size_t pos = 0; pos < n; pos++) {
		hop.src = (uint32_t)pos;
		hop.dst = (uint32_t)((pos + n - 1) % n);
		hop.group = (uint32_t)pos;
		if (pl_shape_add(shape, hop, err))
			return -1;
	}
	hop.group = (uint32_t)n;
	hop.times = 2 * (double)n_full;
	return pl_shape_add_ring(shape, n, n - 1, hop, err);
}

int pl_gloo_segmented_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	const struct pl_gloo_segments g = segments_of(call);
	const size_t n = call->n_pos;
	const uint64_t n_full = call->bytes ? n_full_blocks(&g) : n;

	if (n_full <= n / 4)
		return small_shape(shape, &g, n_full, err);
	*shape = (struct pl_shape){.kind = PL_SLOWEST, .n_pos = n};
	/* pairs of segments: per_rank / 2 of them in each of 2 (N - 1) rounds,
	 * of which those with empty ones wait for nothing */
	return pl_shape_add_ring(
		shape, n, n - 1,
		pl_gloo_paced_hop((double)(n_full < n ? n_full : n - 1) * (double)g.per_rank,
				  2 * (double)g.segment_bytes),
		err);
}
