/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.h - several captures of one job make one picture */
#ifndef PLINK_AUDIT_MERGE_H
#define PLINK_AUDIT_MERGE_H

#include "audit/pairs.h"
#include "audit/portlist.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_capture_merge {
	struct pl_trace *trace; /* [n_traces]; owners are filled in */
	size_t n_traces;
	const struct pl_who *who;
	size_t n_nodes;
	const struct pl_wire *wire;
	/* of the end that was connected to; where that is not known, either */
	const struct pl_port_list *ports, *not_ports;
	bool times; /* fill in left and arrived */
};

struct pl_merge_sums {
	uint64_t packets, other_packets, cut_packets, fragments;
	uint64_t connections; /* that count */
	uint64_t unbegun;     /* of them: directions whose first packet is
			       * not there */
	uint64_t other_ports_bytes, stranger_bytes; /* that do not count */
	uint64_t again_bytes, lost_bytes;           /* of those that count */
};

/*
 * Adds to the pairs what passed between the nodes. A byte counts once, in
 * however many captures it is and however often it was sent. The times of what
 * leaves a node and of what arrives there are taken from the node's own capture
 * where there is one: no two clocks are ever compared.
 * 0, or -1 with @err set: out of memory.
 */
int pl_merge_traces(struct pl_audit_pairs *pairs,
		    const struct pl_capture_merge *merge,
		    struct pl_merge_sums *sums, struct pl_err *err);

#endif
