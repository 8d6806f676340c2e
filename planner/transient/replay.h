/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - a job on transient machines, played many times with losses drawn at random */
#ifndef PLINK_PLANNER_TRANSIENT_REPLAY_H
#define PLINK_PLANNER_TRANSIENT_REPLAY_H

#include "base/err.h"
#include "planner/transient/job.h"

#include <stddef.h>
#include <stdint.h>

/* A replay is given up after so many times the seconds without losses, or after PL_REPLAY_LOSSES
 * losses. */
#define PL_REPLAY_GIVE_UP 100
#define PL_REPLAY_LOSSES 100000

/* How a job may end. Start with {0}, end with fini. */
struct pl_replays {
	/* [n], each ascending; INFINITY for replays that were given up, and in dollars also if a
	 * price is not known */
	double *seconds, *dollars;
	double *seconds_of, *dollars_of; /* [n], the same by replay */
	size_t n;
	size_t n_ended;
	/* means of the replays that ended; NaN if none did, or for dollars if a price is not
	 * known */
	double mean_s, mean_dollars;
	double losses; /* machines lost, mean of all replays */
	double redone; /* steps computed again, mean of all replays */
};
void pl_replays_fini(struct pl_replays *r);

/*
 * Plays the job n > 0 times, replay k with sequence k of @seed. All machines are up at time 0 and
 * new. A machine is paid for from the end of its launch until it is lost or the job ends, and lives
 * from the end of its launch on. Launches take a time drawn from those recorded, where there are
 * any. Records of prices all begin at the same random share of their length.
 *
 * After a loss the work since the last checkpoint is done again, unless job->keeps. Either the job
 * waits until the replacement computes, or, if it goes_on or there is no replacement any more, the
 * others go on at once, after restart_s if they lost work. If the first replays all are given up,
 * all are: n_ended is 0.
 *
 * 0, or -1 with @err set: out of memory. @r must be empty.
 */
int pl_replay(struct pl_replays *r, const struct pl_spot_job *job, size_t n, uint64_t seed,
	      struct pl_err *err);

/* The share of replays that end within @seconds. */
double pl_replays_within(const struct pl_replays *r, double seconds);

#endif
