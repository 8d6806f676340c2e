/* SPDX-License-Identifier: BSD-3-Clause */
/* tuner.h - when schedules are to change while the job runs, and to what */
/*
 * Rank 0's. After each interval it is told what was sent and how fast the job was. It watches for a
 * change of speed that lasts; then it takes the rates of ranks and uplinks from the traffic and
 * gives the masters to those that are fast: the Quicktune of the PLink thesis, section 4.2.3. After
 * a change it looks at the rates again, which the change has altered, until nothing more is gained;
 * a change that made the job slower is taken back.
 *
 * The Finetune of that section is another one here: the rank that sends the least gets more
 * masters, as long as it is not slow and nothing is lost. The thesis moves masters away from the
 * rank with the most blame, a sum of time and imbalance. That takes them from ranks that are fast
 * where balance counts, does not see an uplink that several ranks share, and never goes back. From
 * the same Quicktune, simulated for 25 steps (tests/engine/unit-finetune): in 60 networks of 4
 * groups of 4, cards of 1 to 4 and uplinks of 2 to 8, this tuner ends at 0.603 of the time of equal
 * masters, blame at 0.812, 0.630 and 0.604 (beta 1, 0.1 and 0, gamma 1, epsilon 1.05); with one
 * uplink of four at half, 0.667 against 0.934, 0.934 and 0.760.
 */
#ifndef PLINK_ENGINE_TUNE_TUNER_H
#define PLINK_ENGINE_TUNE_TUNER_H

#include "base/err.h"
#include "engine/schedule.h"
#include "engine/tune/traffic.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_tuner;

/* An interval. */
struct pl_tuner_sight {
	struct pl_traffic traffic;
	size_t schedule;                /* the one with the most bytes */
	double bytes_per_s;             /* of its all-reduces */
	const struct pl_schedules *now; /* in force; with slices */
};

/* For @schedules, which must last and of which one has a tree. NULL: out of memory. */
struct pl_tuner *pl_tuner_create(const struct pl_schedules *schedules);
void pl_tuner_destroy(struct pl_tuner *t);

/* Is there to be a change? Then pl_tuner_plan has it, and the next interval is to begin when it is
 * made. */
bool pl_tuner_step(struct pl_tuner *t, const struct pl_tuner_sight *sight);

/* The numbers for pl_retune(); NULL: the schedules as they were at first. */
const double *pl_tuner_plan(const struct pl_tuner *t);

/* Why the last step was made, for people. */
const char *pl_tuner_why(const struct pl_tuner *t);

#endif
