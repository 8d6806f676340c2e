/* SPDX-License-Identifier: BSD-3-Clause */
/* chance.h - what the network does to packets at random */
#ifndef PLINK_TESTS_TESTBED_NETWORK_CHANCE
#define PLINK_TESTS_TESTBED_NETWORK_CHANCE

#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* Probabilities are per packet, 0 to 1, each independent of the others. */
struct tb_odds {
	double loss;
	double duplicate;  /* of those not lost: a copy arrives too */
	double reorder;    /* of those not lost: delayed, so that others overtake
			      it */
	int64_t behind_ns; /* the longest delay of either */
	int64_t jitter_ns; /* uniform in [0, jitter], added to each delay */
	uint64_t seed;
};

struct tb_chance {
	struct tb_odds odds;
	struct pl_rng rng;
};

void tb_chance_init(struct tb_chance *chance, const struct tb_odds *odds);

/* Draw these for one packet, in this order. A probability of 0 uses no random number. */
bool tb_chance_loses(struct tb_chance *chance);
int64_t tb_chance_jitter(struct tb_chance *chance);

/* The additional delay of the packet, or of its copy after the packet, in ns: uniform in [1,
 * behind]; 0: it is not held up, or has no copy. */
int64_t tb_chance_holds_up(struct tb_chance *chance);
int64_t tb_chance_copies(struct tb_chance *chance);

#endif
