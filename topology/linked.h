/* SPDX-License-Identifier: BSD-3-Clause */
/* linked.h - the largest set of hosts that chains of measured pairs link */
#ifndef PLINK_TOPOLOGY_LINKED_H
#define PLINK_TOPOLOGY_LINKED_H

#include "topology/known.h"

#include <stdbool.h>
#include <stddef.h>

/* The one that stands for all that are linked with @a, by link[]: union-find, begun with link[i] =
 * i. */
static inline size_t pl_linked_root(size_t *link, size_t a)
{
	while (link[a] != a)
		a = link[a] = link[link[a]];
	return a;
}

/*
 * Two hosts are linked if a chain of measured cells, in either direction, leads from one to the
 * other. On entry in[host] is true for the hosts considered; on return it is true only for those in
 * the largest set of linked hosts. Of several largest sets, the one with the lowest host number is
 * taken. cell[n * n] is NaN where missing; the diagonal is ignored. O(n^2). *n_in is the size of
 * the set. 0, or -1: no memory.
 */
int pl_linked_most(const double *cell, size_t n, bool *in, size_t *n_in);

/* The same from known cells, in time proportional to their number. */
int pl_known_most(const struct pl_known *l, bool *in, size_t *n_in);

#endif
