/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h - few pairs of hosts that show a network whose places are told */
#ifndef PLINK_TOPOLOGY_SAMPLE_H
#define PLINK_TOPOLOGY_SAMPLE_H

#include "base/err.h"
#include "topology/places.h"

#include <stddef.h>
#include <stdint.h>

/* Two hosts, a < b. */
struct pl_sample_pair {
	size_t a, b;
};

#define PL_SAMPLE_ALL ((size_t)-1)

struct pl_sample_options {
	size_t within; /* others in its own place for each host; 0: 2 log2 of
			* how many there are; PL_SAMPLE_ALL: all */
	size_t across; /* pairs between two places that are compared, >= 1 */
	uint64_t seed;
};

/*
 * Which pairs of n hosts to measure, at[n] being where each is in @p (negative:
 * it is not there; it is then a place of its own). In each narrowest place some
 * or all pairs; of the places within a wider one each is compared with those 1,
 * 2, 4, ... further on in a circle, by pairs of hosts from all over the two. So
 * all places within one are compared where they are 5 at most, all hosts are
 * connected by way of others, and of within = 0 there are at most
 * (1 + 2 across) n ceil(log2 n) pairs.
 *
 * Fills *pair, no two alike, which the caller frees; O(n log n). Same
 * arguments, same pairs. 0, or -1 with @err set: memory.
 */
int pl_places_sample(const struct pl_places *p, const ptrdiff_t *at, size_t n,
		     const struct pl_sample_options *options,
		     struct pl_sample_pair **pair, size_t *n_pairs,
		     struct pl_err *err);

#endif
