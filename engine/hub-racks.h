/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-racks.h - slices of an all-reduce with hubs in each rack */
/*
 * PLink thesis, sections 2.3 and 6.1.9. In each slice, a hub of each rack adds up the ranks of its
 * rack, and one of these hubs what the others have:
 *
 *   round 0   ranks to the hub of their rack, which adds
 *   round 1   hubs to one of them, which adds
 *   round 2   that one to the others and to the ranks of its rack
 *   round 3   the others to their ranks
 *
 * So an uplink carries what its hubs have, however many ranks there are.
 */
#ifndef PLINK_ENGINE_HUB_RACKS_H
#define PLINK_ENGINE_HUB_RACKS_H

#include "base/err.h"
#include "engine/slices.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays are borrowed for the call. */
struct pl_hub_racks {
	size_t n_ranks, n_hubs, n_racks;
	/* [n_ranks + n_hubs], below n_racks: ranks, then hubs */
	const uint32_t *rack;
	const double *rate; /* [n_racks] of uplinks, above 0, in any unit */
};

/*
 * The slices. Racks have the sum of all in shares such that the slowest uplink takes as short as it
 * can (pl_hub_shares()), hubs of a rack in equal ones, as far as slices_max slices allow. *slices
 * must be {0}. 0, or -1 with @err set and *slices {0}: PL_EUSAGE for fewer than two racks and for a
 * rack without ranks or hubs, PL_ESYSTEM for memory.
 */
int pl_hub_rack_slices(struct pl_slices *slices, const struct pl_hub_racks *t, size_t slices_max,
		       struct pl_err *err);

/* The same with arrays of its own. Start with {0}, end with fini. */
struct pl_hub_grouping {
	struct pl_hub_racks racks; /* no racks: some host is in none */
	uint32_t *rack;            /* of these */
	double *rate;
};
void pl_hub_grouping_fini(struct pl_hub_grouping *g);

/* Numbers the racks: group[n_ranks + n_hubs] is the number of each one's group, or SIZE_MAX;
 * bps[group] the rates of uplinks, 0 where they are not known. NULL, or if the rate of a rack is
 * not known: all are alike. *g must be {0}. 0, or -1: out of memory. */
int pl_hub_grouping_init(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const size_t *group, const double *bps);

#endif
