/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line of plink-probe */
#ifndef PLINK_SRC_PROBE_ARGS_H
#define PLINK_SRC_PROBE_ARGS_H

#include "base/hosts/hosts.h"
#include "probes/run/probe.h"

#include <stdbool.h>

#define PROBE_ASKED_MAX 40
#define PROBE_PER_HOST 64 /* pairs, where --sparse does not say */

/* An option of the measurement that was named, as it was written. */
struct probe_asked {
	const char *name, *value;
};

struct probe_args {
	struct pl_probe_options probe;
	enum pl_hosts_form form;
	const char *hosts;                         /* a path or "-" */
	const char *output;                        /* NULL: standard output */
	struct probe_asked asked[PROBE_ASKED_MAX]; /* [n_asked] */
	size_t n_asked;
	const char *resume; /* a path; NULL: none */
	size_t calibrate;   /* hosts, by agents too; 0: none */
	/* which pairs: by what this file tells (NULL: does not), by a search
	 * over so many of each host (0: none), else all */
	const char *topology;
	size_t per_host;
	uint64_t seed;
	bool json, verbose, dry_run;
	bool push; /* its own agent where probe.push is NULL */
	bool done; /* help or version was printed: exit with the status */
};

/* Reads options; strings are borrowed from @argv. The exit status: where it is
 * not DONE or @args->done is set, there is nothing more to do. */
int probe_args_parse(struct probe_args *args, int argc, char **argv);

/* What contradicts each other, or has nothing to act upon? That is told; the
 * exit status. Part of parsing. */
int probe_args_check(const struct probe_args *args);

#endif
