/* SPDX-License-Identifier: BSD-3-Clause */
/* linked.h - the largest set of hosts that chains of measured pairs link */
#ifndef PLINK_TOPOLOGY_LINKED_H
#define PLINK_TOPOLOGY_LINKED_H

#include "topology/known.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Of the hosts 0 to n - 1 those with in[host] true on entry: it stays true for
 * the largest set of them in which a chain of cells that are there, in either
 * direction, links every two, and becomes false for all others. Of sets as
 * large as one another the one with the first host. cell[n * n], NaN where
 * missing; the diagonal is not looked at. O(n^2). *n_in: hosts of that set. 0,
 * or -1: no memory.
 */
int pl_linked_most(const double *cell, size_t n, bool *in, size_t *n_in);

/* The same of links, in the time that these take. */
int pl_known_most(const struct pl_known *l, bool *in, size_t *n_in);

#endif
