/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-search.h - the parts that hosts are told the shortest in */
#ifndef PLINK_TOPOLOGY_RACKS_SEARCH_H
#define PLINK_TOPOLOGY_RACKS_SEARCH_H

#include "topology/racks-part.h"

#include <stdbool.h>
#include <stddef.h>

/* What parts look like in all wholes of a level, once that is known. */
struct pl_part_hint {
	bool known;
	double mean[2], spread;
};

/* A place to cut a tree. */
struct pl_part_cut {
	size_t n_merges;
	double worth;
};

/* One whole, or several, and how they may be parted. Start with {0}, or with
 * t.usual, t.usual_cells and a hint; end with fini. */
struct pl_part_search {
	struct pl_parting t;
	struct pl_part_fit none; /* if they are not */
	struct pl_part_hint hint;
	struct pl_cluster_merge *merge; /* [m - 1] */
	struct pl_part_cut *cut;        /* [m] */
	size_t *before, *best, *map;    /* [m] parts; scratch */
	double best_gain, best_spread;
};

/* Room for m hosts of so many wholes. 0, or -1: no memory; fini anyway. */
int pl_part_search_init(struct pl_part_search *s, size_t m, size_t n_wholes);
void pl_part_search_fini(struct pl_part_search *s);

/* From cells and wholes: fills @none. Of one whole the mean is found, of
 * several t.fit.mean has them. */
void pl_part_search_begin(struct pl_part_search *s);

/* Moves hosts between the parts they are in until nothing is gained: by *gain
 * nats all is shorter than unparted; -INFINITY where there is nothing to part.
 * 0, or -1: no memory. */
int pl_part_search_refine(struct pl_part_search *s, double *gain);

/*
 * The best parts of one whole, at best_gain: from cuts of the tree of average
 * linkage where its heights leave gaps, the best of them refined; then about
 * those by chance. 0, or -1: no memory.
 */
int pl_part_search_run(struct pl_part_search *s);

#endif
