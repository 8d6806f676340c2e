/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line of plink-probe */
#ifndef PLINK_SRC_PROBE_ARGS_H
#define PLINK_SRC_PROBE_ARGS_H

#include "base/hosts/hosts.h"
#include "probes/run/probe.h"
#include "src/common/next.h"

#include <stdbool.h>

#define PROBE_ASKED_MAX 40

/* An option of the measurement as it was given. */
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
	struct pl_next next;
	const char *resume; /* a path; NULL: none */
	/* which pairs: chosen by this file (NULL: no); else by a search over that many per host (0:
	 * no); else all */
	const char *topology, *topology_label;
	size_t per_host;
	uint64_t seed;
	bool json, verbose, dry_run;
	bool bandwidth_asked; /* else probe.bandwidth is the default */
	bool push;            /* send the installed agent if probe.push is NULL */
	bool done;            /* help or version was printed: exit with the status */
};

/* Reads the options; strings are borrowed from @argv. Returns the exit status.
 * If it is not PL_EXIT_DONE or @args->done is set, there is nothing more to
 * do. */
int probe_args_parse(struct probe_args *args, int argc, char **argv);

/* Part of parsing: checks for options that contradict each other or have no effect. Returns the
 * exit status, after a message. */
int probe_args_check(const struct probe_args *args);

#endif
