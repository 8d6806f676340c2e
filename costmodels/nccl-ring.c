/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-ring.c - NCCL's rings of nodes: chunks in slices, a few under way */
/*
 *   node 0 [0 1 2 3] --> node 1 [4 5 6 7] --> node 2 [8 9 10 11] --+
 *      ^                                                           |
 *      +-----------------------------------------------------------+
 *
 * The ring goes through all R ranks, those of a node one after the other. A chunk is R-th of the
 * buffer (all-gather: the block of a rank), at most 2 MiB: larger buffers go round in several
 * loops. Every step each rank passes one chunk on, in an all-reduce 2 (R - 1) times, rank q chunk q
 * - 1 - t in step t, else R - 1 times. So a node sends that many chunks to the next node, whatever
 * its size; with g ranks in a node, what goes out in step t came in from the node before in step t
 * - g, and the first g chunks are the node's own.
 *
 * The last loop of an all-reduce cuts what is left in R chunks rounded up to 16 bytes, so that the
 * last of them may be short or empty; a chunk travels as two slices (4 and 2 of the 8 buffer
 * steps), the first of them at least 1/32 of a full one; a slice is 1 MiB unless the call's segment
 * says other. Here an empty second slice is no message, an empty chunk one of zero bytes.
 */
#include "config.h"

#include "costmodels/nccl.h"

#define SLICE_BYTES (2 * PL_NCCL_STEP_BYTES)
#define SLICES 2
#define CHUNKS_AHEAD 2 /* that fit a connection's buffer */

/* A node's ring, counted in elements. */
struct ring {
	const struct pl_rank *r;
	bool all_reduce;
	uint64_t n, slots;     /* ranks, and those of a node */
	uint64_t steps;        /* of a loop */
	uint64_t count;        /* of the buffer (all-reduce) or of a block */
	uint64_t slice, chunk; /* of full ones */
	uint64_t n_loops;
	/* the first messages, and how many were sent, or have been taken */
	struct pl_request sent, received;
	uint64_t n_sent, n_taken;
};

/* What is passed on in a step. */
struct chunk {
	uint64_t at; /* in the buffer of an all-reduce */
	uint64_t bytes[SLICES];
	size_t n_slices;
	enum pl_taking taking;
};

static struct ring ring_of(const struct pl_rank *r)
{
	const struct pl_call *call = &r->comm->call;
	struct ring g = {.r = r,
			 .all_reduce = r->a->collective == PL_ALLREDUCE,
			 .slots = call->slots,
			 .n = r->n * call->slots,
			 .count = call->bytes / call->element_bytes,
			 .slice = pl_nccl_elements(call, SLICE_BYTES),
			 .sent = pl_script_next(r->s, true),
			 .received = pl_script_next(r->s, false)};
	uint64_t loop;

	g.steps = (g.all_reduce ? 2 : 1) * (g.n - 1);
	if (r->a->collective == PL_REDUCE_SCATTER)
		g.count /= g.n;
	if (g.slice > INT32_MAX)
		g.slice = INT32_MAX; /* counted in an int there */
	g.chunk = SLICES * g.slice;
	loop = g.all_reduce ? g.n * g.chunk : g.chunk;
	g.n_loops = g.count / loop + (g.count % loop != 0);
	return g;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Elements of what ring position @q sends in step @t of loop @l. *at becomes the first of an
 * all-reduce. */
static uint64_t count_of(const struct ring *g, uint64_t q, uint64_t l, uint64_t t, uint64_t *at)
{
	const uint64_t n = g->n, element = g->r->element_bytes;
	const uint64_t grain = element < 16 ? 16 / element : 1;
	const uint64_t id = (q + 2 * n - 1 - t) % n;
	uint64_t left, chunk = g->chunk;

	if (!g->all_reduce) {
		left = g->count - l * chunk;
		return left < chunk ? left : chunk;
	}
	left = g->count - l * n * chunk;
	if (left < n * chunk)
		chunk = round_up((left + n - 1) / n, grain);
	*at = l * n * g->chunk + id * chunk;
	if (left <= id * chunk)
		return 0;
	return left - id * chunk < chunk ? left - id * chunk : chunk;
}

/* What @behind nodes before this one the last rank sends in step @w, counted through all loops. */
static struct chunk chunk_of(const struct ring *g, size_t behind, uint64_t w)
{
	const uint64_t q = ((g->r->rank + g->r->n - behind) * g->slots + g->slots - 1) % g->n;
	const uint64_t t = w % g->steps, element = g->r->element_bytes;
	struct chunk c = {.n_slices = SLICES, .taking = PL_STORES};
	const uint64_t count = count_of(g, q, w / g->steps, t, &c.at);
	uint64_t first = round_up((count + SLICES - 1) / SLICES, 16);

