/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-masters.c - groups, and who is master of which chunk (two-level) */
#include "config.h"

#include "costmodels/thesis/thesis-masters.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

#define CHUNK_BYTES ((uint64_t)64 << 10)

size_t pl_masters_group_first(const struct pl_masters *p, size_t g)
{
	const size_t more = p->n % p->n_groups;

	return p->n / p->n_groups * g + (g < more ? g : more);
}

size_t pl_masters_group_of(const struct pl_masters *p, size_t rank)
{
	size_t g = rank / (p->n / p->n_groups + 1);

	while (pl_masters_group_first(p, g + 1) <= rank)
		g++;
	return g;
}

size_t pl_masters_lm(const struct pl_masters *p, size_t chunk, size_t group)
{
	return p->lm[chunk * p->n_groups + group];
}

size_t pl_masters_gm(const struct pl_masters *p, size_t chunk)
{
	return pl_masters_lm(p, chunk, p->gm[chunk]);
}

uint64_t pl_masters_chunk_bytes(const struct pl_masters *p, size_t chunk)
{
	return chunk + 1 < p->n_chunks ? p->chunk_bytes : p->bytes - p->chunk_bytes * chunk;
}

/* Whole number next to the square root. */
static size_t root_of(size_t n)
{
	size_t k = 1;

	while (k * k + k < n)
		k++;
	return k;
}

/* The group with the fewest GMs for its size. */
static size_t next_group(const struct pl_masters *p, const size_t *had)
{
	size_t best = 0, best_size = pl_masters_group_first(p, 1);

	for (size_t g = 1; g < p->n_groups; g++) {
		const size_t size = pl_masters_group_first(p, g + 1) - pl_masters_group_first(p, g);

		if (had[g] * best_size < had[best] * size) {
			best = g;
			best_size = size;
		}
	}
	return best;
}

/* The member that has been LM least often; of these, to be the GM, the one that
 * has been it least often, and otherwise the one that has been it most. */
static size_t next_member(const struct pl_masters *p, size_t group, bool as_gm, const size_t *gms,
			  const size_t *lms)
{
	size_t best = pl_masters_group_first(p, group);

	for (size_t r = best + 1; r < pl_masters_group_first(p, group + 1); r++)
		if (lms[r] < lms[best] ||
		    (lms[r] == lms[best] && (as_gm ? gms[r] < gms[best] : gms[r] > gms[best])))
			best = r;
	return best;
}

/* Zeroed counts: of GMs by group, of GMs and LMs by position. */
static void assign(struct pl_masters *p, size_t *group_gms, size_t *gms, size_t *lms)
{
	for (size_t c = 0; c < p->n_chunks; c++) {
		const size_t top = next_group(p, group_gms);

		p->gm[c] = (uint32_t)top;
		group_gms[top]++;
		for (size_t g = 0; g < p->n_groups; g++) {
			const size_t lm = next_member(p, g, g == top, gms, lms);

			p->lm[c * p->n_groups + g] = (uint32_t)lm;
			lms[lm]++;
			gms[lm] += g == top;
		}
	}
}

void pl_masters_fini(struct pl_masters *p)
{
	free(p->lm);
	free(p->gm);
}

static uint64_t chunk_bytes(const struct pl_call *call)
{
	const uint64_t bytes = call->segment_bytes ? call->segment_bytes : CHUNK_BYTES;
	const uint64_t elements = bytes / call->element_bytes;

	return (elements ? elements : 1) * call->element_bytes;
}

/* At least one. */
uint64_t pl_masters_count_chunks(const struct pl_call *call)
{
	const uint64_t chunk = chunk_bytes(call);

	return call->bytes > chunk ? (call->bytes - 1) / chunk + 1 : 1;
}

int pl_masters_init(struct pl_masters *p, const struct pl_call *call, size_t n_chunks,
		    struct pl_err *err)
{
	const size_t n = call->n_pos;
	size_t *had;

	*p = (struct pl_masters){.n = n,
				 .n_groups = call->radix ? call->radix : root_of(n),
				 .bytes = call->bytes,
				 .chunk_bytes = chunk_bytes(call),
				 .n_chunks = n_chunks};
	if (p->n_groups > n)
		return pl_err_set(err, PL_EUSAGE, "%zu groups are more than the %zu ranks",
				  p->n_groups, n);
	p->lm = pl_array_create(p->n_chunks, p->n_groups * sizeof(*p->lm));
	p->gm = pl_array_create(p->n_chunks, sizeof(*p->gm));
	had = pl_array_create(p->n_groups + 2 * n, sizeof(*had));
	if (p->lm && p->gm && had) {
		assign(p, had, had + p->n_groups, had + p->n_groups + n);
		free(had);
		return 0;
	}
	free(had);
	pl_masters_fini(p);
	return pl_err_nomem(err);
}
