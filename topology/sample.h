/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h - the few pairs to measure where the hosts' places are known */
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
	size_t within; /* how many others of its own place each host meets; 0: 2
			* log2 of the place's size; PL_SAMPLE_ALL: all */
	size_t across; /* pairs between two places that are compared, >= 1 */
	uint64_t seed;
};

/*
 * Chooses the pairs of n hosts to measure. at[n] is the index of each host in @p; a negative one,
 * for a host that is not there, makes the host a place of its own. Within each narrowest place some
 * or all pairs are chosen. The places within a wider one are arranged in a circle, and each is
 * compared with those 1, 2, 4, ... steps further on, by pairs of hosts spread over both places. So
 * all places within a wider one are compared where there are at most 5, all hosts are connected
 * through others, and with within = 0 there are at most (1
 * + 2 across) n ceil(log2 n) pairs.
 *
 * Fills *pair with distinct pairs; the caller frees it. O(n log n). The same arguments give the
 * same pairs. 0, or -1 with @err set: no memory.
 */
int pl_places_sample(const struct pl_places *p, const ptrdiff_t *at, size_t n,
		     const struct pl_sample_options *options, struct pl_sample_pair **pair,
		     size_t *n_pairs, struct pl_err *err);

#endif
