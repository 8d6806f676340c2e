/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.h - on which node a capture was taken, and what none of them could
 * see */
#ifndef PLINK_AUDIT_OWNER_H
#define PLINK_AUDIT_OWNER_H

#include "audit/pairs.h"
#include "audit/trace.h"
#include "audit/who.h"

#include <stddef.h>

/*
 * Fills in the owners that are not known: the node at one end of every packet
 * between nodes. Where two are (a capture of one pair), the one that owns no
 * other capture. A capture that has no such node was taken between them all.
 * 0, or -1: out of memory.
 */
int pl_owners_find(struct pl_trace *trace, size_t n, const struct pl_who *who);

/* Marks the pairs of which neither end has a capture, unless one was taken
 * between them all. 0, or -1: out of memory. */
int pl_owners_unseen(struct pl_audit_pairs *pairs, const struct pl_trace *trace,
		     size_t n, size_t n_nodes);

#endif
