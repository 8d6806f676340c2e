/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a job on machines that may be taken away, and when it is expected to end: equations 4 and
 * 5 of the paper on CM-DARE (Li, Walls and Guo: Characterizing and modeling distributed training
 * with transient cloud GPU servers, 2020) */
#ifndef PLINK_PLANNER_TRANSIENT_JOB_H
#define PLINK_PLANNER_TRANSIENT_JOB_H

#include "planner/transient/prices.h"
#include "planner/transient/survival.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Machines that are alike. */
struct pl_spot_part {
	size_t count;
	double steps_per_s;              /* of each */
	double price_per_hour;           /* dollars, of each; NaN: not known */
	const struct pl_prices *prices;  /* borrowed, instead of it; or NULL */
	const struct pl_survival *curve; /* borrowed; NULL: never taken away */
	double launch_s;                 /* T_p: from the request for a machine until it is up
					  */
	/* borrowed: replays draw one of these [n_launches] instead; or NULL */
	const double *launches_s;
	size_t n_launches;
	double join_s; /* T_s: from then until it computes */
};

/* Steps, checkpoints and machines. A job has at least one machine that computes. */
struct pl_spot_job {
	struct pl_spot_part *part; /* [n_parts] */
	size_t n_parts;
	double steps;            /* N_w */
	double interval;         /* I_c, steps between checkpoints; 0: there are none */
	double save_s;           /* T_c; the job waits for it */
	double restart_s;        /* of a job that goes on with fewer machines after
				  * losing work */
	double most_steps_per_s; /* of all machines together, as a server of
				  * parameters allows; INFINITY: no limit */
	size_t replacements;     /* machines there are to replace others, in all */
	bool goes_on;            /* the others compute until the replacement has come */
	bool keeps;              /* work since the last checkpoint survives a loss */
};

/* sp: steps a second of all machines together, as long as there are all. */
double pl_spot_steps_per_s(const struct pl_spot_job *job);

/* ceil(N_w / I_c): a last checkpoint follows the last step. */
double pl_spot_checkpoints(const struct pl_spot_job *job);

/* Seconds without any loss: N_w / sp + ceil(N_w / I_c) T_c. */
double pl_spot_plain_s(const struct pl_spot_job *job);

/* What the equations expect; revocations by equation 5: the sum of F over the machines of the
 * beginning. They let the job wait for each replacement, keep all work, and count replacements as
 * machines that stay. */
struct pl_spot_expected {
	double seconds, revocations;
};

/* Equation 4 with F at the time without losses, as the paper has it. */
struct pl_spot_expected pl_spot_expect(const struct pl_spot_job *job);

/* Equation 4 with F at the time that it yields: its least solution. */
struct pl_spot_expected pl_spot_expect_fixed(const struct pl_spot_job *job);

/* Is the measured rate of a job below 0.9 of the sum of its workers? Then the server of parameters
 * is its bound (section VI-B). */
#define PL_SPOT_BOUND 0.9
bool pl_spot_is_bound(double measured_steps_per_s, double sum_steps_per_s);

#endif
