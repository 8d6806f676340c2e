/* SPDX-License-Identifier: BSD-3-Clause */
/* capture.h - what passes an interface between the hosts of a job, into a
 * file */
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
	const char *filter; /* further condition, of pcap-filter(7), or NULL */
	const struct pl_who *who; /* only TCP between these addresses */
	FILE *out;                /* the savefile; not closed */
	const char *out_name;     /* for messages */
	int until_eof;            /* of this descriptor; -1: of none */
	char *const *command;     /* until its end; NULL: none */
	const volatile sig_atomic_t *stop;
	/* called when packets are being taken, before the first one is
	 * written */
	int (*ready)(void *arg, bool nanoseconds, struct pl_err *err);
	void *arg;
};

struct pl_capture_report {
	uint64_t packets,
		dropped; /* dropped: by the kernel, for want of room */
	bool nanoseconds;
	bool stopped; /* by *stop, while a command ran */
	int status;   /* of the command */
};

/*
 * Captures until the command ends, the descriptor does, or *stop. Of each
 * packet only the headers are kept. 0, or -1 with @err set: PL_EUSAGE for a
 * filter that is none, PL_ESYSTEM where the interface cannot be captured (the
 * text says what is lacking).
 */
int pl_capture_run(const struct pl_capture_options *o,
		   struct pl_capture_report *report, struct pl_err *err);

#endif
