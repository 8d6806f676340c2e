/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line of plink-probe */
#ifndef PLINK_SRC_PROBE_ARGS_H
#define PLINK_SRC_PROBE_ARGS_H

#include "probes/probe.h"
#include "src/hosts.h"

#include <stdbool.h>

#define PROBE_ASKED_MAX 32

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
	bool json, verbose, dry_run;
	bool push; /* its own agent where probe.push is NULL */
	bool done; /* help or version was printed: exit with the status */
};

/* Reads options; strings are borrowed from @argv. The exit status: where it is
 * not DONE or @args->done is set, there is nothing more to do. */
int probe_args_parse(struct probe_args *args, int argc, char **argv);

#endif
