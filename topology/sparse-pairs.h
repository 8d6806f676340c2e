/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-pairs.h - the pairs asked for so far and their measured distances */
#ifndef PLINK_TOPOLOGY_SPARSE_PAIRS_H
#define PLINK_TOPOLOGY_SPARSE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_SPARSE_END UINT32_MAX

/* A pair; it is in the lists of both its hosts. */
struct pl_sparse_edge {
	uint32_t host[2], next[2]; /* next in the list of host[k] */
	float distance;            /* NAN: not known (yet) */
};

/* Start with init, end with fini. */
struct pl_sparse_pairs {
	struct pl_sparse_edge *edge;
	size_t n, room;
	uint32_t *head;   /* [n_hosts] */
	uint32_t *degree; /* [n_hosts] */
	size_t n_hosts;
};

int pl_sparse_pairs_init(struct pl_sparse_pairs *p, size_t n_hosts);
void pl_sparse_pairs_fini(struct pl_sparse_pairs *p);

/* The pair, or NULL. */
struct pl_sparse_edge *pl_sparse_pairs_find(const struct pl_sparse_pairs *p, size_t a, size_t b);

/* Adds a pair, which must not be there yet. 0, or -1: no memory. */
int pl_sparse_pairs_add(struct pl_sparse_pairs *p, size_t a, size_t b);

/* The distance of a pair; NAN: not known. */
double pl_sparse_pairs_get(const struct pl_sparse_pairs *p, size_t a, size_t b);

/* Walks the list of a host's pairs: start with @at = p->head[host]. Sets *other to the other host
 * and *distance, NAN where not known; returns the next @at, PL_SPARSE_END at the end. */
uint32_t pl_sparse_pairs_walk(const struct pl_sparse_pairs *p, size_t host, uint32_t at,
			      size_t *other, double *distance);

#endif
