/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a job as the command line describes it, with the lives of its machines */
#ifndef PLINK_SRC_SPOT_JOB_H
#define PLINK_SRC_SPOT_JOB_H

#include "planner/catalogue/catalogue.h"
#include "planner/srift/profile/number.h"
#include "planner/transient/job.h"
#include "src/common/options.h"
#include "src/spot/sources.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spot_on_loss { SPOT_WAIT, SPOT_GO_ON };

/* Each machine makes steps of its own, or each step needs all machines. */
enum spot_mode { SPOT_ASYNCHRONOUS, SPOT_SYNCHRONOUS };

/* Strings are borrowed from argv. Times are NaN where they are not given. */
struct spot_job_options {
	struct spot_sources from;
	double life_s; /* mean, at a constant rate; 0: from files */
	const char *region, *machines, *on_demand, *prices, *catalogue;
	uint64_t steps, interval; /* 0: not given */
	double save_s, launch_s, join_s, restart_s;
	double measured; /* steps a second; 0: not given */
	uint64_t replacements;
	enum spot_on_loss on_loss;
	enum spot_mode mode;
	bool keeps;
	uint64_t n_replays, seed;
	const char *profile; /* steps and checkpoints; NULL: none */
	bool saves;          /* save_s is wanted */
	const char *output;  /* NULL: standard output */
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* Rows for a table of options of a struct that begins with it. */
#define SPOT_AT(member) PL_OPTION_AT(struct spot_job_options, member)
#define SPOT_TIME_MAX 1e9
#define SPOT_STEPS_MAX 1000000000000000
#define SPOT_REPLAYS_MAX 10000000

extern const char *const spot_on_loss_name[];
extern const char *const spot_mode_name[];

/* clang-format off */
#define SPOT_JOB_ROWS \
	{"lifetimes", required_argument, 0, spot_take_file, SPOT_AT(from)}, \
	{"history", required_argument, 0, spot_take_history, SPOT_AT(from)}, \
	{"life", required_argument, 0, pl_take_seconds, SPOT_AT(life_s), \
	 .least = 1e-3, .most = SPOT_TIME_MAX}, \
	{"region", required_argument, 0, pl_take_filled, SPOT_AT(region)}, \
	{"machines", required_argument, 0, pl_take_filled, \
	 SPOT_AT(machines)}, \
	{"on-demand", required_argument, 0, pl_take_filled, \
	 SPOT_AT(on_demand)}, \
	{"price", required_argument, 0, pl_take_filled, SPOT_AT(prices)}, \
	{"catalogue", required_argument, 0, pl_take_filled, \
	 SPOT_AT(catalogue)}, \
	{"profile", required_argument, 0, pl_take_filled, SPOT_AT(profile)}, \
	{"steps", required_argument, 0, pl_take_whole, SPOT_AT(steps), \
	 1, SPOT_STEPS_MAX}, \
	{"save", required_argument, 0, pl_take_seconds, SPOT_AT(save_s), \
	 .least = 0, .most = SPOT_TIME_MAX}, \
	{"launch", required_argument, 0, pl_take_seconds, SPOT_AT(launch_s), \
	 .least = 0, .most = SPOT_TIME_MAX}, \
	{"join", required_argument, 0, pl_take_seconds, SPOT_AT(join_s), \
	 .least = 0, .most = SPOT_TIME_MAX}, \
	{"restart", required_argument, 0, pl_take_seconds, \
	 SPOT_AT(restart_s), .least = 0, .most = SPOT_TIME_MAX}, \
	{"measured", required_argument, 0, pl_take_number, \
	 SPOT_AT(measured), .least = 1e-9, .most = 1e9}, \
	{"replacements", required_argument, 0, pl_take_whole, \
	 SPOT_AT(replacements), 0, 1000000000}, \
	{"on-loss", required_argument, 0, pl_take_word, SPOT_AT(on_loss), \
	 .words = spot_on_loss_name}, \
	{"mode", required_argument, 0, pl_take_word, SPOT_AT(mode), \
	 .words = spot_mode_name}, \
	{"keep-work", no_argument, 0, pl_take_flag, SPOT_AT(keeps)}, \
	{"replays", required_argument, 0, pl_take_whole, SPOT_AT(n_replays), \
	 1, SPOT_REPLAYS_MAX}, \
	{"seed", required_argument, 0, pl_take_whole, SPOT_AT(seed), \
	 0, UINT64_MAX}, \
	{"json", no_argument, 0, pl_take_flag, SPOT_AT(json)}, \
	{"output", required_argument, 'o', pl_take_filled, SPOT_AT(output)}
/* clang-format on */

void spot_job_options_init(struct spot_job_options *o);

/* Checks that the options fit together, after which there are @n_arguments. Returns the exit
 * status. */
int spot_job_options_check(const struct spot_job_options *o, int n_arguments);

/* The job and what it borrows. Start with {0}, end with fini. */
struct spot_job {
	struct pl_spot_job job;
	struct pl_spot_part *part;
	char **type;               /* [job.n_parts] */
	struct pl_survival *curve; /* [job.n_parts] */
	struct pl_lifetimes lifetimes;
	struct pl_catalogue catalogue;     /* empty without a file */
	struct pl_profile_numbers numbers; /* of the profile */
	bool has_profile;
	double sum_steps_per_s; /* without the limit of --measured */
};

/* Reads files and words of the options. 0, or -1 with @err set; @job may then have a part. Says
 * what is doubtful. */
int spot_job_make(struct spot_job *job, const struct spot_job_options *o, struct pl_err *err);
void spot_job_fini(struct spot_job *job);

#endif
