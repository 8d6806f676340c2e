/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-segments.c - a buffer in segments that go round a ring, two in flight */
#include "config.h"

#include "costmodels/gloo/gloo-segments.h"

int pl_gloo_segments_check(const struct pl_gloo_segments *g, struct pl_err *err)
{
	/* with two segments to a rank, most of a small buffer's are empty */
	if (g->per_rank <= 2 || g->n <= PL_PATTERN_MESSAGES_MAX / g->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the pattern has more than %zu messages",
			  PL_PATTERN_MESSAGES_MAX);
}

uint64_t pl_gloo_segment_at(const struct pl_gloo_segments *g, uint64_t i)
{
	return i % g->n * g->segment_bytes;
}

uint64_t pl_gloo_segment_bytes(const struct pl_gloo_segments *g, uint64_t first, uint64_t count)
{
	const uint64_t at = pl_gloo_segment_at(g, first);
	const uint64_t most = count * g->segment_bytes;

	if (at >= g->total_bytes)
		return 0;
	return g->total_bytes - at < most ? g->total_bytes - at : most;
}

/* The receive and the send of two segments ago. */
static void finish(struct pl_script *s, const struct pl_gloo_segments *g,
		   const struct pl_gloo_pass *pass, uint64_t i, const struct pl_request *in,
		   const struct pl_request *out)
{
	const uint64_t received = pl_gloo_segment_bytes(g, pass->first_received + i, 1);

	if (received) {
		pl_script_wait(s, in[i & 1]);
		if (pass->reduces)
			pl_script_reduce(s, received);
	}
	if (pl_gloo_segment_bytes(g, pass->first_sent + i, 1))
		pl_script_wait(s, out[i & 1]);
}

void pl_gloo_segments_pass(struct pl_script *s, const struct pl_gloo_segments *g,
			   const struct pl_gloo_pass *pass)
{
	const size_t next = (s->pos + 1) % g->n_pos;
	const size_t prev = (s->pos + g->n_pos - 1) % g->n_pos;
	struct pl_request in[2] = {{0}}, out[2] = {{0}};

	for (uint64_t i = 0; i < pass->count + 2; i++) {
		uint64_t bytes;

		if (i >= 2)
			finish(s, g, pass, i - 2, in, out);
		if (i >= pass->count)
			continue;
		pl_script_round(s, pass->first_round + (uint32_t)(i / g->per_rank));
		pl_script_data(s, pl_gloo_segment_at(g, pass->first_received + i),
			       pass->reduces ? PL_ADDS : PL_STORES);
		pl_script_send_at(s, pl_gloo_segment_at(g, pass->first_sent + i));
		bytes = pl_gloo_segment_bytes(g, pass->first_received + i, 1);
		if (bytes)
			in[i & 1] = pl_script_irecv(s, next, bytes);
		bytes = pl_gloo_segment_bytes(g, pass->first_sent + i, 1);
		if (bytes)
			out[i & 1] = pl_script_isend(s, prev, bytes);
	}
}
