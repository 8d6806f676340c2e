/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - any number of ranks made a power of two, as MPI libraries do it */
#ifndef PLINK_COSTMODELS_FOLD_H
#define PLINK_COSTMODELS_FOLD_H

#include <stddef.h>

/*
 * A number of ranks that is no power of two is folded: of the first 2 * extra
 * ranks one in two gives its data to its neighbour and stays out; the others
 * are renumbered 0 .. n - 1, a power of two.
 */
struct pl_fold {
	size_t n, extra;
	size_t keeps; /* which of the two stays: 0 the even one, 1 the
		       * odd one */
};

struct pl_fold pl_fold(size_t n_ranks, size_t keeps);
/* The rank whose number is @folded; its number, SIZE_MAX if it stays out. */
size_t pl_fold_unfold(const struct pl_fold *f, size_t folded);
size_t pl_fold_folded(const struct pl_fold *f, size_t rank);

#endif
