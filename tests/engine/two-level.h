/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level.h - slices of two-level hierarchical aggregation (2LHA) */
/*
 * PLink thesis, sections 4.1.2 and 4.2.2. Of a slice, each group has a local master (LM), and one
 * of these is the global master (GM):
 *
 *   round 0   members to their LM, which adds      m m m m     m m m m
 *   round 1   LMs to the GM, which adds             \| |/       \| |/
 *   round 2   the GM to the LMs                      LM ______ LM = GM
 *   round 3   LMs to their members; the GM's members
 *             hear from it in round 2
 */
#ifndef PLINK_TESTS_ENGINE_TWO_LEVEL_H
#define PLINK_TESTS_ENGINE_TWO_LEVEL_H

#include "base/err.h"
#include "engine/slices.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays are borrowed for the call. */
struct pl_two_level {
	size_t n_ranks, n_groups;
	const uint32_t *group; /* [n_ranks], below n_groups; none is empty */
	/* [n_groups]: each group's share of the GMs, in relation to the others; not all 0. NULL: as
	 * many as it has members (AggEngine's rule). */
	const double *share;
	const double *rate; /* [n_ranks]: of cards; as for pl_levels_slices */
};

/* The slices of these two levels, made and refused as by pl_levels_slices. */
int pl_two_level_slices(struct pl_slices *slices, const struct pl_two_level *t, struct pl_err *err);

#endif
