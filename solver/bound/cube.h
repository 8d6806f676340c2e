/* SPDX-License-Identifier: BSD-3-Clause */
/* cube.h - how many neighbours a set of vertices of a hypercube has at least */
#ifndef PLINK_SOLVER_BOUND_CUBE_H
#define PLINK_SOLVER_BOUND_CUBE_H

#include "base/err.h"

#include <stddef.h>

/*
 * For @n vertices that form cubes of @dim dimensions, side by side (2^dim
 * divides n): any @a vertices together with all their neighbours are at least
 * least[a] vertices, for a = 0 .. n. O(n 2^dim) time.
 * In one cube the minimum is reached by the first a vertices in the order of
 * weight, and within a weight by the positions of the ones: Harper, J. Combin.
 * Theory 1 (1966).
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_neighbours(size_t n, size_t dim, size_t *least, struct pl_err *err);

#endif
