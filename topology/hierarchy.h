/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchy.h - groups of hosts within groups: racks, rows, halls */
#ifndef PLINK_TOPOLOGY_HIERARCHY_H
#define PLINK_TOPOLOGY_HIERARCHY_H

#include "base/err.h"

#include <stddef.h>

#define PL_HIERARCHY_MAX 8

/* The groups of one level, numbered in the order of their first hosts. */
struct pl_hierarchy_level {
	size_t n;
	size_t *group; /* [hosts] the number of each host's group */
	size_t *first; /* [n] each group's first host */
};

/* level[0] has the narrowest groups. Each group of a level is within one group of the next; the
 * last level has at least two groups, unless it is level[0]. Start with {0}, end with fini. */
struct pl_hierarchy {
	size_t n_hosts, n;
	struct pl_hierarchy_level level[PL_HIERARCHY_MAX];
};

/* Fills @l, which must be empty, with one level: the groups @group[n]. 0, or -1 with @err set: no
 * memory; call fini in either case. */
int pl_hierarchy_one(struct pl_hierarchy *l, size_t n, const size_t *group, size_t n_groups,
		     struct pl_err *err);

/*
 * Fills @l, which must be empty, from the groups @group[n] (there are
 * @n_groups) and cell[n * n], NaN where missing. The groups of each further
 * level are what pl_racks() finds in the cells between those of the level
 * below: hosts of one group have no cell between them there. A level ends
 * the levels if it has one group, or as many as the level below.
 * 0, or -1 with @err set: no memory; call fini in either case.
 */
int pl_hierarchy_find(struct pl_hierarchy *l, const double *cell, size_t n, const size_t *group,
		      size_t n_groups, struct pl_err *err);

void pl_hierarchy_fini(struct pl_hierarchy *l);

#endif
