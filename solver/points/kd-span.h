/* SPDX-License-Identifier: BSD-3-Clause */
/* kd-span.h - the least spanning tree of points that have prices */
#ifndef PLINK_SOLVER_POINTS_KD_SPAN_H
#define PLINK_SOLVER_POINTS_KD_SPAN_H

#include "base/err.h"
#include "solver/graph.h"
#include "solver/points/kd.h"

/*
 * The tree whose sum of distance + (price[i] + price[j]) is least among all
 * spanning trees of the points: link[n - 1], cost is the distance. Each
 * component takes its cheapest way out, again and again (Boruvka 1926); a way
 * is looked for in the k-d tree, whose nodes know their least price and whether
 * all their points are of one component. 0, or -1 with @err set: out of memory.
 */
int pl_kd_span(const struct pl_kd *kd, const double *price,
	       struct pl_graph_link *link, struct pl_err *err);

#endif
