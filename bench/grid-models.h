/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-models.h - plainer ways to tell bandwidths from a grid, to compare
 * with */
#ifndef PLINK_BENCH_GRID_MODELS_H
#define PLINK_BENCH_GRID_MODELS_H

#include "planner/srift/learned/grid.h"

/* Times as 2 (n - 1) (alpha + beta s / n), least squares of the relative error
 * over the rows of the same machine and transfers at once as in @asked: bus
 * bandwidth. NaN where there are none. */
double grid_line(const struct pl_grid *g, const struct pl_grid_row *asked);

/* The geometric mean of the nearest rows of the same machine: by the sum of
 * squares of differences of the logarithms of size, ranks and transfers at
 * once. */
double grid_nearest(const struct pl_grid *g, const struct pl_grid_row *asked);

#endif
