/* SPDX-License-Identifier: BSD-3-Clause */
/* cube.h - how many neighbours a set of vertices of a hypercube has at least */
#ifndef PLINK_SOLVER_BOUND_CUBE_H
#define PLINK_SOLVER_BOUND_CUBE_H

#include "base/err.h"

#include <stddef.h>

/*
 * @n vertices that are cubes of @dim dimensions, side by side (2^dim divides
 * n): whichever @a of them one takes, at least least[a] are among them or
 * next to one of them, a = 0 .. n. O(n 2^dim) time.
 * In one cube those are fewest for the first a vertices by weight, and by
 * position of the ones within a weight: Harper, J. Combin. Theory 1 (1966).
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_neighbours(size_t n, size_t dim, size_t *least, struct pl_err *err);

#endif
