/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h - the bytes that each node should have sent to each other node, and those that it sent */
#ifndef PLINK_AUDIT_PAIRS_H
#define PLINK_AUDIT_PAIRS_H

#include "audit/placement.h"
#include "audit/stream.h"
#include "audit/wire.h"
#include "base/err.h"
#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sum of the bytes that have passed from src to dst, over time; from one capture. */
struct pl_line_of_time {
	struct pl_point *point;
	size_t n, room;
	size_t trace; /* index of the capture */
};

struct pl_audit_pair {
	uint32_t src, dst; /* nodes */
	/* expected; sums stop at UINT64_MAX */
	uint64_t messages;
	uint64_t payload_bytes;
	uint64_t header_bytes;  /* sent with these messages */
	uint64_t control_bytes; /* sent for messages in the other direction */
	/* sent to set up the connections that were seen */
	uint64_t begin_bytes;
	/* seen */
	bool unseen; /* not observed: neither end was captured */
	uint64_t seen_bytes;
	uint64_t seen_messages; /* counted by Open MPI's monitoring */
	struct pl_line_of_time left, arrived;
};

/* Start with {0}, end with fini. Has no entry for pairs without expected or seen bytes. */
struct pl_audit_pairs {
	struct pl_audit_pair *v;
	size_t n, room;
	uint32_t *slot; /* [n_slots], a power of two: index of a pair + 1 */
	size_t n_slots;
};

/* The entry of a pair, which is made if need be; valid until the next one is made. NULL: out of
 * memory. */
struct pl_audit_pair *pl_pairs_get(struct pl_audit_pairs *pairs, uint32_t src, uint32_t dst);
/* The entry of a pair, or NULL if there is none. */
struct pl_audit_pair *pl_pairs_find(const struct pl_audit_pairs *pairs, uint32_t src, uint32_t dst);

/* Sorts by src, then dst; pointers from get and find are not valid any more. 0, or -1 with @err
 * set: out of memory. */
int pl_pairs_sort(struct pl_audit_pairs *pairs, struct pl_err *err);

/* How the bytes of a pair are computed from messages. */
struct pl_expectation {
	const struct pl_placement *job; /* has as many ranks as the pattern */
	/* NULL: only the bytes of the program are counted */
	const struct pl_wire *wire;
	uint64_t eager_bytes;
	uint64_t repeat; /* how often the job runs the pattern */
};

/* Adds the bytes that the nodes send for the pattern; messages within a node are left out. 0, or -1
 * with @err set: out of memory. */
int pl_pairs_expect(struct pl_audit_pairs *pairs, const struct pl_pattern *p,
		    const struct pl_expectation *x, struct pl_err *err);

/* *sum += value, or UINT64_MAX if that is too much. */
static inline void pl_pair_add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* The sum of all bytes expected on the wire. */
uint64_t pl_pair_expected(const struct pl_audit_pair *pair);

void pl_pairs_fini(struct pl_audit_pairs *pairs);

#endif
