/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - a buffer cut into nearly equal blocks of whole elements */
#ifndef PLINK_COSTMODELS_BLOCKS_H
#define PLINK_COSTMODELS_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* bytes / element_bytes elements in n blocks. If they do not divide evenly, the
 * first blocks have one element more. */
struct pl_blocks {
	uint64_t bytes, element_bytes;
	size_t n;
};

/* Bytes of block @i; i < n. And those before it, which is where it begins. */
uint64_t pl_block_bytes(const struct pl_blocks *b, size_t i);
uint64_t pl_block_at(const struct pl_blocks *b, size_t i);

/* Bytes of the blocks @first to @first + @count - 1; @first + @count is at most
 * n. */
uint64_t pl_block_range_bytes(const struct pl_blocks *b, size_t first, size_t count);

/* How many of @n numbered blocks have this bit, a power of two, in their
 * number: those that Bruck's all-to-all sends over that distance. */
size_t pl_blocks_with_bit(size_t n, size_t bit);

/* A part of a buffer; where it begins, and its size. */
struct pl_range {
	uint64_t at, bytes;
};

/* The part of the buffer that those blocks are. */
struct pl_range pl_block_range(const struct pl_blocks *b, size_t first, size_t count);

#endif
