/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-binomial.c - reduce: whole buffers up a binomial tree */
/*
 *   1 --> root     round 0          ranks counted from the root, of 8
 *   2 --> root     round 1          3 --> 2, 5 --> 4, 7 --> 6
 *   4 --> root     round 2          6 --> 4
 *
 * Cost: the longest path; no segments, a rank takes its nearest child first.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

void pl_mpich_reduce_binomial_part(const struct pl_mpich_rank *r)
{
	const size_t me = (r->rank + r->n - r->root) % r->n;
	uint32_t round = 0;

	pl_script_data(r->s, 0, PL_ADDS);
	if (!r->in_place)
		pl_script_copy(r->s, r->bytes);
	for (size_t mask = 1; mask < r->n; mask *= 2, round++) {
		if (me & mask) {
			pl_script_round(r->s, round);
			pl_mpich_send(r, (me - mask + r->root) % r->n, r->bytes);
			return;
		}
		if (me + mask < r->n) {
			pl_mpich_recv(r, (me + mask + r->root) % r->n, r->bytes);
			pl_script_reduce(r->s, r->bytes);
		}
	}
}

int pl_mpich_reduce_binomial(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_reduce(s, call, pl_mpich_reduce_binomial_part, err);
}

int pl_mpich_reduce_binomial_shape(struct pl_shape *shape, const struct pl_call *call,
				   struct pl_err *err)
{
	return pl_mpich_tree_shape(shape, PL_REDUCE, call, err);
}
