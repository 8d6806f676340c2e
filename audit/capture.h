/* SPDX-License-Identifier: BSD-3-Clause */
/* capture.h - capture the packets between the hosts of a job into a file */
#ifndef PLINK_AUDIT_CAPTURE_H
#define PLINK_AUDIT_CAPTURE_H

#include "audit/who.h"
#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pl_capture_options {
	const char *iface;
	/* a further condition, as in pcap-filter(7), or NULL */
	const char *filter;
	const struct pl_who *who; /* only TCP between these addresses */
	FILE *out;                /* the savefile; not closed */
	const char *out_name;     /* for messages */
	/* end when this descriptor ends; not used with a command; -1: none */
	int until_eof;
	/* run this and end when it ends; NULL: no command */
	char *const *command;
	const volatile sig_atomic_t *stop;
	/* called when the capture has begun, before the first packet is
	 * written; -1 with @err set ends it; NULL: not called */
	int (*ready)(void *arg, bool nanoseconds, struct pl_err *err);
	void *arg;
};

struct pl_capture_report {
	/* dropped: by the kernel, because its buffer was full */
	uint64_t packets, dropped;
	bool nanoseconds;
	bool stopped; /* *stop ended it while a command ran */
	int status;   /* exit status of the command, or 128 + signal */
};

/*
 * Captures until the command ends, the descriptor ends, or *stop is not 0. A
 * command that still runs is ended (pl_command_stop). Only the headers of each
 * packet are kept. 0, or -1 with @err set: PL_EUSAGE for a filter that is not
 * valid; PL_ESYSTEM if the interface cannot be captured (the text says what is
 * missing) and for other failures.
 */
int pl_capture_run(const struct pl_capture_options *o, struct pl_capture_report *report,
		   struct pl_err *err);

#endif
