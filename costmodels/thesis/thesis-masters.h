/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-masters.h - groups, and the masters of each chunk (two-level) */
#ifndef PLINK_COSTMODELS_THESIS_MASTERS_H
#define PLINK_COSTMODELS_THESIS_MASTERS_H

#include "costmodels/algorithm.h"

#include <stddef.h>
#include <stdint.h>

/* The fields may be read. LM: local master, one for each chunk and group; GM:
 * global master, the LM of a chunk in one of the groups. */
struct pl_masters {
	size_t n, n_groups;
	/* of the buffer; of every chunk but the last */
	uint64_t bytes, chunk_bytes;
	size_t n_chunks;
	uint32_t *lm; /* [n_chunks * n_groups], positions */
	uint32_t *gm; /* [n_chunks], the group whose LM is the GM */
};

/* The number of chunks of a call, at least one. */
uint64_t pl_masters_count_chunks(const struct pl_call *call);

/* Chooses the masters of @n_chunks chunks; end with fini. 0, or -1 with @err
 * set and nothing to release: PL_EUSAGE for more groups than ranks, PL_ESYSTEM
 * for memory. */
int pl_masters_init(struct pl_masters *p, const struct pl_call *call, size_t n_chunks,
		    struct pl_err *err);
void pl_masters_fini(struct pl_masters *p);

/* Group g has the positions first(g) .. first(g + 1) - 1. */
size_t pl_masters_group_first(const struct pl_masters *p, size_t g);
size_t pl_masters_group_of(const struct pl_masters *p, size_t pos);

/* The local master of a chunk in a group, and its global master: positions. */
size_t pl_masters_lm(const struct pl_masters *p, size_t chunk, size_t group);
size_t pl_masters_gm(const struct pl_masters *p, size_t chunk);

uint64_t pl_masters_chunk_bytes(const struct pl_masters *p, size_t chunk);

#endif
