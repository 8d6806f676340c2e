/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-broadcast.c - Gloo's broadcasts: a binomial tree, and all from the
 * root */
/*
 *   0 -> 1           gloo::broadcast(), ranks counted from the root: in round
 *   0 -> 2  1 -> 3   i all who have it send it 2^i ranks on, the near ones
 *   0 -> 4  ...      first; they wait for their sends when they have begun all
 *
 *   1 -> 0 "clear to send", 0 => 1     the class BroadcastOneToAll: the root
 *   2 -> 0 "clear to send", 0 => 2     takes the others in rising order
 *
 * What textbooks do not have: the tree's nearest hops come first, where the
 * usual binomial tree begins with the farthest; a class' root awaits an int of
 * each rank before it sends to that one.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

/* The rank that stands @v behind the root. */
static size_t real_rank(const struct pl_call *call, size_t v)
{
	return (v + call->root) % call->n_pos;
}

static void run_rank(struct pl_script *s, const struct pl_call *call, size_t v)
{
	const size_t n = call->n_pos;
	uint32_t round = 0;

	pl_script_rank(s, real_rank(call, v));
	for (size_t bit = 1; bit < n; bit <<= 1) {
		pl_script_round(s, round++);
		if (v & bit && v < 2 * bit)
			pl_script_recv(s, real_rank(call, v ^ bit), call->bytes);
		else if (v < bit && (v ^ bit) < n)
			pl_script_isend(s, real_rank(call, v ^ bit), call->bytes);
	}
}

int pl_gloo_binomial(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n; rank++)
		run_rank(s, call, (rank + n - call->root) % n);
	return 0;
}

int pl_gloo_binomial_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	*shape = (struct pl_shape){.kind = PL_LONGEST_PATH, .n_pos = n};
	for (size_t bit = 1; bit < n; bit <<= 1)
		for (size_t v = bit; v < n && v < 2 * bit; v++)
			if (pl_shape_add(shape,
					 (struct pl_hop){.src = (uint32_t)real_rank(call, v ^ bit),
							 .dst = (uint32_t)real_rank(call, v),
							 .times = 1,
							 .bytes = (double)call->bytes},
					 err))
				return -1;
	return 0;
}

static void run_root(struct pl_script *s, const struct pl_call *call)
{
	uint32_t round = 0;

	for (size_t peer = 0; peer < call->n_pos; peer++) {
		if (peer == call->root)
			continue;
		pl_script_round(s, round++);
		pl_gloo_await(s, peer);
		pl_script_isend(s, peer, call->bytes);
	}
}

int pl_gloo_one_to_all(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos, root = call->root;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n; rank++) {
		pl_script_rank(s, rank);
		if (rank == root) {
			run_root(s, call);
			continue;
		}
		pl_script_round(s, (uint32_t)(rank - (rank > root)));
		pl_gloo_notify(s, root);
		pl_script_recv(s, root, call->bytes);
	}
	return 0;
}
