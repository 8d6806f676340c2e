/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.h - hosts and some of the links between them */
#ifndef PLINK_SOLVER_GRAPH_H
#define PLINK_SOLVER_GRAPH_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* A link between two hosts; it costs the same in both directions. */
struct pl_graph_link {
	double cost;
	uint32_t a, b;
};

/* The links of host h: to[i], cost[i] with first[h] <= i < first[h + 1]. */
struct pl_graph {
	size_t n, n_links;
	size_t *first; /* [n + 1] */
	uint32_t *to;
	double *cost;
	uint32_t *heap, *place; /* [n] for pl_graph_span */
};

/* A link may be given several times. Sorts link[]; its first g->n_links entries
 * are then the distinct links. 0, or -1 with @err set and nothing to release:
 * out of memory. */
int pl_graph_init(struct pl_graph *g, size_t n, struct pl_graph_link *link,
		  size_t n_links, struct pl_err *err);
void pl_graph_fini(struct pl_graph *g);

/*
 * The least spanning tree by cost + price[a] + price[b] (Prim, with a heap).
 * For each host but 0: parent[h] is the host its link leads to, key[h] the cost
 * of the link with both prices. Hosts that cannot be reached keep key INFINITY.
 * O(links log n).
 */
void pl_graph_span(struct pl_graph *g, const double *price, double *key,
		   size_t *parent);

#endif
