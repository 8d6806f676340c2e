/* SPDX-License-Identifier: BSD-3-Clause */
/* halves.c - blocks of a buffer, reduced by halves and put together again */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static struct pl_range range(const struct pl_mpich_halves *h, size_t first)
{
	return pl_block_range(&h->blocks, first, h->n);
}

struct pl_mpich_halves pl_mpich_halves(const struct pl_mpich_rank *r, size_t keeps)
{
	struct pl_mpich_halves h = {.fold = pl_fold(r->n, keeps)};

	h.blocks = (struct pl_blocks){r->bytes, r->element_bytes, h.fold.n};
	h.folded = pl_fold_folded(&h.fold, r->rank);
	h.n = h.fold.n;
	return h;
}

void pl_mpich_halve(const struct pl_mpich_rank *r, struct pl_mpich_halves *h)
{
	for (size_t mask = 1; mask < h->fold.n; mask *= 2) {
		const size_t peer = pl_fold_unfold(&h->fold, h->folded ^ mask);
		size_t given = h->first;

		h->n /= 2;
		if (h->folded & mask)
			h->first += h->n;
		else
			given += h->n;
		pl_script_round(r->s, h->round++);
		pl_mpich_exchange(r, (struct pl_mpich_exchange){peer, peer, range(h, given),
								pl_mpich_has(h), PL_ADDS});
		pl_script_reduce(r->s, pl_mpich_has(h).bytes);
	}
}

struct pl_range pl_mpich_double(struct pl_mpich_halves *h, size_t mask)
{
	const size_t other = h->folded & mask ? h->first - h->n : h->first + h->n;
	const struct pl_range part = range(h, other);

	if (other < h->first)
		h->first = other;
	h->n *= 2;
	return part;
}

struct pl_range pl_mpich_has(const struct pl_mpich_halves *h)
{
	return range(h, h->first);
}
