/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of a benchmark, from a table */
#ifndef PLINK_BENCH_OPTIONS_H
#define PLINK_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option --name. Its value goes to the pointer below that is not NULL. */
struct bench_option {
	const char *name;
	int64_t *whole; /* from least to most */
	int64_t least, most;
	double *seconds; /* above 0, at most a million */
	const char **text;
	bool *given; /* takes no value: true if it is there */
};

/*
 * Reads the n options, --help (which prints @help) and --version; no other arguments are allowed.
 * -1: go on; otherwise the exit status, having printed the help, the version or the error.
 */
int bench_options(const char *tool, const char *help, const struct bench_option *options, size_t n,
		  int argc, char **argv);

#endif
