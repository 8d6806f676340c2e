/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-binomial.c - broadcast: whole buffers down a binomial tree */
/*
 *   root --> 4     round 0          ranks counted from the root, of 8
 *   root --> 2     round 1          4 --> 6
 *   root --> 1     round 2          2 --> 3, 4 --> 5, 6 --> 7
 *
 * Cost: the longest path; no segments, a rank sends to its farthest child
 * first.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

/* What a rank that is so far from the root stands for: itself and those behind
 * it, a power of two; the root: a power of two no less than all. */
static size_t subtree(size_t n, size_t from_root)
{
	size_t size = 1;

	while (size < n && !(from_root & size))
		size *= 2;
	return size;
}

void pl_mpich_broadcast_binomial_part(const struct pl_mpich_rank *r)
{
	const size_t me = (r->rank + r->n - r->root) % r->n;
	const size_t size = subtree(r->n, me);
	size_t all = subtree(r->n, 0);
	uint32_t round = 0;

	if (r->bytes == 0)
		return;
	pl_script_data(r->s, 0, PL_STORES);
	if (me > 0)
		pl_mpich_recv(r, (me - size + r->root) % r->n, r->bytes);
	while ((all /= 2) > 0) {
		if (all < size && me + all < r->n) {
			pl_script_round(r->s, round);
			pl_mpich_send(r, (me + all + r->root) % r->n, r->bytes);
		}
		round++;
	}
}

int pl_mpich_broadcast_binomial(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_broadcast(s, call, pl_mpich_broadcast_binomial_part, err);
}

int pl_mpich_broadcast_binomial_shape(struct pl_shape *shape, const struct pl_call *call,
				      struct pl_err *err)
{
	return pl_mpich_tree_shape(shape, PL_BROADCAST, call, err);
}
