/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c - any number of ranks made a power of two, as MPI libraries do it */
#include "config.h"

#include "costmodels/fold.h"

#include <stdint.h>

struct pl_fold pl_fold(size_t n_ranks, size_t keeps)
{
	struct pl_fold f = {.n = 1, .keeps = keeps};

	while (f.n <= n_ranks / 2)
		f.n *= 2;
	f.extra = n_ranks - f.n;
	return f;
}

size_t pl_fold_unfold(const struct pl_fold *f, size_t folded)
{
	return folded < f->extra ? 2 * folded + f->keeps : folded + f->extra;
}

size_t pl_fold_folded(const struct pl_fold *f, size_t rank)
{
	if (rank >= 2 * f->extra)
		return rank - f->extra;
	return rank % 2 == f->keeps ? rank / 2 : SIZE_MAX;
}
