/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.h - the node that a capture was taken on, and the pairs that no capture shows */
#ifndef PLINK_AUDIT_OWNER_H
#define PLINK_AUDIT_OWNER_H

#include "audit/pairs.h"
#include "audit/trace.h"
#include "audit/who.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Fills in the owners. The owner of a capture is the node that is an end of all connections between
 * nodes in it. If both ends of them are the same two nodes (a capture of one pair), it is the node
 * that owns no other capture. If there is no such node, the capture was taken between the nodes,
 * and `between` is set. 0, or -1: out of memory.
 */
int pl_owners_find(struct pl_trace *trace, size_t n, const struct pl_who *who);

/* Marks the pairs as unseen of which neither node has a capture, unless one was taken between the
 * nodes. 0, or -1: out of memory. */
int pl_owners_unseen(struct pl_audit_pairs *pairs, const struct pl_trace *trace, size_t n,
		     size_t n_nodes);

#endif
