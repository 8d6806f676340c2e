/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.h - how often a job should save its work */
#ifndef PLINK_PLANNER_TRANSIENT_INTERVAL_H
#define PLINK_PLANNER_TRANSIENT_INTERVAL_H

#include "base/err.h"
#include "planner/transient/replay.h"

#include <stddef.h>
#include <stdint.h>

/* Mean seconds between two losses of a job's machines, each replaced at once: the inverse of the
 * sum of 1 / (mean life). INFINITY: none is ever lost. */
double pl_spot_between_s(const struct pl_spot_job *job);

/* Seconds of computing between checkpoints of @save_s seconds, where losses come every @between_s
 * seconds in the mean, at a constant rate. Young (A first order approximation to the optimum
 * checkpoint interval, 1974): sqrt(2 save between). Daly (A higher order estimate of the optimum
 * checkpoint interval for restart dumps, 2006), equation 37. */
double pl_interval_young_s(double save_s, double between_s);
double pl_interval_daly_s(double save_s, double between_s);

/* An interval and how a job ends with it; mean_s is NaN if it does not end. */
struct pl_interval {
	double steps;
	double mean_s;
	size_t n_ended; /* of the replays */
};

/* Intervals of a job: by formula, and the best of a search. */
struct pl_intervals {
	double between_s;
	struct pl_interval young, daly, best;
};

/*
 * Looks for the interval with which most replays end and their mean time is least, among whole
 * numbers of steps from Young's over 16 to 16 times Young's: first by factors of sqrt(2), then by
 * factors of 2^(1/8) around the best. All are played with the same losses: @n replays of @seed.
 * Without losses or with checkpoints that take no time nothing is to be weighed: then the best are
 * a single checkpoint at the end, or one in each step. 0, or -1 with @err set: out of memory.
 */
int pl_interval_search(struct pl_intervals *found, const struct pl_spot_job *job, size_t n,
		       uint64_t seed, struct pl_err *err);

#endif
