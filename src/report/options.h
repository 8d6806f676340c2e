/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-report */
#ifndef PLINK_SRC_REPORT_OPTIONS_H
#define PLINK_SRC_REPORT_OPTIONS_H

#include "base/matrix/matrix.h"
#include "base/terminal.h"

#include <stdbool.h>
#include <stddef.h>

#define REPORT_TOOL "plink-report"

/* Strings are borrowed from argv. */
struct report_options {
	char *const *argv;
	const char *matrix; /* or statistics */
	char *const *plan;  /* [n_plans]; for statistics also a host list */
	size_t n_plans;
	const char *output;   /* NULL: text to standard output */
	const char *topology; /* for statistics; NULL: not given */
	enum pl_unit unit;
	bool has_unit;
	bool has_symmetrize;
	enum pl_symmetrize symmetrize;
	enum pl_color color;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set, there is nothing more to
 * do. */
int report_options_parse(struct report_options *o, int argc, char **argv);

#endif
