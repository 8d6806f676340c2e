/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-models.h - simpler models of bandwidth from a grid, for comparison */
#ifndef PLINK_BENCH_GRID_MODELS_H
#define PLINK_BENCH_GRID_MODELS_H

#include "planner/srift/learned/grid.h"

/* Bus bandwidth of @asked if its time is 2 (n - 1) (alpha + beta s / n). Alpha and beta are the
 * least squares of the relative error over the rows with the same machine and as many transfers at
 * once. NaN if there are none. */
double grid_line(const struct pl_grid *g, const struct pl_grid_row *asked);

/* Bus bandwidth of @asked as the geometric mean of the nearest rows of the same machine; NaN if
 * there are none. The distance is the sum of the squared differences of the logarithms of size,
 * ranks and transfers at once. */
double grid_nearest(const struct pl_grid *g, const struct pl_grid_row *asked);

#endif
