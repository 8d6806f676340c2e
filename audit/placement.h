/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.h - the ranks of a job and their hosts */
#ifndef PLINK_AUDIT_PLACEMENT_H
#define PLINK_AUDIT_PLACEMENT_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Jobs of more ranks are refused. */
#define PL_PLACEMENT_RANKS_MAX 65536

/* Start with {0}, end with fini. A node is a host; a host with several lines is one node. */
struct pl_placement {
	struct pl_hosts node;
	uint32_t *node_of; /* [n_ranks] */
	size_t n_ranks;
};

/*
 * Reads a plan, whose first order gives the ranks, a schedule, or a host list with a line for each
 * host or each rank. "-" is standard input, read to its end. 0, or -1 with @job empty and @err set.
 */
int pl_placement_read(struct pl_placement *job, const char *path, struct pl_err *err);

/* The same from text in memory. */
int pl_placement_parse(struct pl_placement *job, struct pl_text *text, struct pl_err *err);

/* A job with one node for each rank, called "0", "1", ...: for data that tell ranks and not hosts.
 * 0, or -1 with @job empty and @err set: out of memory. */
int pl_placement_of_ranks(struct pl_placement *job, size_t n_ranks, struct pl_err *err);

/* The number of consecutive ranks on each node; 1 if it is not the same for all nodes, or the ranks
 * of a node are not consecutive. */
size_t pl_placement_slots(const struct pl_placement *job);

/* Is each rank on a node of its own? */
bool pl_placement_is_spread(const struct pl_placement *job);

void pl_placement_fini(struct pl_placement *job);

#endif
