/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-reduce-scatter-gather.c - reduce: Rabenseifner's */
/*
 *   0 <-> 1   2 <-> 3     distance 1: each gives the half the other keeps
 *   0 <-----> 2           distance 2: half of what it has kept
 *       1 <-----> 3
 *   2 --> 0, 3 --> 1      distance 2: to the one nearer to the root
 *   1 --> 0               distance 1
 *
 * Cost: log2 N exchanges and as many messages on the way to the root. Where N
 * is no power of two, of the first ranks the even ones stay: the odd ones send
 * them the whole buffer first. A root that stays out takes the place of rank 0
 * for the gathering and gets what that has in one message more. Of fewer
 * elements than folded ranks the library runs "binomial" instead.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

struct gathering {
	size_t root;   /* its number among the folded ranks */
	bool replaces; /* it stands for rank 0 */
};

static struct gathering gathering_of(const struct pl_mpich_rank *r, const struct pl_fold *fold)
{
	const size_t root = pl_fold_folded(fold, r->root);

	return (struct gathering){
		.root = root == SIZE_MAX ? 0 : root,
		.replaces = root == SIZE_MAX,
	};
}

/* The root has been given the place of the first rank: its first block, and the
 * number 0. */
static void replace(const struct pl_mpich_rank *r, struct pl_mpich_halves *h)
{
	if (r->rank == r->root) {
		h->folded = 0;
		h->n = 1;
		pl_script_data(r->s, 0, PL_STORES);
		pl_mpich_recv(r, 0, pl_mpich_has(h).bytes);
	} else if (h->folded == 0) {
		pl_script_round(r->s, h->round);
		pl_script_data(r->s, 0, PL_STORES);
		pl_mpich_send(r, r->root, pl_mpich_has(h).bytes);
		h->folded = SIZE_MAX;
	}
	h->round++;
}

static void gather(const struct pl_mpich_rank *r, struct pl_mpich_halves *h,
		   const struct gathering *g)
{
	for (size_t mask = h->fold.n / 2; mask > 0; mask /= 2, h->round++) {
		const size_t other = h->folded ^ mask;
		const size_t peer =
			other == 0 && g->replaces ? r->root : pl_fold_unfold(&h->fold, other);
		struct pl_range part = pl_mpich_has(h);

		if (other / mask == g->root / mask) {
			pl_script_round(r->s, h->round);
			pl_script_data(r->s, part.at, PL_STORES);
			pl_mpich_send(r, peer, part.bytes);
			return;
		}
		part = pl_mpich_double(h, mask);
		pl_script_data(r->s, part.at, PL_STORES);
		pl_mpich_recv(r, peer, part.bytes);
	}
}

static void run(const struct pl_mpich_rank *r, struct pl_mpich_halves *h)
{
	const struct gathering g = gathering_of(r, &h->fold);
	const bool paired = r->rank < 2 * h->fold.extra;

	pl_script_data(r->s, 0, PL_ADDS);
	if (!r->in_place)
		pl_script_copy(r->s, r->bytes);
	if (paired && h->folded == SIZE_MAX) {
		pl_mpich_send(r, r->rank - 1, r->bytes);
	} else if (paired) {
		pl_mpich_recv(r, r->rank + 1, r->bytes);
		pl_script_reduce(r->s, r->bytes);
	}
	h->round = h->fold.extra > 0;
	if (h->folded != SIZE_MAX)
		pl_mpich_halve(r, h);
	if (g.replaces)
		replace(r, h);
	if (h->folded != SIZE_MAX)
		gather(r, h, &g);
}

void pl_mpich_reduce_scatter_gather_part(const struct pl_mpich_rank *r)
{
	struct pl_mpich_halves h = pl_mpich_halves(r, 0);

	if (r->bytes / r->element_bytes < h.fold.n)
		pl_mpich_reduce_binomial_part(r);
	else
		run(r, &h);
}

int pl_mpich_reduce_reduce_scatter_gather(struct pl_script *s, const struct pl_call *call,
					  struct pl_err *err)
{
	return pl_mpich_reduce(s, call, pl_mpich_reduce_scatter_gather_part, err);
}
