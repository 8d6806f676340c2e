/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.h - how many of the masters each group should have */
#ifndef PLINK_ENGINE_SHARES_H
#define PLINK_ENGINE_SHARES_H

#include "engine/levels.h"

#include <stddef.h>

/* What a group can send and receive, in any unit; 0: no limit. */
struct pl_group_rates {
	double uplink;
	/* [n_cards] of its ranks, where these have no groups of their own; 0: not known */
	const double *card;
	size_t n_cards;
};

/*
 * A group that has a share x of the masters of @n groups sends the sums of the other slices once
 * over its uplink, and the results of its own to each other group: 1 + x (n - 2) times the buffer,
 * and receives as much. The cards of its m ranks send m + m - 1 + x (n - 2) buffers, each of them
 * at least one: their own, those from masters to the others of the group, and the results to other
 * groups. Sets share[n], which sum to 1, so that the slowest uplink or group of cards takes as
 * short as it can; what is left to choose is divided evenly. Where no group has a limit: even
 * shares.
 */
void pl_master_shares(size_t n, const struct pl_group_rates *group, double *share);

/* The same for the children of every group of the tree: rate[n_nodes] of uplinks and cards,
 * share[n_nodes]. 0, or -1: out of memory. */
int pl_uplink_shares(const struct pl_rank_tree *t, const double *rate, double *share);

/*
 * Quicktune's rule (PLink thesis, section 4.2.3): share[n_nodes] of a node is the sum of the rates
 * from all ranks in it to all ranks elsewhere in its group. rate[n_ranks * n_ranks]: from rank to
 * rank, in any unit.
 */
void pl_bandwidth_shares(const struct pl_rank_tree *t, const double *rate, double *share);

#endif
