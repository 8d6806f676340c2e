/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h - does what was sent match what was expected? */
#ifndef PLINK_AUDIT_VERDICT_H
#define PLINK_AUDIT_VERDICT_H

#include "audit/pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_pair_state {
	PL_PAIR_MATCH,
	PL_PAIR_SHORT,   /* less than expected */
	PL_PAIR_OVER,    /* more */
	PL_PAIR_MISSING, /* nothing */
	PL_PAIR_EXTRA,   /* nothing was expected */
	PL_PAIR_UNSEEN,  /* nobody looked */
	PL_PAIR_STATES
};

/* "match", "short", ... */
const char *pl_pair_state_name(enum pl_pair_state state);

/* How far off a pair may be: the larger of the two. */
struct pl_audit_tolerance {
	uint64_t bytes; /* for each expected message */
	double share;   /* of the expected bytes */
};

/* @counted: messages were counted, too, and must agree. */
enum pl_pair_state pl_pair_judge(const struct pl_audit_pair *pair,
				 const struct pl_audit_tolerance *t,
				 bool counted);

struct pl_audit_verdict {
	size_t n[PL_PAIR_STATES]; /* pairs */
	size_t n_expected;        /* pairs that should have sent messages */
	/* sums over the pairs that somebody saw */
	uint64_t messages, payload_bytes, header_bytes, begin_bytes;
	uint64_t expected_bytes; /* all three of them */
	uint64_t seen_bytes, seen_messages;
	size_t worst; /* index of the pair that is off most; n of pairs: none */
};

void pl_verdict_reach(struct pl_audit_verdict *v,
		      const struct pl_audit_pairs *pairs,
		      const struct pl_audit_tolerance *t, bool counted);

#endif
