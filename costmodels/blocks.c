/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - a buffer cut into nearly equal blocks of whole elements */
#include "config.h"

#include "costmodels/blocks.h"

/* Elements of the blocks before @i. */
static uint64_t elements_before(const struct pl_blocks *b, size_t i)
{
	const uint64_t count = b->bytes / b->element_bytes;
	const uint64_t more = count % b->n;

	return count / b->n * i + (i < more ? i : more);
}

uint64_t pl_block_bytes(const struct pl_blocks *b, size_t i)
{
	return pl_block_range_bytes(b, i, 1);
}

uint64_t pl_block_at(const struct pl_blocks *b, size_t i)
{
	return pl_block_range_bytes(b, 0, i);
}

struct pl_range pl_block_range(const struct pl_blocks *b, size_t first, size_t count)
{
	return (struct pl_range){pl_block_at(b, first), pl_block_range_bytes(b, first, count)};
}

uint64_t pl_block_range_bytes(const struct pl_blocks *b, size_t first, size_t count)
{
	return (elements_before(b, first + count) - elements_before(b, first)) * b->element_bytes;
}

size_t pl_blocks_with_bit(size_t n, size_t bit)
{
	size_t blocks = 0;

	for (size_t i = bit; i < n; i += 2 * bit)
		blocks += bit < n - i ? bit : n - i;
	return blocks;
}
