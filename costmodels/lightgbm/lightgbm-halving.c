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
	struct {
		size_t peer, send_first, n_send, recv_first, n_recv;
	} step[32];
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
		h->step[h->n_steps].peer = leader_of(&g, mine ^ d);
		h->step[h->n_steps].recv_first = leader_of(&g, keep);
		h->step[h->n_steps].n_recv = kept_end - leader_of(&g, keep);
		h->step[h->n_steps].send_first = leader_of(&g, give);
		h->step[h->n_steps].n_send = given_end - leader_of(&g, give);
		h->n_steps++;
	}
}

uint32_t pl_lightgbm_halving_rounds(size_t n)
{
	uint32_t rounds = pl_lightgbm_power_of_two(n) ? 0 : 2;

	for (; n > 1; n /= 2)
		rounds++;
	return rounds;
}

/* An empty buffer is not sent. */
static void send(struct pl_script *s, size_t dst, uint64_t bytes)
{
	if (bytes)
		pl_script_send(s, dst, bytes);
}

static void recv(struct pl_script *s, size_t src, uint64_t bytes)
{
	if (bytes)
		pl_script_recv(s, src, bytes);
}

static void run_steps(struct pl_script *s, const struct halving *h,
		      const struct pl_lightgbm_blocks *b, uint32_t round)
{
	for (unsigned i = 0; i < h->n_steps; i++) {
		const size_t peer = h->step[i].peer;
		const uint64_t bytes = pl_lightgbm_range(
			b, h->step[i].recv_first, h->step[i].n_recv);

		pl_script_round(s, round + i);
		pl_lightgbm_exchange(
			s,
			(struct pl_exchange){.dst = peer,
					     .src = peer,
					     .send_bytes = pl_lightgbm_range(
						     b, h->step[i].send_first,
						     h->step[i].n_send),
					     .recv_bytes = bytes});
		pl_script_reduce(s, bytes);
	}
}

void pl_lightgbm_run_halving(struct pl_script *s, size_t rank,
			     const struct pl_lightgbm_blocks *b)
{
	const uint32_t last =
		b->first_round + pl_lightgbm_halving_rounds(b->n) - 1;
	const bool pairs = !pl_lightgbm_power_of_two(b->n);
	struct halving h;

	halving_init(&h, rank, b->n);
	pl_script_round(s, b->first_round);
	if (h.role == OTHER)
		send(s, h.neighbour, b->total_bytes);
	if (h.role == LEADER) {
		recv(s, h.neighbour, b->total_bytes);
		pl_script_reduce(s, b->total_bytes);
	}
	run_steps(s, &h, b, b->first_round + pairs);
	pl_script_round(s, last);
	if (h.role == LEADER)
		send(s, h.neighbour, pl_lightgbm_range(b, h.neighbour, 1));
	if (h.role == OTHER)
		recv(s, h.neighbour, pl_lightgbm_range(b, rank, 1));
	else
		pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
}
