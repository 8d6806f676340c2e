/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h - what each node should have sent to each other one, and what it
 * did */
#ifndef PLINK_AUDIT_PAIRS_H
#define PLINK_AUDIT_PAIRS_H

#include "audit/job.h"
#include "audit/stream.h"
#include "audit/wire.h"
#include "base/err.h"
#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All that has passed from src to dst, by time; taken by one capture. */
struct pl_line_of_time {
	struct pl_point *point;
	size_t n, room;
	size_t trace; /* number of the capture */
};

struct pl_audit_pair {
	uint32_t src, dst; /* nodes */
	/* expected; sums end at UINT64_MAX */
	uint64_t messages;
	uint64_t payload_bytes;
	uint64_t header_bytes;  /* that go with these messages */
	uint64_t control_bytes; /* that belong to messages of the other way */
	uint64_t begin_bytes;   /* to make the connections that were seen */
	/* seen */
	bool unseen; /* nobody looked: neither end was captured */
	uint64_t seen_bytes;
	uint64_t seen_messages; /* by Open MPI's monitoring */
	struct pl_line_of_time left, arrived;
};

/* Start with {0}, end with fini. Pairs of which nothing is expected or seen are
 * not there. */
struct pl_audit_pairs {
	struct pl_audit_pair *v;
	size_t n, room;
	uint32_t *slot; /* [n_slots], a power of two: index of a pair + 1 */
	size_t n_slots;
};

/* The pair, made where it is not there yet; valid until the next one is made.
 * NULL: out of memory. */
struct pl_audit_pair *pl_pairs_get(struct pl_audit_pairs *pairs, uint32_t src,
				   uint32_t dst);
/* The same, or NULL where it is not there. */
struct pl_audit_pair *pl_pairs_find(const struct pl_audit_pairs *pairs,
				    uint32_t src, uint32_t dst);

/* By src, then dst; what find gave is not valid any more. */
int pl_pairs_sort(struct pl_audit_pairs *pairs, struct pl_err *err);

/* How messages become bytes of a pair. */
struct pl_expectation {
	const struct pl_job *job;   /* as many ranks as the pattern */
	const struct pl_wire *wire; /* NULL: user bytes alone are counted */
	uint64_t eager_bytes;
	uint64_t repeat; /* how often the pattern is run */
};

/* Adds what the pattern makes the nodes send; what stays on a node is left out.
 * 0, or -1 with @err set. */
int pl_pairs_expect(struct pl_audit_pairs *pairs, const struct pl_pattern *p,
		    const struct pl_expectation *x, struct pl_err *err);

/* Sum of all that is expected on the wire. */
uint64_t pl_pair_expected(const struct pl_audit_pair *pair);

void pl_pairs_fini(struct pl_audit_pairs *pairs);

#endif
