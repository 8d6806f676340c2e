/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-srift predict */
#ifndef PLINK_SRC_SRIFT_OPTIONS_H
#define PLINK_SRC_SRIFT_OPTIONS_H

#include "planner/srift/iteration/iteration.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SRIFT_TOOL "plink-srift"
#define SRIFT_TABLES_MAX 64

/* Strings are borrowed from argv. */
struct srift_options {
	const char *profile, *machines;
	uint64_t batch; /* of all machines; 0: given for each */
	const char *table[SRIFT_TABLES_MAX];
	size_t n_tables;
	const char *section; /* of busbw.yaml */
	const char *learned; /* file of a model; NULL: not given */
	const char *place;   /* NULL: not given */
	/* where machines are searched for; selects the place if place does not;
	 * NULL: anywhere */
	const char *near;
	const char *matrix, *plan;  /* both or neither */
	double nic_bps, uplink_bps; /* 0: not given */
	const char *prices;         /* NULL: not given */
	uint64_t iterations;        /* of the job; 0: not given */
	double straggler;           /* NaN: the profile's */
	struct pl_iteration_options iteration;
	const char *trace; /* NULL: none */
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* Options of more than one verb, as getopt_long() gives them. */
enum srift_option {
	SRIFT_PROFILE = 256,
	SRIFT_MACHINES,
	SRIFT_BATCH,
	SRIFT_ITERATIONS,
	SRIFT_PRICE,
	SRIFT_BUSBW,
	SRIFT_SECTION,
	SRIFT_MODEL,
	SRIFT_PLACE,
	SRIFT_MATRIX,
	SRIFT_PLAN,
	SRIFT_NIC,
	SRIFT_UPLINK,
	SRIFT_CAP,
	SRIFT_STRAGGLER,
	SRIFT_DRAWS,
	SRIFT_SEED,
	SRIFT_BUCKETS,
	SRIFT_AT_ONCE,
	SRIFT_ROUND_UP,
	SRIFT_TRACE,
	SRIFT_JSON,
	SRIFT_HELP,
	SRIFT_VERSION,
	SRIFT_OTHER, /* from here on, those of another verb */
};

/* Their rows for getopt_long(): the options of network and iteration. */
/* clang-format off */
#define SRIFT_NETWORK_LONGS \
	{"busbw", required_argument, NULL, SRIFT_BUSBW}, \
	{"section", required_argument, NULL, SRIFT_SECTION}, \
	{"model", required_argument, NULL, SRIFT_MODEL}, \
	{"place", required_argument, NULL, SRIFT_PLACE}, \
	{"matrix", required_argument, NULL, SRIFT_MATRIX}, \
	{"plan", required_argument, NULL, SRIFT_PLAN}, \
	{"nic", required_argument, NULL, SRIFT_NIC}, \
	{"uplink", required_argument, NULL, SRIFT_UPLINK}, \
	{"cap", required_argument, NULL, SRIFT_CAP}, \
	{"straggler", required_argument, NULL, SRIFT_STRAGGLER}, \
	{"draws", required_argument, NULL, SRIFT_DRAWS}, \
	{"seed", required_argument, NULL, SRIFT_SEED}, \
	{"buckets", optional_argument, NULL, SRIFT_BUCKETS}, \
	{"at-once", required_argument, NULL, SRIFT_AT_ONCE}, \
	{"round-up", no_argument, NULL, SRIFT_ROUND_UP}
/* clang-format on */

/* Defaults. */
void srift_options_init(struct srift_options *o);

/* Takes an option (any above except help) and its value. Returns PL_EXIT_DONE,
 * or the exit status. */
int srift_options_take(struct srift_options *o, int opt, const char *s);

/* Checks that the network options fit together. Returns the exit status. */
int srift_options_check_network(const struct srift_options *o);

/* Returns the exit status. If it is not DONE, or @o->done is set, nothing more
 * is to be done. */
int srift_options_parse(struct srift_options *o, int argc, char **argv);

#endif
