/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.h - several captures of one job, put together */
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
	/* ports of the accepting end; if that end is not known, ports of either end */
	const struct pl_port_list *ports, *not_ports;
	bool times; /* fill in left and arrived of the pairs */
};

struct pl_merge_sums {
	uint64_t packets, cut_packets, fragments;
	uint64_t connections; /* directions of connections that count */
	/* of these, the ones whose first packet was not captured */
	uint64_t unbegun;
	/* of connections that do not count */
	uint64_t other_ports_bytes, stranger_bytes;
	uint64_t again_bytes, lost_bytes; /* of connections that count */
};

/*
 * Adds the bytes that passed between the nodes to @pairs. A byte counts once, however many captures
 * have it and however often it was sent. The times of the bytes that leave a node, and of those
 * that arrive there, come from the node's own capture if there is one; two clocks are never
 * compared. Fills in the owners of the traces that are not known (pl_owners_find). 0, or -1 with
 * @err set: out of memory.
 */
int pl_merge_traces(struct pl_audit_pairs *pairs, const struct pl_capture_merge *merge,
		    struct pl_merge_sums *sums, struct pl_err *err);

#endif
