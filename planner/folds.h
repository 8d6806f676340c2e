/* SPDX-License-Identifier: BSD-3-Clause */
/* folds.h - the parts of a cross-validation */
/* libsvm's own (svm_cross_validation) draws from rand(), and would tear the repeats of a
 * measurement apart. */
#ifndef PLINK_PLANNER_FOLDS_H
#define PLINK_PLANNER_FOLDS_H

#include "base/rng.h"

#include <stddef.h>

/* Deals n rows to k > 0 parts, the rows of a cell to the same one: of each k successive cells every
 * part gets one, at random. Row i is of cell[i]; the rows of a cell follow one another, and cells
 * are sorted by stratum. NULL: each row is a cell of its own. 0, or -1: out of memory. */
int pl_folds_deal(const size_t *cell, size_t n, size_t k, struct pl_rng *rng, size_t *part);

#endif
