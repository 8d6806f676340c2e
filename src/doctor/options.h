/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-doctor */
#ifndef PLINK_SRC_DOCTOR_OPTIONS_H
#define PLINK_SRC_DOCTOR_OPTIONS_H

#include "base/hosts/hosts.h"
#include "probes/run/probe.h"

#include <stdbool.h>
#include <stdint.h>

#define PL_DOCTOR_TOOL "plink-doctor"

/* Strings are borrowed from argv. */
struct pl_doctor_options {
	const char *hosts;  /* a path, "-" or "slurm" */
	const char *output; /* NULL: standard output */
	enum pl_hosts_form form;
	/* launcher, agent, network interface, ports and fanout */
	struct pl_probe_options probe;
	bool push;        /* send the agent; probe.push NULL: plink's own */
	int64_t limit_ns; /* time for each host */
	bool json, verbose;
	bool done; /* help or version was printed: exit with the status */
};

/* Fills @o, defaults included. Returns the exit status. If it is not PL_EXIT_DONE or @o->done is
 * set, there is nothing more to do. */
int pl_doctor_options_parse(struct pl_doctor_options *o, int argc, char **argv);

#endif
