/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.h - groups of hosts, whose number is found from the measurements */
#ifndef PLINK_TOPOLOGY_RACKS_H
#define PLINK_TOPOLOGY_RACKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* The means within and between groups and the spread: three values or fewer have them in any
 * division, and tell none. */
#define PL_RACKS_PAIRS 4

/* Are so many pairs of cell[n * n] measured, one way or both? Of one host there is nothing to
 * tell. */
bool pl_racks_can_tell(const double *cell, size_t n);

#define PL_RACKS_TOO_FEW "too few measurements to tell racks"

/*
 * Fills rack[n] from cell[n * n] (NaN where missing) with group numbers in the
 * order of the groups' first hosts, and *n_racks.
 * Hosts are divided where that gives the measured values a shorter description
 * (minimum description length). The model describes the logarithm of a value by
 * one mean within groups and another between groups, a share that each host
 * adds to all its values, and a spread; all are estimated from the values.
 * Deviations of more than three spreads above the mean count as three, because
 * a disturbance only makes a value slower; below the mean the limit is nine.
 * The description includes which host is in which group, and is longer for
 * groups of many different sizes. Each group is divided again in the same way,
 * by itself or together with the others, so racks within rows are found. Hosts
 * that are all equally far apart stay one group, whatever the noise: groups
 * that noise suggests do not pay for their description.
 * The two directions of a pair count by their mean, or by little more than the
 * lesser one where they differ unusually much. O(n^2) times some hundred on
 * each level, 20 bytes a cell. The same cells give the same racks on every
 * machine: no functions but sqrt(), frexp() and arithmetic are used. 0, or -1
 * with @err set: no memory.
 */
int pl_racks(const double *cell, size_t n, size_t *rack, size_t *n_racks, struct pl_err *err);

#endif
