/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - run a job and capture its packets on every host meanwhile */
#ifndef PLINK_AUDIT_WATCH_H
#define PLINK_AUDIT_WATCH_H

#include "audit/placement.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "base/err.h"

#include <signal.h>
#include <stdint.h>

/* The first line from a capture, after it has begun: this text, the unit of its
 * time stamps and the addresses of the host: "plink-capture 1 ns 10.0.0.7
 * fd00::7". */
#define PL_WATCH_GREETING "plink-capture 1 "
/* The last line of the host list that a capture reads from its input. The
 * capture ends when its input ends. */
#define PL_WATCH_LIST_END "# end"

/* The last message of a capture that lost packets, and exits with 1, ends like
 * this. */
#define PL_WATCH_DROPPED " dropped by the kernel"

struct pl_watch_options {
	const char *launch;         /* a template, see probes/launch/launch.h */
	const char *agent;          /* shell words that start plink-audit on a host */
	const char *iface, *filter; /* filter: NULL for none */
	/* the captures stay in files KEEP.HOST.pcap; NULL: they are not kept */
	const char *keep;
	bool with_trips;  /* as in pl_trace */
	int64_t start_ns; /* the time that a capture may take to begin */
	int64_t end_ns;   /* and to send the rest at the end */
	char *const *command;
	const volatile sig_atomic_t *stop;
	/* gets the lines that captures write to stderr; NULL: dropped */
	void (*log)(const char *host, const char *line);
};

/*
 * Starts a capture on every node of the job, runs the command on this host,
 * with its standard output going to standard error, then ends the captures and
 * reads them. trace[i], made here, is that of node i and has owner i; the
 * addresses of the nodes are added to @who. *status becomes the exit status of
 * the command. 0, or -1 with @err set and no trace made: PL_EPARTIAL if
 * *o->stop is not 0. In both cases all processes have ended.
 */
int pl_watch_run(const struct pl_watch_options *o, const struct pl_placement *job,
		 struct pl_trace *trace, struct pl_who *who, int *status, struct pl_err *err);

#endif
