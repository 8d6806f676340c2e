/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-reduce-scatter.c - Gloo's ReduceScatterHalvingDoubling */
/*
 *   0=1 2=3 | 4=5 | 6              recursive halving and up to the largest
 *   0=2 1=3                        block of ranks (gloo-binary-blocks.h)
 *   4 <- 6 -> 5   0,2 <- 4 ...
 *   0 -> 0 1   2 -> 2 3   ...      then out to whom each part belongs
 *
 * What textbooks do not have: halving nearest rank first leaves the parts in
 * bit-reversed order, and only on the largest block; so a last round moves all
 * parts to their owners, even where N is a power of two, and each owner tells
 * the giver that it has taken its part.
 *
 * The caller says how much each rank gets; here nearly equal blocks. Empty
 * blocks come last: one before others would leave Gloo waiting for ever.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/blocks.h"
#include "costmodels/gloo/gloo-binary-blocks.h"

#include <stdlib.h>

/* The last round's data has buffers of its own. */
#define PARTS_TAG 2

struct scatter {
	struct pl_gloo_binary_block block;
	struct pl_blocks blocks; /* what each rank gets, in elements */
	struct pl_request *in;   /* [n_pos], room to work in */
};

/* What two parts have in common. */
static struct pl_gloo_part common(struct pl_gloo_part a, struct pl_gloo_part b)
{
	const uint64_t at = a.at > b.at ? a.at : b.at;
	const uint64_t end_a = a.at + a.count, end_b = b.at + b.count;
	const uint64_t end = end_a < end_b ? end_a : end_b;

	return (struct pl_gloo_part){at, end > at ? end - at : 0};
}

static struct pl_gloo_part wanted_by(const struct scatter *sc, size_t rank)
{
	return (struct pl_gloo_part){pl_block_range_bytes(&sc->blocks, 0, rank),
				     pl_block_bytes(&sc->blocks, rank)};
}

/* What this rank gives to @peer once the halving is over. */
static struct pl_gloo_part given(const struct scatter *sc, size_t peer)
{
	if (sc->block.larger || peer == sc->block.rank)
		return (struct pl_gloo_part){.count = 0};
	return common(sc->block.own, wanted_by(sc, peer));
}

/* What this rank takes out of chunk @i, and from whom. */
static struct pl_gloo_part taken(const struct scatter *sc, size_t i, size_t *peer)
{
	const struct pl_gloo_binary_block *b = &sc->block;
	const struct pl_gloo_part chunk = {i * b->chunk, b->chunk};

	*peer = pl_gloo_reverse_bits(i, b->all_steps);
	if (*peer == b->rank)
		return (struct pl_gloo_part){.count = 0};
	return common(chunk, wanted_by(sc, b->rank));
}

static void expect_parts(struct pl_script *s, struct scatter *sc)
{
	const size_t n_chunks = (size_t)1 << sc->block.all_steps;
	struct pl_gloo_part part;
	size_t peer;

	pl_script_tag(s, PARTS_TAG);
	for (size_t i = 0; i < n_chunks; i++)
		if ((part = taken(sc, i, &peer)).count)
			sc->in[i] = pl_gloo_expect_part(s, &sc->block, peer, part, PL_STORES);
	pl_script_tag(s, PL_GLOO_DATA);
}

static void give_and_take(struct pl_script *s, struct scatter *sc)
{
	const size_t n_chunks = (size_t)1 << sc->block.all_steps;
	struct pl_gloo_part part;
	size_t peer;

	pl_script_round(s, sc->block.all_steps + 1);
	pl_script_tag(s, PARTS_TAG);
	for (peer = 0; peer < sc->block.n_pos; peer++)
		if ((part = given(sc, peer)).count)
			pl_gloo_send_part(s, &sc->block, peer, part);
	for (size_t i = 0; i < n_chunks; i++)
		if ((part = taken(sc, i, &peer)).count) {
			pl_script_wait(s, sc->in[i]);
			pl_script_copy(s, part.count * sc->block.element_bytes);
			pl_gloo_notify(s, peer);
		}
}

static void run_rank(struct pl_script *s, struct scatter *sc)
{
	const struct pl_gloo_binary_block *b = &sc->block;
	struct pl_gloo_halving h = {.again = false};

	pl_script_rank(s, b->rank);
	expect_parts(s, sc);
	pl_gloo_halve(s, b, &h);
	if (b->larger)
		pl_gloo_send_pieces(s, b);
	give_and_take(s, sc);
	for (unsigned i = 0; i < b->n_steps; i++)
		pl_gloo_await(s, b->peer[i]);
	for (size_t peer = 0; peer < b->n_pos; peer++)
		if (given(sc, peer).count)
			pl_gloo_await(s, peer);
}

int pl_gloo_reduce_scatter(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct scatter sc = {
		.blocks = {.bytes = call->bytes / call->element_bytes,
			   .element_bytes = 1,
			   .n = call->n_pos},
	};

	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	if (call->n_pos == 1)
		return 0;
	sc.in = pl_array_create(call->n_pos, sizeof(*sc.in));
	if (!sc.in)
		return pl_err_nomem(err);
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_gloo_binary_block_init(&sc.block, rank, call);
		run_rank(s, &sc);
	}
	free(sc.in);
	return 0;
}
