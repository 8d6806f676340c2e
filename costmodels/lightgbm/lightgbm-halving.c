/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-halving.c - LightGBM's recursive halving, with pairs for what is
 * left */
/*
 *   N = 6 = 4 + 2: the last 2 * 2 ranks pair up, groups 0 | 1 | 2 3 | 4 5
 *            3 ==> 2   5 ==> 4      the whole buffer, and 2 and 4 lead
 *   step 0   0=2       1=4          the blocks of the other half of the groups
 *   step 1   0=1       2=4          ... of a quarter
 *            2 --> 3   4 --> 5      the other's own block
 *
 * Cost of N = 2^k: sum over k steps of its dearest exchange; the farthest
 * first, with half of the buffer. What textbooks do not have: the pairs are the
 * last ranks, and the lower of each leads; a leader's group counts as two
 * blocks, so that steps of unequal size meet; the blocks are rounded up and the
 * last ones may be short or empty.
 */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

#include <string.h>

/* n ranks in @n_groups, the last n - n_groups of them of two. */
struct groups {
	size_t n, n_groups, n_single;
};

static struct groups groups_of(size_t n)
{
	struct groups g = {.n = n, .n_groups = 1};

	while (2 * g.n_groups <= n)
		g.n_groups *= 2;
	g.n_single = 2 * g.n_groups - n;
	return g;
}

/* The first rank of a group, its leader; of the group behind the last, n. */
static size_t leader_of(const struct groups *g, size_t group)
{
	return group < g->n_single ? group : 2 * group - g->n_single;
}

static size_t group_of(const struct groups *g, size_t rank)
{
	return rank < g->n_single ? rank : (rank + g->n_single) / 2;
}

/* The steps of one rank. */
struct halving {
	enum { SINGLE, LEADER, OTHER } role;
	size_t neighbour; /* of a leader, of another */
	unsigned n_steps;
	struct pl_lightgbm_swap step[32];
};

static void halving_init(struct halving *h, size_t rank, size_t n)
{
	const struct groups g = groups_of(n);
	const size_t mine = group_of(&g, rank);

	memset(h, 0, sizeof(*h));
	if (mine >= g.n_single) {
		h->role = rank == leader_of(&g, mine) ? LEADER : OTHER;
		h->neighbour = h->role == LEADER ? rank + 1 : rank - 1;
	}
	for (size_t d = g.n_groups / 2; d > 0; d /= 2) {
		const size_t keep = mine / d * d, give = keep ^ d;
		const size_t kept_end = leader_of(&g, keep + d);
		const size_t given_end = leader_of(&g, give + d);

		if (h->role == OTHER)
			return;
		h->step[h->n_steps++] =
			(struct pl_lightgbm_swap){.dst = leader_of(&g, mine ^ d),
						  .send_first = leader_of(&g, give),
						  .n_send = given_end - leader_of(&g, give),
						  .src = leader_of(&g, mine ^ d),
						  .recv_first = leader_of(&g, keep),
						  .n_recv = kept_end - leader_of(&g, keep),
						  .taking = PL_ADDS};
	}
}

uint32_t pl_lightgbm_halving_rounds(size_t n)
{
	uint32_t rounds = pl_lightgbm_power_of_two(n) ? 0 : 2;

	for (; n > 1; n /= 2)
		rounds++;
	return rounds;
}

/* Blocks to the neighbour or from it; the leader adds, the other stores. The
 * bytes that came in. */
static uint64_t pass(struct pl_script *s, const struct pl_lightgbm_blocks *b,
		     const struct halving *h, bool sends, size_t first, size_t n)
{
	return pl_lightgbm_exchange(
		s, b,
		&(struct pl_lightgbm_swap){.dst = h->neighbour,
					   .send_first = first,
					   .n_send = sends ? n : 0,
					   .src = h->neighbour,
					   .recv_first = first,
					   .n_recv = sends ? 0 : n,
					   .taking = h->role == LEADER ? PL_ADDS : PL_STORES});
}

static void run_steps(struct pl_script *s, const struct halving *h,
		      const struct pl_lightgbm_blocks *b, uint32_t round)
{
	for (unsigned i = 0; i < h->n_steps; i++) {
		pl_script_round(s, round + i);
		pl_script_reduce(s, pl_lightgbm_exchange(s, b, &h->step[i]));
	}
}

void pl_lightgbm_run_halving(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b)
{
	const uint32_t last = b->first_round + pl_lightgbm_halving_rounds(b->n) - 1;
	const bool pairs = !pl_lightgbm_power_of_two(b->n);
	struct halving h;

	halving_init(&h, rank, b->n);
	pl_script_round(s, b->first_round);
	if (h.role == OTHER)
		pass(s, b, &h, true, 0, b->n);
	if (h.role == LEADER)
		pl_script_reduce(s, pass(s, b, &h, false, 0, b->n));
	run_steps(s, &h, b, b->first_round + pairs);
	pl_script_round(s, last);
	if (h.role == LEADER)
		pass(s, b, &h, true, h.neighbour, 1);
	if (h.role == OTHER)
		pass(s, b, &h, false, rank, 1);
	else
		pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
}
