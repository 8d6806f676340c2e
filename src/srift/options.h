/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-srift predict */
#ifndef PLINK_SRC_SRIFT_OPTIONS_H
#define PLINK_SRC_SRIFT_OPTIONS_H

#include "planner/srift/iteration/iteration.h"
#include "src/common/options.h"
#include "src/common/tool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SRIFT_TOOL "plink-srift"
#define srift_say(...) pl_tool_say(SRIFT_TOOL, __VA_ARGS__)
#define srift_warn(...) pl_tool_warn(SRIFT_TOOL, __VA_ARGS__)
#define srift_usage(...) pl_tool_usage(SRIFT_TOOL, __VA_ARGS__)
#define SRIFT_TABLES_MAX 64
#define SRIFT_PROFILES_MAX 64
#define SRIFT_PLANS_MAX 32
#define SRIFT_HUBS_MAX 4096

/* "2,4,8": up to SRIFT_LIST_MAX whole numbers in [min, max] that ascend. */
#define SRIFT_LIST_MAX 32
struct srift_list {
	size_t v[SRIFT_LIST_MAX], n;
};
int srift_take_list(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Hosts beside the ranks that only add up. Strings are borrowed from argv. */
struct srift_hub_options {
	struct srift_list number; /* of them; none: not asked for, or any */
	bool any;
	const char *machine;     /* their type; NULL: not given */
	double nic_bps;          /* of each; 0: as that of the machines */
	const char *aggregators; /* hosts of the matrix; NULL: not given */
};

/* Strings are borrowed from argv. */
struct srift_options {
	const char *profile[SRIFT_PROFILES_MAX]; /* of one model */
	size_t n_profiles;
	const char *machines;
	const char *job; /* plink-job(5); NULL: gradients are exchanged */
	uint64_t batch;  /* of all machines; 0: given for each */
	const char *table[SRIFT_TABLES_MAX];
	size_t n_tables;
	const char *section; /* of busbw.yaml */
	const char *learned; /* file of a model; NULL: not given */
	const char *place;   /* NULL: not given */
	/* where machines are searched for; selects the place if place does not; NULL: anywhere */
	const char *near;
	const char *matrix; /* NULL: not given, nor are plans */
	const char *plan[SRIFT_PLANS_MAX];
	size_t n_plans;
	double nic_bps, uplink_bps; /* 0: not given */
	double rated_bps;           /* of all machines; 0: not given */
	struct srift_hub_options hub;
	const char *prices;        /* NULL: not given */
	uint64_t iterations;       /* of the job; 0: not given */
	double straggler;          /* NaN: the profile's */
	enum pl_profile_data data; /* whose stalls count */
	struct pl_iteration_options iteration;
	const char *trace;  /* NULL: none */
	const char *output; /* NULL: standard output */
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* Rows for a table of options: those of a verb that has a struct srift_options, or one that begins
 * with it. */
#define SRIFT_AT(member) PL_OPTION_AT(struct srift_options, member)

/* clang-format off */
#define SRIFT_JOB_ROWS \
	{"profile", required_argument, 0, .take = srift_take_profile}, \
	{"iterations", required_argument, 0, pl_take_whole, \
	 SRIFT_AT(iterations), 1, 1000000000000}, \
	{"json", no_argument, 0, pl_take_flag, SRIFT_AT(json)}, \
	{"output", required_argument, 'o', pl_take_filled, SRIFT_AT(output)}

#define SRIFT_BATCH_MAX 1000000000
#define SRIFT_BATCH_ROW \
	{"batch", required_argument, 0, pl_take_whole, SRIFT_AT(batch), \
	 1, SRIFT_BATCH_MAX}

/* of network and iteration */
#define SRIFT_NETWORK_ROWS \
	{"busbw", required_argument, 0, .take = srift_take_table}, \
	{"section", required_argument, 0, pl_take_text, SRIFT_AT(section)}, \
	{"model", required_argument, 0, pl_take_filled, SRIFT_AT(learned)}, \
	{"place", required_argument, 0, pl_take_text, SRIFT_AT(place)}, \
	{"matrix", required_argument, 0, pl_take_filled, SRIFT_AT(matrix)}, \
	{"plan", required_argument, 0, .take = srift_take_plan}, \
	{"nic", required_argument, 0, pl_take_rate, SRIFT_AT(nic_bps)}, \
	{"uplink", required_argument, 0, pl_take_rate, \
	 SRIFT_AT(uplink_bps)}, \
	{"rated", required_argument, 0, pl_take_rate, SRIFT_AT(rated_bps)}, \
	{"cap", required_argument, 0, srift_take_cap, \
	 SRIFT_AT(iteration.cap_bytes_per_s)}, \
	{"straggler", required_argument, 0, .take = srift_take_straggler}, \
	{"data", required_argument, 0, pl_take_word, SRIFT_AT(data), \
	 .words = srift_data_name}, \
	{"draws", required_argument, 0, pl_take_whole, \
	 SRIFT_AT(iteration.draws), 1, 1000000}, \
	{"seed", required_argument, 0, pl_take_whole, \
	 SRIFT_AT(iteration.seed), 0, UINT64_MAX}, \
	{"buckets", optional_argument, 0, .take = srift_take_buckets}, \
	{"at-once", required_argument, 0, pl_take_whole, \
	 SRIFT_AT(iteration.at_once), 1, PL_PROFILE_LAYERS_MAX}, \
	{"round-up", no_argument, 0, pl_take_flag, SRIFT_AT(iteration.round_up)}

#define SRIFT_HUB_ROWS \
	{"hubs", required_argument, 0, srift_take_hubs, SRIFT_AT(hub.number), \
	 0, SRIFT_HUBS_MAX}, \
	{"hub-machine", required_argument, 0, pl_take_filled, \
	 SRIFT_AT(hub.machine)}, \
	{"hub-nic", required_argument, 0, pl_take_rate, \
	 SRIFT_AT(hub.nic_bps)}, \
	{"aggregators", required_argument, 0, pl_take_filled, \
	 SRIFT_AT(hub.aggregators)}
/* clang-format on */

/* For these rows. */
extern const char *const srift_data_name[];
int srift_take_profile(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err);
int srift_take_table(void *o, const struct pl_option *option, const char *value,
		     struct pl_err *err);
int srift_take_plan(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int srift_take_cap(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int srift_take_straggler(void *o, const struct pl_option *option, const char *value,
			 struct pl_err *err);
int srift_take_buckets(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err);
int srift_take_hubs(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Journals of earlier jobs; the option may be repeated. */
#define SRIFT_HISTORIES_MAX 64
struct srift_histories {
	const char *file[SRIFT_HISTORIES_MAX];
	size_t n;
};
int srift_take_history(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err);

/* Defaults. */
void srift_options_init(struct srift_options *o);

/* Checks that the options of network and hubs fit together. Returns the exit status. */
int srift_options_check_network(const struct srift_options *o);

bool srift_has_hubs(const struct srift_options *o);

/* PL_EXIT_DONE; or PL_EXIT_USAGE, after a message, if @output (NULL: none) is a file that the
 * options read. */
int srift_options_spare(const struct srift_options *o, const char *output);

/* Returns the exit status. If it is not DONE, or @o->done is set, nothing more is to be done. */
int srift_options_parse(struct srift_options *o, int argc, char **argv);

#endif
