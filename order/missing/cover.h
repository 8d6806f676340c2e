/* SPDX-License-Identifier: BSD-3-Clause */
/* cover.h - the fewest hosts that cover all missing pairs */
#ifndef PLINK_ORDER_MISSING_COVER_H
#define PLINK_ORDER_MISSING_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hosts 0 to n - 1 and the missing pairs between them: host h has missing pairs with peer[first[h]]
 * to peer[first[h + 1] - 1]. Each pair is listed at both of its hosts. */
struct pl_gaps {
	size_t n;
	size_t *first;  /* [n + 1] */
	uint32_t *peer; /* [first[n]] */
};

struct pl_cover {
	size_t n_taken;
	size_t n_least; /* no cover has fewer; n_taken if that is proved */
};

/*
 * Finds a minimum vertex cover: taken[h] becomes true for as few hosts as possible, so that no pair
 * is missing between two others. Of equally good hosts it takes the later one. Branch and bound on
 * each connected part: take a host with the most missing pairs, or all hosts that it misses. The
 * bound is a partition into cliques, from each of which all hosts but one must be taken. The search
 * ends after it has looked at pairs @steps_max times in all, with the best cover so far. The same
 * input gives the same result. 0, or -1: out of memory.
 */
int pl_cover_find(const struct pl_gaps *gaps, uint64_t steps_max, bool *taken,
		  struct pl_cover *cover);

#endif
