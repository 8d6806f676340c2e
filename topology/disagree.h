/* SPDX-License-Identifier: BSD-3-Clause */
/* disagree.h - hosts that measurements show in another place than the file */
#ifndef PLINK_TOPOLOGY_DISAGREE_H
#define PLINK_TOPOLOGY_DISAGREE_H

#include "base/err.h"
#include "topology/places.h"

#include <stddef.h>

/* The costs measured between hosts, and the place of each host. */
struct pl_places_measured {
	const struct pl_places *places;
	const ptrdiff_t *at; /* [n] index in places; < 0: not there */
	const double *c;     /* [n * n] costs; NaN where missing */
	size_t n;
};

/* A host that is nearer to the hosts of another place than to those of its own. own and near are
 * medians over the hosts of either place, each pair by the mean of its two directions. */
struct pl_disagreement {
	size_t host;  /* index of the host, below n */
	size_t other; /* the first host of the place that it is nearer to */
	double own, near;
};

#define PL_DISAGREE_FACTOR 1.25 /* the least own / near that is reported */

/*
 * Fills list[n] with the hosts whose median to the hosts of some other narrowest place, times
 * PL_DISAGREE_FACTOR, is less than the median to those of their own; the worst come first.
 * *n_judged counts the hosts that have measured pairs both within their own place and with another
 * place. O(n^2 log n). 0, or -1 with @err set: no memory.
 */
int pl_places_disagree(const struct pl_places_measured *tm, struct pl_disagreement *list,
		       size_t *n_list, size_t *n_judged, struct pl_err *err);

#endif
