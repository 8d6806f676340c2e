/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.h - divides any set of pairs into few rounds of disjoint pairs */
#ifndef PLINK_PROBES_RUN_ROUNDS_H
#define PLINK_PROBES_RUN_ROUNDS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Which host of a pair measures; the other one answers in any case. */
enum { PL_MEET_FORTH = 1, PL_MEET_BACK = 2, PL_MEET_BOTH = 3 };

/* Two hosts that are to measure one another. */
struct pl_meet {
	uint32_t a, b; /* host indices, a < b */
	uint32_t round;
	uint8_t ways; /* FORTH: a measures, BACK: b does */
};

/*
 * Gives each of v[n] its round so that no host meets two others in one round,
 * and sorts v by round; *n_rounds is the number of rounds. For all pairs of
 * some hosts it uses the circle method (schedule.h), which is optimal. For any
 * other set it takes at most one round more than the busiest host has pairs,
 * which is at most one more than the optimum. J. Misra, D. Gries, A
 * constructive proof of Vizing's theorem, Inf. Process. Lett. 41 (1992).
 * Host numbers are below @n_hosts; no pair may occur twice. 0, or -1 with @err
 * set.
 */
int pl_rounds_assign(struct pl_meet *v, size_t n, size_t n_hosts, size_t *n_rounds,
		     struct pl_err *err);

#endif
