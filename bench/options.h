/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of a benchmark, from a table */
#ifndef PLINK_BENCH_OPTIONS_H
#define PLINK_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --name, and where its value goes: to the one of these that is not NULL. */
struct bench_option {
	const char *name;
	int64_t *whole; /* from least to most */
	int64_t least, most;
	double *seconds; /* above 0, at most a million */
	const char **text;
	bool *given; /* takes no value: true if it is there */
};

/*
 * Reads the n options, --help (which prints @help) and --version; no other
 * arguments are taken. -1: go on; otherwise the status to exit with, and what
 * there was to say has been said.
 */
int bench_options(const char *tool, const char *help,
		  const struct bench_option *options, size_t n, int argc,
		  char **argv);

#endif
