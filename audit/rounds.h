/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.h - was every message sent after what it depends on had arrived? */
#ifndef PLINK_AUDIT_ROUNDS_H
#define PLINK_AUDIT_ROUNDS_H

#include "audit/pairs.h"
#include "base/err.h"
#include "costmodels/pattern.h"

#include <stddef.h>
#include <stdint.h>

/* A message that was sent too early for the pattern. */
struct pl_audit_early {
	size_t message;      /* index in the pattern */
	size_t awaited;      /* the message it should have waited for */
	uint64_t repetition; /* from 0 */
	/* begin of this message, end of the awaited one */
	int64_t sent_ns, awaited_ns;
};

struct pl_rounds {
	uint64_t checked; /* number of messages, over all repetitions */
	/* messages that depend on others, but whose times are not known or come from different
	 * captures */
	uint64_t unchecked;
	uint64_t n_early;
	struct pl_audit_early first; /* the earliest; valid if n_early > 0 */
};

/*
 * Checks the times of all messages that depend on others. The place of a message in the bytes of
 * its pair follows from the pattern: it comes after the bytes that set up the connection and after
 * the messages before it. Bytes that belong to messages of the other direction may stand anywhere
 * between, so that a place is known only up to their sum; a message counts as early only if it is
 * early at all possible places. Each rank must be on a node of its own, x->wire must be set, and
 * @pairs must come from pl_merge_traces, with times. 0, or -1 with @err set: out of memory.
 */
int pl_rounds_check(struct pl_rounds *rounds, const struct pl_audit_pairs *pairs,
		    const struct pl_pattern *p, const struct pl_expectation *x, struct pl_err *err);

#endif
