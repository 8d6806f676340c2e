/* SPDX-License-Identifier: BSD-3-Clause */
/* rack.h - the verbs of plink-rack: what runs them, and their help texts */
#ifndef PLINK_SRC_RACK_RACK_H
#define PLINK_SRC_RACK_RACK_H

#include "src/common/json.h"
#include "src/common/options.h"
#include "src/common/tool.h"

#include <stdbool.h>

#define RACK_TOOL "plink-rack"

/* A verb with its arguments; argv[0] ends in the verb. Each returns the exit
 * status. */
int rack_need_main(int argc, char **argv);
int rack_levels_main(int argc, char **argv);
int rack_cost_main(int argc, char **argv);

extern const char rack_help[];
extern const char rack_need_help[];
extern const char rack_levels_help[];
extern const char rack_cost_help[];

/* Where a result goes. Strings are borrowed from argv. */
struct rack_output {
	const char *path;
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

#endif