	if (first < g->slice / 32)
		first = g->slice / 32;
	if (first >= count) {
		first = count;
		c.n_slices = 1;
	}
	c.at *= element;
	c.bytes[0] = first * element;
	c.bytes[1] = (count - first) * element;
	/* is it added to the node's own? */
	if (g->all_reduce ? t < g->n - 1 : g->r->a->collective == PL_REDUCE_SCATTER)
		c.taking = PL_ADDS;
	return c;
}

/* The next message is slice @i of the chunk. */
static void of_slice(const struct ring *g, const struct chunk *c, size_t i)
{
	if (g->all_reduce)
		pl_script_data(g->r->s, c->at + (i > 0 ? c->bytes[0] : 0), c->taking);
}

/* What the node before sends in step @w. */
static void expect_step(struct ring *g, uint64_t w)
{
	const struct chunk c = chunk_of(g, 1, w);

	for (size_t i = 0; i < c.n_slices; i++) {
		of_slice(g, &c, i);
		pl_script_irecv(g->r->s, (g->r->rank + g->r->n - 1) % g->r->n, c.bytes[i]);
	}
}

static void send_slice(struct ring *g, const struct chunk *c, size_t i)
{
	const uint64_t at_once = SLICES * CHUNKS_AHEAD;

	of_slice(g, c, i);
	if (g->n_sent >= at_once)
		pl_rank_wait_nth(g->r, g->sent, g->n_sent - at_once);
	pl_script_isend(g->r->s, (g->r->rank + 1) % g->r->n, c->bytes[i]);
	g->n_sent++;
}

/* Step @w of @last: what came in as many steps ago as the node has ranks is sent on, or has been
 * the last of its loop. */
static void run_step(struct ring *g, uint64_t w, uint64_t last)
{
	const struct chunk none = {.n_slices = 0};
	const struct chunk in = w >= g->slots ? chunk_of(g, 1, w - g->slots) : none;
	const struct chunk out = w < last ? chunk_of(g, 0, w) : none;

	pl_script_round(g->r->s, (uint32_t)w);
	for (size_t i = 0; i < SLICES; i++) {
		if (i < in.n_slices)
			pl_rank_wait_nth(g->r, g->received, g->n_taken++);
		if (i < in.n_slices && in.taking == PL_ADDS)
			pl_script_reduce(g->r->s, in.bytes[i]);
		if (i < out.n_slices)
			send_slice(g, &out, i);
	}
	if (w + CHUNKS_AHEAD < last)
		expect_step(g, w + CHUNKS_AHEAD);
}

void pl_nccl_ring(const struct pl_rank *r)
{
	struct ring g = ring_of(r);
	const uint64_t last = g.n_loops * g.steps;

	if (pl_script_exceeds(r->s, g.n_loops, g.steps * r->n))
		return;
	for (uint64_t w = 0; w < CHUNKS_AHEAD && w < last; w++)
		expect_step(&g, w);
	for (uint64_t w = 0; w < last + g.slots; w++)
		run_step(&g, w, last);
}
