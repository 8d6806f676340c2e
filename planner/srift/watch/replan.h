/* SPDX-License-Identifier: BSD-3-Clause */
/* replan.h - what is left of a job's limits, and who finds machines for it */
#ifndef PLINK_PLANNER_SRIFT_WATCH_REPLAN_H
#define PLINK_PLANNER_SRIFT_WATCH_REPLAN_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What Srift's paper expects of EC2 (5.4). */
#define PL_REPLAN_LAUNCH_S 150
#define PL_REPLAN_DETACH_S 5
#define PL_REPLAN_SOLVE_S 1

struct pl_replan_times {
	double launch_s; /* from asking for machines until they are there */
	double detach_s; /* until what a lost machine held can be had again */
	double solve_s;  /* for finding other machines, meanwhile */
};

/* Seconds of the job, from its begin. */
struct pl_replan_clock {
	double limit_s; /* when it is to be finished; INFINITY: whenever */
	double now_s;
	double interrupted_s; /* NaN: it was not */
	/* what the lost machines held can be had: else detach_s is waited
	 * for */
	bool detached;
	struct pl_replan_times times;
};

/* When launching can begin: now, but not before the search may take from the
 * interruption on, nor before all is detached. */
double pl_replan_ready_s(const struct pl_replan_clock *clock);

/* What the iterations still to do may take, with machines to be launched first
 * or without; less than 0 where the limit has passed (srift 4.5: T -= t;
 * 5.4). */
double pl_replan_left_s(const struct pl_replan_clock *clock, bool launching);

/* So many machines of a type and kind. */
struct pl_fleet_part {
	char *type;
	bool spot;
	size_t count;
	uint64_t batch; /* samples of each in an iteration */
	double price_per_hour;
};

#define PL_FLEET_PARTS_MAX 256
#define PL_FLEET_COUNT_MAX 100000
#define PL_TYPE_NAME_MAX 255

/* Machines for a job, and seconds of an iteration on them. Start with {0}. */
struct pl_srift_fleet {
	struct pl_fleet_part *part;
	size_t n, room;
	double iteration_s;
};

/* Adds a part, its type copied; the same type and kind again is the caller's
 * fault. 0, or -1: no memory. */
int pl_fleet_add(struct pl_srift_fleet *fleet,
		 const struct pl_fleet_part *part);
void pl_srift_fleet_fini(struct pl_srift_fleet *fleet);

size_t pl_fleet_machines(const struct pl_srift_fleet *fleet);
double pl_fleet_per_hour(const struct pl_srift_fleet *fleet);

/* What a search is asked. All is borrowed. */
struct pl_replan {
	uint64_t iterations; /* still to do */
	double left_s;       /* that they may take; INFINITY: no limit */
	double left_as_is_s; /* the same where no machine is launched */
	double launch_s;     /* the difference of both */
	double dollars;      /* that may still be spent; INFINITY */
	double solve_s;      /* that the search may take */
	/* the machines that are there: their prices are as when they came */
	const struct pl_srift_fleet *up;
	char *const *excluded; /* types: no further one can be had */
	size_t n_excluded;
};

/*
 * Reads an answer (plink-srift(1), --search): lines "iteration SECONDS" and
 * "machines COUNT TYPE spot|on-demand SAMPLES DOLLARS", or a line "none WHY".
 * @fleet must be empty. 0; -1 with @fleet empty and @err set: PL_EPARTIAL for
 * "none", PL_EINPUT.
 */
int pl_fleet_parse(struct pl_srift_fleet *fleet, struct pl_text *text,
		   struct pl_err *err);

#endif
