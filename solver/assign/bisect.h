/* SPDX-License-Identifier: BSD-3-Clause */
/* bisect.h - a graph in two parts of given sizes, with little between them */
#ifndef PLINK_SOLVER_ASSIGN_BISECT_H
#define PLINK_SOLVER_ASSIGN_BISECT_H

#include "base/err.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_bisect_edge {
	uint32_t to;
	double weight;
};

/* The edges of vertex v, each in the lists of both its ends, are edge[first[v]..first[v + 1]). */
struct pl_bisect_graph {
	size_t n;
	size_t *first;  /* [n + 1] */
	uint32_t *size; /* [n] of the vertices; NULL: 1 each */
	struct pl_bisect_edge *edge;
};

/*
 * Fills in second[n]: is the vertex in the second part? The first gets vertices of size @want in
 * all, if all have size 1; else about that. Multilevel: heavy edges are contracted until few
 * vertices are left, parts of these are grown, and on the way back vertices change sides where the
 * sum of the best moves pays (Fiduccia, Mattheyses, DAC 1982). 0, or -1 with @err set: out of
 * memory.
 */
int pl_bisect(const struct pl_bisect_graph *g, uint64_t want, struct pl_rng *rng, bool *second,
	      struct pl_err *err);

#endif
