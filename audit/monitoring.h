/* SPDX-License-Identifier: BSD-3-Clause */
/* monitoring.h - what Open MPI's monitoring wrote of its messages */
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
	bool internal; /* of the library itself: collectives */
};

/* Start with {0}, end with fini. */
struct pl_monitoring {
	struct pl_monitored *v;
	size_t n, room;
	size_t n_ranks; /* the highest that is named, and 1 */
	bool has_internal;
	bool *has; /* [PL_JOB_RANKS_MAX]: is the rank's file among
		    * those read? */
};

/*
 * Adds one of the files that pml_monitoring_filename makes, "NAME.RANK.prof".
 * 0, or -1 with @err set: PL_EINPUT with the place of what is not as Open MPI
 * 4.1 writes it.
 */
int pl_monitoring_add(struct pl_monitoring *m, struct pl_text *text,
		      struct pl_err *err);

/*
 * Adds the messages to the pairs: those of the library itself where they were
 * told apart (pml_monitoring_enable 2), else all. Messages of a rank to itself
 * are left out. Pairs whose source has no file are marked as unseen. 0, or -1
 * with @err set: PL_EINPUT for a rank that is none of @n_ranks.
 */
int pl_monitoring_count(const struct pl_monitoring *m,
			struct pl_audit_pairs *pairs, size_t n_ranks,
			struct pl_err *err);

void pl_monitoring_fini(struct pl_monitoring *m);

#endif
