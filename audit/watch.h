/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - a job is run, and captured on every host of it meanwhile */
#ifndef PLINK_AUDIT_WATCH_H
#define PLINK_AUDIT_WATCH_H

#include "audit/job.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "base/err.h"

#include <signal.h>
#include <stdint.h>

/* The line with which a capture tells that packets are being taken, and the
 * host's addresses: "plink-capture 1 ns 10.0.0.7 fd00::7". */
#define PL_WATCH_GREETING "plink-capture 1 "
/* The last line of the host list that it gets; the end of input is its end. */
#define PL_WATCH_LIST_END "# end"

/* How the last word of one ends that lost packets, and exits with 1. */
#define PL_WATCH_DROPPED " dropped by the kernel"

struct pl_watch_options {
	const char *launch; /* template, see probes/launch/launch.h */
	const char *agent;  /* words of a shell that start plink-audit there */
	const char *iface, *filter; /* filter: NULL for none */
	const char *keep; /* savefiles KEEP.HOST.pcap stay; NULL: none do */
	bool with_trips;  /* as in pl_trace */
	int64_t start_ns; /* may pass until a capture begins */
	int64_t end_ns;   /* and until it has sent what is left */
	char *const *command;
	const volatile sig_atomic_t *stop;
	void (*log)(const char *host, const char *line); /* their stderr */
};

/*
 * Starts a capture on every node of the job, runs the command here, its
 * standard output going to standard error, ends the captures and reads them:
 * trace[i] (made here; owner i) is that of node i, @who gets the addresses.
 * *status is the command's exit status. 0, or -1 with @err set and no trace
 * made; no process is left either way.
 */
int pl_watch_run(const struct pl_watch_options *o, const struct pl_job *job,
		 struct pl_trace *trace, struct pl_who *who, int *status,
		 struct pl_err *err);

#endif
