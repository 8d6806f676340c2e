/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-search.h - the search for the parts with the shortest description */
#ifndef PLINK_TOPOLOGY_RACKS_SEARCH_H
#define PLINK_TOPOLOGY_RACKS_SEARCH_H

#include "topology/racks-part.h"

#include <stdbool.h>
#include <stddef.h>

/* Means and spread that the parts of all wholes of a level have, once known. */
struct pl_part_hint {
	bool known;
	double mean[2], spread;
};

/* A place to cut the tree of merges. */
struct pl_part_cut {
	size_t n_merges;
	double worth;
};

/* The search over one whole or several. Start with {0}, or with t.usual, t.usual_cells and a hint
 * set; end with fini. */
struct pl_part_search {
	struct pl_parting t;
	struct pl_part_fit none; /* the model without parts */
	struct pl_part_hint hint;
	struct pl_cluster_merge *merge; /* [m - 1] */
	struct pl_part_cut *cut;        /* [m] */
	size_t *before, *best, *map;    /* [m] partitions and scratch */
	double best_gain, best_spread;
};

/* Makes room for m hosts in n_wholes wholes. 0, or -1: no memory; call fini in either case. */
int pl_part_search_init(struct pl_part_search *s, size_t m, size_t n_wholes);
void pl_part_search_fini(struct pl_part_search *s);

/* Fills @none from the cells and wholes. The mean of a single whole is computed; those of several
 * must be in t.fit.mean. */
void pl_part_search_begin(struct pl_part_search *s);

/* Moves hosts between parts until the description no longer becomes shorter. *gain is how many nats
 * shorter it is than without parts, -INFINITY where there is nothing to part. 0, or -1: no
 * memory. */
int pl_part_search_refine(struct pl_part_search *s, double *gain);

/*
 * Finds the best parts of one whole; best_gain is their gain. Candidates are cuts of the average
 * linkage tree at the gaps between its heights; the best of them are refined, then varied at
 * random. 0, or -1: no memory.
 */
int pl_part_search_run(struct pl_part_search *s);

#endif
