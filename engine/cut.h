/* SPDX-License-Identifier: BSD-3-Clause */
/* cut.h - how the buffer of an all-reduce is cut into chunks */
#ifndef PLINK_ENGINE_CUT_H
#define PLINK_ENGINE_CUT_H

#include "engine/program.h"

#include <stdbool.h>
#include <stddef.h>

/* A chunk, in elements of the buffer. */
struct pl_cut_chunk {
	size_t slice, at, n;
};

/*
 * Goes through the chunks in the order of their numbers, which is the same on all ranks: the first
 * of each slice, then the second of each, and so on. A plain value; begins at the first.
 */
struct pl_cut {
	const struct pl_program *program;
	size_t count;    /* elements of the buffer */
	size_t elements; /* of a chunk, at most; at least 1 */
	size_t slice, k; /* the next: the k-th of the slice */
};

/* 8, 16, 32 or 64 KiB: long chunks cost the processors less, but one should not hold up the slowest
 * link, of that rate, for long. 0: not known, 32 KiB. */
size_t pl_cut_chunk_bytes(double slowest_bytes_per_s);

/* @chunk_bytes are rounded down to whole elements, at least one. */
struct pl_cut pl_cut_begin(const struct pl_program *program, size_t count, size_t element_bytes,
			   size_t chunk_bytes);

/* All chunks. */
size_t pl_cut_count(const struct pl_cut *cut);

/* Sets *chunk to the next one; false: that was the last. */
bool pl_cut_next(struct pl_cut *cut, struct pl_cut_chunk *chunk);

#endif
