/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-tree.c - barrier: up a binomial tree, and down again */
/*
 *   1 -> 0   3 -> 2   5 -> 4      up: distance 1, then 2, then 4
 *   2 -----> 0
 *   4 -----------> 0              down: the same hops back, farthest first
 *
 * Cost: twice the tree's depth, log2 N rounded up. A rank above 0 reports once
 * its own subtree has: its lowest set bit says at what distance.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

/* The round of the hops of that distance, going up. */
static uint32_t level(size_t jump)
{
	uint32_t k = 0;

	while (jump >>= 1)
		k++;
	return k;
}

static void run_rank(struct pl_script *s, size_t n, size_t rank)
{
	size_t top = 1; /* the largest distance, beyond it: none */

	pl_script_rank(s, rank);
	while (top < n)
		top *= 2;
	for (size_t jump = 1; jump < top; jump *= 2) {
		const size_t peer = rank ^ jump;

		if (peer % jump || peer >= n)
			continue;
		pl_script_round(s, level(jump));
		if (peer > rank)
			pl_script_recv(s, peer, 0);
		else
			pl_script_send(s, peer, 0);
	}
	for (size_t jump = top / 2; jump > 0; jump /= 2) {
		const size_t peer = rank ^ jump;

		if (peer % jump || peer >= n)
			continue;
		pl_script_round(s, 2 * level(top) - 1 - level(jump));
		if (peer > rank)
			pl_script_send(s, peer, 0);
		else
			pl_script_recv(s, peer, 0);
	}
}

int pl_openmpi_barrier_tree(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	(void)err;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos; rank++)
		run_rank(s, call->n_pos, rank);
	return 0;
}
