/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - any number of ranks reduced to a power of two, as MPI libraries do
 * it */
#ifndef PLINK_COSTMODELS_FOLD_H
#define PLINK_COSTMODELS_FOLD_H

#include <stddef.h>

/*
 * A number of ranks that is not a power of two is folded. Among the first 2 *
 * extra ranks, one of each two neighbours gives its data to the other and stays
 * out. The ranks that remain are renumbered 0 .. n - 1; n is the largest power
 * of two that is not above the number of ranks.
 */
struct pl_fold {
	size_t n, extra;
	size_t keeps; /* the one that remains: 0 the even, 1 the odd one */
};

struct pl_fold pl_fold(size_t n_ranks, size_t keeps);
/* The first: the rank that has the new number @folded. The second: the new
 * number of @rank, SIZE_MAX if it stays out. */
size_t pl_fold_unfold(const struct pl_fold *f, size_t folded);
size_t pl_fold_folded(const struct pl_fold *f, size_t rank);

#endif
