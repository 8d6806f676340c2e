/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.h - groups of hosts where nobody says how many there are */
#ifndef PLINK_TOPOLOGY_RACKS_H
#define PLINK_TOPOLOGY_RACKS_H

#include "src/err.h"

#include <stddef.h>

/*
 * Fills rack[n] from cell[n * n] (NaN where missing), numbered by their first hosts,
 * and *n_racks.
 * The tree of average linkage is cut where its heights leave a gap: first where the
 * silhouette (Rousseeuw, 1987) is the best, then below, within the groups found,
 * and so on while the silhouette of the hosts that are parted, m of them, is at least
 * 0.25 + 0.8 / sqrt(m), or down to two fifths of that where what was measured from a
 * host to one part differs by less than 15 %: the finest groups that the numbers
 * bear out. So racks are found within rows, and hosts all equally far apart are one
 * group.
 * Means are those of fourth roots, which outliers sway less (and which, unlike
 * logarithms, are the same bits everywhere).
 * O(n^2) times the gaps tried, 40 at each level at most; 12 bytes a cell.
 * 0, or -1 with @err set: no memory.
 */
int pl_racks(const double *cell, size_t n, size_t *rack, size_t *n_racks,
	     struct pl_err *err);

#endif
