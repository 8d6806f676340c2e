/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - a clock that is read twice in every call that is timed */
/*
 * A tick is one step of the processor's counter, if that runs at one rate on all cores (x86: the
 * invariant TSC); otherwise it is a nanosecond of CLOCK_MONOTONIC, which takes two to three times
 * as long to read. How long a tick takes is computed at the end, from the time that has passed on
 * both clocks.
 */
#ifndef PLINK_SHIM_STATS_CLOCK_H
#define PLINK_SHIM_STATS_CLOCK_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define PL_STATS_COUNTER() __rdtsc()
#else
#define PL_STATS_COUNTER() UINT64_C(0) /* never read */
#endif

/* Set by pl_stats_clock_start(). */
extern bool pl_stats_has_counter;

/* Both clocks at once. */
struct pl_stats_moment {
	uint64_t ticks;
	int64_t ns;
};

/* Chooses the clock: the counter where there is one that can be trusted, unless @allowed is false.
 * Call it once, before any other. */
struct pl_stats_moment pl_stats_clock_start(bool allowed);

/* Seconds per tick, from the time that has passed on both clocks since
 * @start. */
double pl_stats_clock_tick_s(const struct pl_stats_moment *start);

static inline uint64_t pl_stats_clock(void)
{
	if (__builtin_expect(pl_stats_has_counter, 1))
		return PL_STATS_COUNTER();
	return (uint64_t)pl_clock_ns();
}

#endif
