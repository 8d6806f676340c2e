/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.h - reads the traffic of an audit: captures, or monitoring */
#ifndef PLINK_SRC_AUDIT_SOURCES_H
#define PLINK_SRC_AUDIT_SOURCES_H

#include "audit/monitoring.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "src/audit/run.h"

#include <signal.h>

/* Start with {0}, end with fini. */
struct audit_sources {
	struct pl_trace *trace; /* [n_traces] */
	size_t n_traces;
	struct pl_who who;
	struct pl_monitoring monitoring;
};

/* Reads the files and fills in the audit's job. 0, or -1 with @err set. */
int audit_sources_open(struct audit_sources *s, struct audit *a, const volatile sig_atomic_t *stop,
		       struct pl_err *err);

/* Adds the traffic that was seen to the audit's pairs, which already have the expected traffic. 0,
 * or -1 with @err set. */
int audit_sources_count(struct audit_sources *s, struct audit *a, struct pl_err *err);

void audit_sources_fini(struct audit_sources *s);

#endif
