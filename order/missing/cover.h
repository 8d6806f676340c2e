/* SPDX-License-Identifier: BSD-3-Clause */
/* cover.h - the fewest hosts that are at one end of every missing pair */
#ifndef PLINK_ORDER_MISSING_COVER_H
#define PLINK_ORDER_MISSING_COVER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hosts 0 to n - 1 and which pairs of them are missing; a host's are
 * peer[first[h]] to peer[first[h + 1] - 1], each pair at both of its ends. */
struct pl_gaps {
	size_t n;
	size_t *first;  /* [n + 1] */
	uint32_t *peer; /* [first[n]] */
};

struct pl_cover {
	size_t n_taken;
	size_t n_least; /* no cover has fewer; n_taken where that is proven */
};

/*
 * A minimum vertex cover: taken[h] becomes true for as few hosts as can be, so
 * that no pair is missing between two others. Of hosts as good as one another
 * the later goes. Branch and bound on each connected part (take a host of most
 * missing pairs, or all that it misses), bounded by a cover of cliques, of each
 * of which all but one must go; it ends after @steps_max looks at a pair, in
 * all, with what it has. Same input, same answer. 0, or -1: out of memory.
 */
int pl_cover_find(const struct pl_gaps *gaps, uint64_t steps_max, bool *taken,
		  struct pl_cover *cover);

#endif
