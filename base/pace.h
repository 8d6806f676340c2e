/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.h - is a job slower than expected, or faster, for longer than by
 * chance? */
/*
 * The one rule of all that compare a measured rate with an expected one. Its users differ in what
 * they measure and in their numbers:
 *
 *   engine/tune         bytes a second of all-reduces. Expected is what was
 *                       usual; 20 % off, up or down, in two intervals one after
 *                       the other begins a search.
 *   planner/srift/watch iterations a second of at least 30 s, from 30 s after a
 *                       start on. Expected is the prediction; 6.7 % below it is
 *                       slow: the bottleneck rule of CM-DARE, section VI-B.
 *   planner/transient   steps a second of all workers, told once by the user.
 *                       Expected is the sum of their speeds; 10 % below it.
 *
 * One other looks alike and has no use for it: the tuner judges its own last step by two measured
 * rates, once, and undoes it for a loss of 0.5 to 2 %.
 */
#ifndef PLINK_BASE_PACE_H
#define PLINK_BASE_PACE_H

/* Shares are of the expected rate. */
struct pl_pace_rule {
	double slower, faster; /* INFINITY: it is never too slow, or too fast */
	unsigned lasts;        /* observations off, one after the other */
	/* the share of the way that the expected rate goes towards each observation that is not
	 * off; 0: it stays */
	double follows;
};

/* Start with {.expected = rate}. */
struct pl_pace {
	double expected; /* more than 0; any unit */
	unsigned n_off;  /* observations, until now */
};

enum pl_pace_is { PL_PACE_USUAL, PL_PACE_SLOWER, PL_PACE_FASTER };

/* Takes the next observation, in the unit of the expected rate. Says SLOWER or FASTER from the last
 * of rule->lasts on, until one is not off. */
enum pl_pace_is pl_pace_see(struct pl_pace *p, const struct pl_pace_rule *rule, double rate);

#endif
