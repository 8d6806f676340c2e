/* SPDX-License-Identifier: BSD-3-Clause */
/* kd-span.h - the least spanning tree of points with prices */
#ifndef PLINK_SOLVER_POINTS_KD_SPAN_H
#define PLINK_SOLVER_POINTS_KD_SPAN_H

#include "base/err.h"
#include "solver/graph.h"
#include "solver/points/kd.h"

/*
 * The tree with the least sum of distance + (price[i] + price[j]) among all
 * spanning trees of the points. link[n - 1] gets its links; their cost is the
 * distance. Each component takes its cheapest link to another one, again and
 * again (Boruvka 1926). The search for it uses the k-d tree: each node knows
 * the least price of its points and whether all of them are in one component.
 * 0, or -1 with @err set: out of memory.
 */
int pl_kd_span(const struct pl_kd *kd, const double *price,
	       struct pl_graph_link *link, struct pl_err *err);

#endif
