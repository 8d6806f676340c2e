/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-ring-chunked.c - Gloo's AllreduceRingChunked: 2 N chunks, two inboxes */
/*
 *   0 ==> 1 ==> 2 ==> 3 ==> 0      chunks, by turns into inbox 0 and inbox 1
 *   0 <-- 1 <-- 2 <-- 3 <-- 0      "an inbox is free"
 *
 * Each rank sends 4 N - 4 chunks of ceil(count / 2 N) elements: the two of its
 * own, then on and on what came in last into either inbox, once round to reduce
 * and once round to gather. What textbooks do not have: a chunk has at least
 * 256 elements, so that small buffers fill few of the 2 N chunks, and for each
 * empty one a single element is sent all the same; and a chunk is sent on only
 * after a notification to the left and one from the right.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

#define ELEMENTS_MIN 256
/* the inboxes' tags are 0 and 1 */
#define NOTIFY_TAG 2

struct chunks {
	uint64_t count, size; /* elements */
	uint64_t element_bytes;
	size_t n; /* 2 N */
};

static struct chunks chunks_of(const struct pl_call *call)
{
	struct chunks c = {.count = call->bytes / call->element_bytes,
			   .element_bytes = call->element_bytes,
			   .n = 2 * call->n_pos};

	c.size = (c.count + c.n - 1) / c.n;
	if (c.size < ELEMENTS_MIN)
		c.size = ELEMENTS_MIN;
	return c;
}

/* Elements in it; 0 behind the end of the buffer. */
static uint64_t length(const struct chunks *c, size_t chunk)
{
	const uint64_t at = chunk * c->size;

	if (at >= c->count)
		return 0;
	return c->count - at < c->size ? c->count - at : c->size;
}

/* The messages from now on are of that chunk. */
static void of_chunk(struct pl_script *s, const struct chunks *c, size_t chunk,
		     enum pl_taking taking)
{
	pl_script_tag(s, (uint32_t)(chunk & 1));
	pl_script_data(s, chunk * c->size * c->element_bytes,
		       length(c, chunk) ? taking : PL_TAKES_NOTHING);
}

static uint64_t wire_bytes(const struct chunks *c, size_t chunk)
{
	const uint64_t elements = length(c, chunk);

	return (elements ? elements : 1) * c->element_bytes;
}

/* The chunk that a rank gets as its @t-th, from t = 2, and then sends as
 * such. */
static size_t chunk_at(const struct chunks *c, size_t rank, size_t t)
{
	return (2 * rank + 2 * c->n - (t & ~(size_t)1) + (t & 1)) % c->n;
}

static struct pl_request expect(struct pl_script *s, const struct chunks *c, size_t rank, size_t t)
{
	const size_t chunk = chunk_at(c, rank, t);

	of_chunk(s, c, chunk, t < c->n ? PL_ADDS : PL_STORES);
	return pl_script_irecv(s, (rank + c->n / 2 - 1) % (c->n / 2), wire_bytes(c, chunk));
}

static void send_chunk(struct pl_script *s, const struct chunks *c, size_t rank, size_t chunk)
{
	of_chunk(s, c, chunk, PL_STORES);
	pl_script_isend(s, (rank + 1) % (c->n / 2), wire_bytes(c, chunk));
}

static void notify_and_await(struct pl_script *s, size_t n, size_t rank)
{
	pl_script_tag(s, NOTIFY_TAG);
	pl_script_data(s, 0, PL_TAKES_NOTHING);
	pl_script_isend(s, (rank + n - 1) % n, PL_GLOO_NOTIFICATION_BYTES);
	pl_script_recv(s, (rank + 1) % n, PL_GLOO_NOTIFICATION_BYTES);
}

static void run_rank(struct pl_script *s, const struct chunks *c, size_t rank)
{
	const size_t n = c->n / 2, end = 2 * c->n - 2;
	struct pl_request in[2];

	pl_script_rank(s, rank);
	in[0] = expect(s, c, rank, 2);
	in[1] = expect(s, c, rank, 3);
	send_chunk(s, c, rank, 2 * rank);
	send_chunk(s, c, rank, 2 * rank + 1);
	for (size_t t = 2; t < end; t++) {
		const size_t chunk = chunk_at(c, rank, t);
		const uint64_t bytes = length(c, chunk) * c->element_bytes;

		pl_script_wait(s, in[t & 1]);
		if (bytes && t < c->n)
			pl_script_reduce(s, bytes);
		else if (bytes)
			pl_script_copy(s, bytes);
		if (t >= end - 2)
			continue;
		in[t & 1] = expect(s, c, rank, t + 2);
		pl_script_round(s, (uint32_t)(t / 2));
		notify_and_await(s, n, rank);
		send_chunk(s, c, rank, chunk);
	}
	notify_and_await(s, n, rank);
}

int pl_gloo_ring_chunked(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct chunks c = chunks_of(call);

	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	if (call->n_pos == 1 || c.count == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos && !pl_script_is_over(s); rank++)
		run_rank(s, &c, rank);
	return 0;
}

int pl_gloo_ring_chunked_shape(struct pl_shape *shape, const struct pl_call *call,
			       struct pl_err *err)
{
	const struct chunks c = chunks_of(call);

	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	*shape = (struct pl_shape){.kind = PL_SLOWEST, .n_pos = call->n_pos};
	/* two chunks are under way, one for each inbox */
	return pl_shape_add_ring(shape, call->n_pos, 1,
				 pl_gloo_paced_hop(2 * (double)(call->n_pos - 1),
						   2 * (double)(c.size * c.element_bytes)),
				 err);
}
