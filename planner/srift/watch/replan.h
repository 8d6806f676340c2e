/* SPDX-License-Identifier: BSD-3-Clause */
/* replan.h - what is left of the limits of a job, and the search for
 * machines */
#ifndef PLINK_PLANNER_SRIFT_WATCH_REPLAN_H
#define PLINK_PLANNER_SRIFT_WATCH_REPLAN_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times on EC2 according to the Srift paper (5.4). */
#define PL_REPLAN_LAUNCH_S 150
#define PL_REPLAN_DETACH_S 5
#define PL_REPLAN_SOLVE_S 1

/* Where an expected time is from: the default, the user, earlier launches. */
enum pl_time_origin { PL_TIME_ASSUMED, PL_TIME_GIVEN, PL_TIME_MEASURED };
extern const char *const pl_time_origin_name[];

struct pl_replan_times {
	double launch_s; /* from requesting machines until they are ready */
	double detach_s; /* until the resources of a lost machine are free */
	double solve_s;  /* for finding other machines; runs meanwhile */
	enum pl_time_origin launch_from;
	size_t n_launches; /* launch_s is the mean of; 0: not measured */
};

/* The defaults. */
#define PL_REPLAN_TIMES                                                                            \
	((struct pl_replan_times){PL_REPLAN_LAUNCH_S, PL_REPLAN_DETACH_S, PL_REPLAN_SOLVE_S,       \
				  PL_TIME_ASSUMED, 0})

/* Seconds are those of the job, from its begin. */
struct pl_replan_clock {
	double limit_s; /* end of the job; INFINITY: no limit */
	double now_s;
	double interrupted_s; /* NaN: not interrupted */
	/* the resources of lost machines are free; if not, wait for detach_s */
	bool detached;
	struct pl_replan_times times;
};

/* The earliest time for a launch: now, but after an interruption not before solve_s has passed,
 * nor, unless detached, detach_s. */
double pl_replan_ready_s(const struct pl_replan_clock *clock);

/* Seconds left for the iterations still to do, with machines to be launched
 * first or without; negative if the limit has passed (srift 4.5: T -= t;
 * 5.4). */
double pl_replan_left_s(const struct pl_replan_clock *clock, bool launching);

/* A number of machines of one type and kind. */
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

/* Machines for a job, and the seconds of an iteration on them. Start with
 * {0}. */
struct pl_srift_fleet {
	struct pl_fleet_part *part;
	size_t n, room;
	double iteration_s;
	/* seconds of the iterations still to do with losses, in the mean and with the confidence of
	 * the search; 0: not known */
	double mean_s, likely_s;
};

/* Adds a part; its type is copied. The caller must not add the same type and kind twice. 0, or -1:
 * out of memory. */
int pl_fleet_add(struct pl_srift_fleet *fleet, const struct pl_fleet_part *part);
void pl_srift_fleet_fini(struct pl_srift_fleet *fleet);

size_t pl_fleet_machines(const struct pl_srift_fleet *fleet);
double pl_fleet_per_hour(const struct pl_srift_fleet *fleet);

/* A type and kind of which no more machines are available. */
struct pl_depleted {
	char *type;
	bool spot;
	bool lost;   /* a machine was taken away; else a launch came short */
	double at_s; /* at this time of the job */
};

/* The question to a search. All is borrowed. */
struct pl_replan {
	uint64_t iterations; /* still to do */
	double left_s;       /* seconds for them; INFINITY: no limit */
	double left_as_is_s; /* the same if no machine is launched */
	double launch_s;     /* the difference of both */
	double dollars;      /* that may still be spent; INFINITY: no limit */
	double solve_s;      /* seconds that the search may take */
	/* the machines that are up, at the prices at which they came */
	const struct pl_srift_fleet *up;
	const struct pl_depleted *excluded; /* [n_excluded] */
	size_t n_excluded;
};

/*
 * Reads an answer (plink-srift(1), --search): lines "iteration SECONDS" and "machines COUNT TYPE
 * spot|on-demand SAMPLES DOLLARS", or a line "none WHY". @fleet must be empty. 0; -1 with @fleet
 * empty and @err set: PL_EPARTIAL for "none", PL_EINPUT.
 */
int pl_fleet_parse(struct pl_srift_fleet *fleet, struct pl_text *text, struct pl_err *err);

#endif
