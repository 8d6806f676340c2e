/* SPDX-License-Identifier: BSD-3-Clause */
/* monitoring.h - the files in which Open MPI's monitoring records messages */
#ifndef PLINK_AUDIT_MONITORING_H
#define PLINK_AUDIT_MONITORING_H

#include "audit/pairs.h"
#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages from one rank to another, of one kind. */
struct pl_monitored {
	uint32_t src, dst;
	uint64_t bytes, messages;
	bool internal; /* sent by the library itself, for collectives */
};

/* Start with {0}, end with fini. */
struct pl_monitoring {
	struct pl_monitored *v;
	size_t n, room;
	size_t n_ranks; /* the highest rank that is named, plus 1 */
	bool has_internal;
	bool *has; /* [PL_PLACEMENT_RANKS_MAX]: was the rank's file read? */
};

/* Does a text begin like one of those files? */
bool pl_monitoring_is(const char *data, size_t len);

/*
 * Adds one of the files that pml_monitoring_filename makes, "NAME.RANK.prof". 0, or -1 with @err
 * set: PL_EINPUT with the place of a line that is not in the form of Open MPI 4.1, PL_ESYSTEM for
 * memory.
 */
int pl_monitoring_add(struct pl_monitoring *m, struct pl_text *text, struct pl_err *err);

/*
 * Adds the messages to the pairs: only those of the library itself if the files tell them apart
 * (pml_monitoring_enable 2), otherwise all. Messages of a rank to itself are left out. Pairs whose
 * source has no file are marked as unseen. 0, or -1 with @err set: PL_EINPUT for a rank that is not
 * below @n_ranks, PL_ESYSTEM for memory.
 */
int pl_monitoring_count(const struct pl_monitoring *m, struct pl_audit_pairs *pairs, size_t n_ranks,
			struct pl_err *err);

void pl_monitoring_fini(struct pl_monitoring *m);

#endif
