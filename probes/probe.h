/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - measure a list of hosts: agents started, all pairs probed, a matrix */
#ifndef PLINK_PROBES_PROBE_H
#define PLINK_PROBES_PROBE_H

#include "src/err.h"
#include "src/hosts.h"
#include "src/matrix.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct pl_probe_progress {
	size_t round, n_rounds; /* rounds done, of so many */
	size_t n_alive, n_hosts;
	uint64_t n_probes;
};

/* Start from PL_PROBE_DEFAULTS. Strings are borrowed for the call. */
struct pl_probe_options {
	const char *launch;     /* template, %h is the host */
	const char *agent;      /* command that starts plink-agent on a host */
	const char *iface;      /* interface name or CIDR; NULL: chosen */
	int port_min, port_max; /* UDP ports of the agents; 0, 0: any */
	uint32_t probes_min, probes_max; /* per directed pair */
	double precision; /* settled when p10 is known within this share ... */
	int64_t precision_ns; /* ... plus this many ns */
	int64_t start_ns;     /* how long an agent may take to start */
	const volatile sig_atomic_t
		*stop; /* non-zero: end early; NULL: never */
	void (*progress)(void *arg, const struct pl_probe_progress *now);
	void *progress_arg;
};

/* What a run did, beside the matrix. */
struct pl_probe_report {
	size_t n_lost_hosts; /* could not be reached, or died */
	size_t pairs_measured, pairs_missing; /* directed */
	uint64_t probes_sent, probes_lost, probes_late, probes_duplicate;
	uint64_t replies_refused; /* wrong tag, wrong peer, not a packet */
	int64_t elapsed_ns;
	int interrupted; /* ended by *stop */
};

/* Fills in every default. */
void pl_probe_defaults(struct pl_probe_options *options);

/*
 * Starts an agent on every host, measures every ordered pair and stops the
 * agents. Layers: p10 (layer 0), min, p50, p90, p99 in ns, and the counts sent,
 * lost, late, duplicate; hosts get node and addr as their agents said. A host that cannot be
 * reached, or dies, leaves its cells missing with a reason. NULL with @err set when no pair
 * at all could be measured for a reason that concerns all (bad template, ...).
 * Fills @report in either case.
 */
struct pl_matrix *pl_probe_run(const struct pl_hosts *hosts,
			       const struct pl_probe_options *options,
			       struct pl_probe_report *report,
			       struct pl_err *err);

#endif
