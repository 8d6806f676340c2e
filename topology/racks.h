/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.h - groups of hosts where nobody says how many there are */
#ifndef PLINK_TOPOLOGY_RACKS_H
#define PLINK_TOPOLOGY_RACKS_H

#include "base/err.h"

#include <stddef.h>

/*
 * Fills rack[n] from cell[n * n] (NaN where missing), numbered by their first
 * hosts, and *n_racks.
 * Hosts are parted where that makes what was measured shorter to tell (the
 * least description length): logarithms by a mean within parts and one between
 * them, shares that hosts have in all they measure, and a spread, found from
 * the numbers: what is slower by more than three of these counts no more, for
 * disturbance only makes slower, and what is faster by more than nine; and who
 * is in which part, dearer for racks of many sizes. Each part is parted again
 * in the same way, by itself or together with the others, so racks are found
 * within rows; and hosts all equally far apart are one group, in whatever
 * noise: parts that noise makes up are not worth telling. Both directions count
 * by their mean, or by little more than the lesser one where they differ
 * unusually much. O(n^2) times some hundred on each level, 20 bytes a cell.
 * Same cells, same racks on every machine: no function but sqrt(), frexp() and
 * arithmetic is called. 0, or -1 with @err set: no memory.
 */
int pl_racks(const double *cell, size_t n, size_t *rack, size_t *n_racks,
	     struct pl_err *err);

#endif
