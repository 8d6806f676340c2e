/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h - do the bytes that were sent match the expected ones? */
#ifndef PLINK_AUDIT_VERDICT_H
#define PLINK_AUDIT_VERDICT_H

#include "audit/pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_pair_state {
	PL_PAIR_MATCH,
	PL_PAIR_SHORT, /* fewer bytes or messages than expected */
	PL_PAIR_OVER,  /* more than expected */
	/* nothing was seen, except the setup of a connection */
	PL_PAIR_MISSING,
	PL_PAIR_EXTRA,  /* nothing was expected */
	PL_PAIR_UNSEEN, /* not observed */
	PL_PAIR_STATES
};

/* "match", "short", ... */
const char *pl_pair_state_name(enum pl_pair_state state);

/* How far the bytes of a pair may be from the expected ones: the larger of the two limits. */
struct pl_audit_tolerance {
	uint64_t bytes; /* for each expected message */
	double share;   /* of the expected bytes */
};

/* Compares a pair's bytes. @counted: messages were counted too, and their number must be equal. */
enum pl_pair_state pl_pair_judge(const struct pl_audit_pair *pair,
				 const struct pl_audit_tolerance *t, bool counted);

struct pl_audit_verdict {
	size_t n[PL_PAIR_STATES]; /* pairs */
	size_t n_expected;        /* pairs that should have sent messages */
	/* sums over the pairs that were observed; header_bytes includes control_bytes */
	uint64_t messages, payload_bytes, header_bytes, begin_bytes;
	uint64_t expected_bytes; /* sum of payload, header and begin */
	uint64_t seen_bytes, seen_messages;
	/* index of the observed pair with the largest difference; pairs->n: none differs */
	size_t worst;
};

void pl_verdict_reach(struct pl_audit_verdict *v, const struct pl_audit_pairs *pairs,
		      const struct pl_audit_tolerance *t, bool counted);

#endif
