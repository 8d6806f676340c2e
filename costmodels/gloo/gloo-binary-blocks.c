/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-binary-blocks.c - recursive halving over ranks cut into powers of two */
#include "config.h"

#include "costmodels/gloo/gloo-binary-blocks.h"

#include <string.h>

static unsigned log2_floor(size_t x)
{
	unsigned n = 0;

	while (x >>= 1)
		n++;
	return n;
}

size_t pl_gloo_reverse_bits(size_t x, unsigned n_bits)
{
	size_t y = 0;

	for (unsigned i = 0; i < n_bits; i++)
		y = y << 1 | (x >> i & 1);
	return y;
}

/* Finds the block of ranks, and its neighbours. */
static void find_block(struct pl_gloo_binary_block *b)
{
	size_t offset = b->n_pos;

	for (size_t size = 1; offset != 0; size <<= 1) {
		if (!(b->n_pos & size))
			continue;
		offset -= size;
		if (b->size) {
			b->larger = size;
			break;
		}
		if (offset <= b->rank) {
			b->first = offset;
			b->size = size;
		} else {
			b->smaller = size;
		}
	}
}

static struct pl_gloo_part part(const struct pl_gloo_binary_block *b, uint64_t at, uint64_t count)
{
	if (at >= b->elements)
		count = 0;
	else if (b->elements - at < count)
		count = b->elements - at;
	return (struct pl_gloo_part){at, count};
}

void pl_gloo_binary_block_init(struct pl_gloo_binary_block *b, size_t rank,
			       const struct pl_call *call)
{
	uint64_t half, at = 0;

	memset(b, 0, sizeof(*b));
	b->rank = rank;
	b->n_pos = call->n_pos;
	b->element_bytes = call->element_bytes;
	b->elements = call->bytes / call->element_bytes;
	b->all_steps = log2_floor(call->n_pos);
	b->chunk = (b->elements + ((uint64_t)1 << b->all_steps) - 1) >> b->all_steps;
	find_block(b);
	b->n_steps = log2_floor(b->size);
	b->own = part(b, 0, b->elements);
	half = b->chunk << b->all_steps;
	for (unsigned i = 0; i < b->n_steps; i++) {
		const size_t bit = (size_t)1 << i;
		const bool upper = rank & bit;

		half >>= 1;
		b->peer[i] = rank ^ bit;
		b->kept[i] = part(b, at + (upper ? half : 0), half);
		b->sent[i] = part(b, at + (upper ? 0 : half), half);
		b->own = b->kept[i];
		at = b->own.at;
	}
}

size_t pl_gloo_smaller_peer(const struct pl_gloo_binary_block *b)
{
	return b->first + b->size + b->rank % b->size % b->smaller;
}

struct pl_gloo_part pl_gloo_piece(const struct pl_gloo_binary_block *b, size_t i)
{
	const uint64_t piece = b->chunk << (b->all_steps - log2_floor(b->larger));

	return part(b, b->own.at + piece * i, piece);
}

size_t pl_gloo_larger_peer(const struct pl_gloo_binary_block *b, size_t i)
{
	const size_t mine = pl_gloo_reverse_bits(b->rank % b->size, b->n_steps);

	return b->first - b->larger +
	       pl_gloo_reverse_bits(mine * (b->larger / b->size) + i, log2_floor(b->larger));
}

struct pl_request pl_gloo_expect_part(struct pl_script *s, const struct pl_gloo_binary_block *b,
				      size_t src, struct pl_gloo_part part, enum pl_taking taking)
{
	pl_script_data(s, part.at * b->element_bytes, taking);
	return pl_script_irecv(s, src, part.count * b->element_bytes);
}

struct pl_request pl_gloo_send_part(struct pl_script *s, const struct pl_gloo_binary_block *b,
				    size_t dst, struct pl_gloo_part part)
{
	pl_script_data(s, part.at * b->element_bytes, PL_STORES);
	return pl_script_isend(s, dst, part.count * b->element_bytes);
}

static void hear_smaller(struct pl_script *s, const struct pl_gloo_binary_block *b,
			 struct pl_request from_smaller)
{
	pl_script_wait(s, from_smaller);
	pl_script_reduce(s, b->own.count * b->element_bytes);
}

void pl_gloo_halve(struct pl_script *s, const struct pl_gloo_binary_block *b,
		   struct pl_gloo_halving *h)
{
	const uint64_t e = b->element_bytes;
	const bool hears = b->smaller && b->own.count;
	struct pl_request from_smaller = {0};

	for (unsigned i = 0; i < b->n_steps; i++)
		if (b->kept[i].count)
			h->in[i] = pl_gloo_expect_part(s, b, b->peer[i], b->kept[i], PL_ADDS);
	if (hears)
		from_smaller = pl_gloo_expect_part(s, b, pl_gloo_smaller_peer(b), b->own, PL_ADDS);
	for (unsigned i = 0; i < b->n_steps; i++) {
		pl_script_round(s, i);
		if (b->sent[i].count)
			pl_gloo_send_part(s, b, b->peer[i], b->sent[i]);
		if (b->kept[i].count) {
			pl_script_wait(s, h->in[i]);
			pl_script_reduce(s, b->kept[i].count * e);
		}
		if (h->again && b->sent[i].count)
			h->in[i] = pl_gloo_expect_part(s, b, b->peer[i], b->sent[i], PL_STORES);
		pl_gloo_notify(s, b->peer[i]);
	}
	if (hears)
		hear_smaller(s, b, from_smaller);
}

void pl_gloo_send_pieces(struct pl_script *s, const struct pl_gloo_binary_block *b)
{
	pl_script_round(s, log2_floor(b->larger));
	for (size_t i = 0; i < b->larger / b->size; i++)
		if (pl_gloo_piece(b, i).count)
			pl_gloo_send_part(s, b, pl_gloo_larger_peer(b, i), pl_gloo_piece(b, i));
}
