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
	size_t message;              /* index in the pattern */
	size_t awaited;              /* the message it should have waited for */
	uint64_t repetition;         /* from 0 */
	int64_t sent_ns, awaited_ns; /* begin of the one, end of the other */
};

struct pl_rounds {
	uint64_t checked;   /* messages, over all repetitions */
	uint64_t unchecked; /* that depend on something, of which nobody took
			       the times */
	uint64_t n_early;
	struct pl_audit_early first; /* by time, where there is one */
};

/*
 * A message lies in the bytes of its pair where the pattern puts it: behind
 * what makes the connection and behind the messages before. What belongs to
 * messages of the other way may stand anywhere between them, so that a place is
 * known up to their sum: a message is early only where it is so for all those
 * places. Each rank must be on a node of its own; pairs are as pl_merge_traces
 * left them (with times). 0, or -1 with @err set: out of memory.
 */
int pl_rounds_check(struct pl_rounds *rounds,
		    const struct pl_audit_pairs *pairs,
		    const struct pl_pattern *p, const struct pl_expectation *x,
		    struct pl_err *err);

#endif
