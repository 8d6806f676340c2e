/* SPDX-License-Identifier: BSD-3-Clause */
/* cut.c - how the buffer of an all-reduce is cut into chunks */
#include "config.h"

#include "engine/cut.h"

#define CHUNK_MIN 8192
#define CHUNK_MAX 65536
#define CHUNK_SECONDS 1.5e-3

size_t pl_cut_chunk_bytes(double slowest_bytes_per_s)
{
	size_t bytes = CHUNK_MAX;

	if (!(slowest_bytes_per_s > 0))
		return CHUNK_MAX / 2;
	while (bytes > CHUNK_MIN && (double)bytes > CHUNK_SECONDS * slowest_bytes_per_s)
		bytes /= 2;
	return bytes;
}

struct pl_cut pl_cut_begin(const struct pl_program *program, size_t count, size_t element_bytes,
			   size_t chunk_bytes)
{
	const size_t n = chunk_bytes / element_bytes;

	return (struct pl_cut){.program = program, .count = count, .elements = n ? n : 1};
}

/* The first element of slice @i. */
static size_t slice_at(const struct pl_cut *cut, size_t i)
{
	const struct pl_program *p = cut->program;

	return (size_t)((unsigned __int128)cut->count * p->before[i] / p->before[p->n_slices]);
}

static size_t chunks_of(const struct pl_cut *cut, size_t slice)
{
	const size_t n = slice_at(cut, slice + 1) - slice_at(cut, slice);

	return n / cut->elements + (n % cut->elements != 0);
}

size_t pl_cut_count(const struct pl_cut *cut)
{
	size_t n = 0;

	for (size_t i = 0; i < cut->program->n_slices; i++)
		n += chunks_of(cut, i);
	return n;
}

/* The next slice that has a k-th chunk; false: none has. */
static bool find_slice(struct pl_cut *cut)
{
	while (cut->slice < cut->program->n_slices && chunks_of(cut, cut->slice) <= cut->k)
		cut->slice++;
	return cut->slice < cut->program->n_slices;
}

bool pl_cut_next(struct pl_cut *cut, struct pl_cut_chunk *chunk)
{
	size_t end;

	if (!find_slice(cut)) {
		cut->slice = 0;
		cut->k++;
		if (!find_slice(cut))
			return false;
	}
	end = slice_at(cut, cut->slice + 1);
	chunk->slice = cut->slice;
	chunk->at = slice_at(cut, cut->slice) + cut->k * cut->elements;
	chunk->n = end - chunk->at < cut->elements ? end - chunk->at : cut->elements;
	cut->slice++;
	return true;
}
