/* SPDX-License-Identifier: BSD-3-Clause */
/* deal.h - items of several sizes, dealt out to bins */
#ifndef PLINK_ENGINE_DEAL_H
#define PLINK_ENGINE_DEAL_H

#include <stddef.h>
#include <stdint.h>

struct pl_deal_item {
	uint32_t group; /* each group is dealt out by itself */
	uint32_t index; /* of the item */
	size_t size;
};

#define PL_DEAL_BINS_MAX 16

/*
 * Deals out the longest items first, each to the bin that has least of its
 * group so far: the fullest bin of a group has at most 4/3 - 1/(3 n_bins) of
 * what it has at best (R. L. Graham, Bounds on multiprocessing timing
 * anomalies, 1969, theorem 2). Sets bin[index] of each item; sorts item[n].
 * The result depends on sizes, groups and indices alone.
 */
void pl_deal(struct pl_deal_item *item, size_t n, size_t n_bins, uint8_t *bin);

#endif
