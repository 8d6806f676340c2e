/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-reduce-scatter-allgather.c - all-reduce: Rabenseifner's */
/*
 *   0 <-> 1   2 <-> 3     distance 1: each gives the half the other keeps
 *   0 <-----> 2           distance 2: half of what it has kept
 *       1 <-----> 3
 *   and back: distance 2, then distance 1, with reduced parts
 *
 * Cost: 2 log2 N exchanges, 2 (N - 1) / N of the buffer in all; where N is no
 * power of two, two messages of the whole buffer more, as in recursive
 * doubling. The largest messages go to the nearest ranks. Of fewer elements
 * than folded ranks the library runs recursive doubling instead, of none
 * nothing.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static uint32_t gather(const struct pl_mpich_rank *r, struct pl_mpich_halves *h)
{
	for (size_t mask = h->fold.n / 2; mask > 0; mask /= 2) {
		const size_t peer = pl_fold_unfold(&h->fold, h->folded ^ mask);
		const struct pl_range mine = pl_mpich_has(h);
		const struct pl_range other = pl_mpich_double(h, mask);

		pl_script_round(r->s, h->round++);
		pl_mpich_exchange(r,
				  (struct pl_mpich_exchange){peer, peer, mine, other, PL_STORES});
	}
	return h->round;
}

static void run(const struct pl_mpich_rank *r, struct pl_mpich_halves *h)
{
	const bool paired = r->rank < 2 * h->fold.extra;
	uint32_t round = 1;

	pl_script_data(r->s, 0, PL_ADDS);
	if (!r->in_place)
		pl_script_copy(r->s, r->bytes);
	if (paired && h->folded == SIZE_MAX) {
		pl_mpich_send(r, r->rank + 1, r->bytes);
	} else if (paired) {
		pl_mpich_recv(r, r->rank - 1, r->bytes);
		pl_script_reduce(r->s, r->bytes);
	}
	if (h->folded != SIZE_MAX) {
		h->round = h->fold.extra > 0;
		pl_mpich_halve(r, h);
		round = gather(r, h);
	}
	pl_script_round(r->s, round);
	pl_script_data(r->s, 0, PL_STORES);
	if (paired && h->folded == SIZE_MAX)
		pl_mpich_recv(r, r->rank + 1, r->bytes);
	else if (paired)
		pl_mpich_send(r, r->rank - 1, r->bytes);
}

static void part(const struct pl_mpich_rank *r)
{
	struct pl_mpich_halves h = pl_mpich_halves(r, 1);

	if (r->bytes / r->element_bytes >= h.fold.n)
		run(r, &h);
	else if (r->bytes > 0)
		pl_mpich_allreduce_recursive_doubling_part(r);
}

int pl_mpich_allreduce_reduce_scatter_allgather(struct pl_script *s, const struct pl_call *call,
						struct pl_err *err)
{
	return pl_mpich_allreduce(s, call, part, err);
}
