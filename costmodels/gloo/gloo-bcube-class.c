/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-bcube-class.c - Gloo's AllreduceBcube: digits of the rank to base B */
/*
 *   N = 8, B = 4
 *   step 0   0=1=2=3 4=5=6=7              a quarter, to each of three others
 *   step 1   0=4 1=5 2=6 3=7              ranks that differ in the next digit
 *   ... and the same in reverse to gather
 *
 * Cost of N = B^k: sum over k steps, both ways, of its dearest exchange.
 * What textbooks do not have: parts are rounded down and the last of a group
 * gets the rest; with fewer elements than peers each still gets one, so that
 * some elements are sent twice; each part is followed by a notification.
 *
 * Its sums are right only where N is B^k, or that times a number below B (12 by
 * 4, not 12 by 2 or by 3): else ranks that have no group sit steps out, and
 * groups of ranks with unequal pasts divide what their first rank has. Gloo
 * raises no error there, and the pattern shows what it sends all the same.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/gloo/algorithms.h"

#include <stdlib.h>

struct bcube {
	size_t n_pos, base;
	uint64_t elements, element_bytes;
	unsigned n_steps;
	struct pl_request *in; /* [n_pos], by peer */
};

/* A rank's group in one step: its first rank, its size, the rank's place. */
struct group {
	size_t distance, first, size, mine;
};

static struct group group_of(const struct bcube *c, size_t rank, unsigned step)
{
	struct group g = {.distance = 1};

	while (step-- > 0)
		g.distance *= c->base;
	g.mine = rank / g.distance % c->base;
	g.first = rank - g.mine * g.distance;
	g.size = (c->n_pos - 1 - g.first) / g.distance + 1;
	if (g.size > c->base)
		g.size = c->base;
	return g;
}

/* What @rank answers for after that step. */
static struct pl_gloo_part part(const struct bcube *c, size_t rank, unsigned step)
{
	const struct group g = group_of(c, rank, step);
	struct pl_gloo_part all = {0, c->elements};
	uint64_t count;

	if (step > 0)
		all = part(c, g.first, step - 1);
	if (all.count < g.size)
		all.count = g.size;
	count = all.count / g.size;
	return (struct pl_gloo_part){(all.at + g.mine * count) % c->elements,
				     count + (g.mine == g.size - 1 ? all.count % g.size : 0)};
}

static uint64_t bytes(const struct bcube *c, size_t rank, unsigned step)
{
	return part(c, rank, step).count * c->element_bytes;
}

/* What @owner answers for after that step, from a peer or to one. */
static struct pl_request expect(struct pl_script *s, const struct bcube *c, size_t peer,
				size_t owner, unsigned step, enum pl_taking taking)
{
	pl_script_data(s, part(c, owner, step).at * c->element_bytes, taking);
	return pl_script_irecv(s, peer, bytes(c, owner, step));
}

static void send(struct pl_script *s, const struct bcube *c, size_t peer, size_t owner,
		 unsigned step)
{
	pl_script_data(s, part(c, owner, step).at * c->element_bytes, PL_STORES);
	pl_script_isend(s, peer, bytes(c, owner, step));
}

static size_t peer_at(const struct group *g, size_t i)
{
	return g->first + i * g->distance;
}

static void expect_all(struct pl_script *s, const struct bcube *c, size_t rank)
{
	for (unsigned step = 0; step < c->n_steps; step++) {
		const struct group g = group_of(c, rank, step);

		for (size_t i = 0; i < g.size; i++)
			if (i != g.mine)
				c->in[peer_at(&g, i)] =
					expect(s, c, peer_at(&g, i), rank, step, PL_ADDS);
	}
}

static void scatter(struct pl_script *s, const struct bcube *c, size_t rank, unsigned step)
{
	const struct group g = group_of(c, rank, step);

	pl_script_round(s, step);
	for (size_t i = 0; i < g.size; i++)
		if (i != g.mine)
			send(s, c, peer_at(&g, i), peer_at(&g, i), step);
	for (size_t i = 0; i < g.size; i++) {
		const size_t peer = peer_at(&g, i);

		if (i == g.mine)
			continue;
		pl_script_wait(s, c->in[peer]);
		pl_script_reduce(s, bytes(c, rank, step));
		c->in[peer] = expect(s, c, peer, peer, step, PL_STORES);
		pl_gloo_notify(s, peer);
	}
}

static void gather(struct pl_script *s, const struct bcube *c, size_t rank, unsigned step)
{
	const struct group g = group_of(c, rank, step);

	pl_script_round(s, 2 * c->n_steps - 1 - step);
	for (size_t i = 0; i < g.size; i++)
		if (i != g.mine) {
			pl_gloo_await(s, peer_at(&g, i));
			send(s, c, peer_at(&g, i), rank, step);
		}
	for (size_t i = 0; i < g.size; i++) {
		const size_t peer = peer_at(&g, i);

		if (i == g.mine)
			continue;
		pl_script_wait(s, c->in[peer]);
		pl_script_copy(s, bytes(c, peer, step));
		if (step == 0)
			pl_gloo_notify(s, peer);
	}
}

static void run_rank(struct pl_script *s, const struct bcube *c, size_t rank)
{
	const struct group g = group_of(c, rank, 0);

	pl_script_rank(s, rank);
	expect_all(s, c, rank);
	for (unsigned step = 0; step < c->n_steps; step++)
		scatter(s, c, rank, step);
	for (unsigned step = c->n_steps; step-- > 0;)
		gather(s, c, rank, step);
	for (size_t i = 0; i < g.size; i++)
		if (i != g.mine)
			pl_gloo_await(s, peer_at(&g, i));
}

int pl_gloo_bcube_class(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct bcube c = {.n_pos = call->n_pos,
			  .base = call->radix,
			  .elements = call->bytes / call->element_bytes,
			  .element_bytes = call->element_bytes};

	if (c.base == 1)
		return pl_err_set(err, PL_EUSAGE, "BCube needs groups of at least two ranks");
	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t reach = 1; reach < c.n_pos; reach *= c.base)
		c.n_steps++;
	c.in = pl_array_create(c.n_pos, sizeof(*c.in));
	if (!c.in)
		return pl_err_nomem(err);
	for (size_t rank = 0; rank < c.n_pos; rank++)
		run_rank(s, &c, rank);
	free(c.in);
	return 0;
}
