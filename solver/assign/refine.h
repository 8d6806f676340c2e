/* SPDX-License-Identifier: BSD-3-Clause */
/* refine.h - vertices change sides where that pays */
#ifndef PLINK_SOLVER_ASSIGN_REFINE_H
#define PLINK_SOLVER_ASSIGN_REFINE_H

#include "solver/assign/bisect.h"

/* Improves second[n] by passes of Fiduccia and Mattheyses, for a first part of the size @want,
 * which it has afterwards except for the size of a vertex less one; *cut becomes the weight between
 * the parts. 0, or -1: out of memory. */
int pl_bisect_refine(const struct pl_bisect_graph *g, uint64_t want, bool *second, double *cut);

#endif
