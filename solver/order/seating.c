/* SPDX-License-Identifier: BSD-3-Clause */
/* seating.c - hosts in order, each with its positions, and what that costs */
#include "config.h"

#include "solver/order/seating.h"

#include "base/mem.h"
#include "solver/order/order-search.h"

#include <stdlib.h>
#include <string.h>

void pl_order_expand(const size_t *host_at, size_t n, const size_t *slots, size_t *pos_host)
{
	for (size_t seat = 0; seat < n; seat++)
		for (size_t i = slots ? slots[host_at[seat]] : 1; i > 0; i--)
			*pos_host++ = host_at[seat];
}

size_t pl_slots_alike(const size_t *slots, size_t n)
{
	for (size_t h = 0; slots && h < n; h++)
		if (slots[h] != slots[0])
			return 0;
	return slots && n > 0 ? slots[0] : 1;
}

int pl_seating_check(const struct pl_shape *shape, size_t n, const size_t *slots,
		     struct pl_err *err)
{
	size_t sum = 0;

	for (size_t h = 0; h < n; h++) {
		const size_t more = slots ? slots[h] : 1;

		if (more == 0 || more > shape->n_pos - sum)
			return pl_err_set(err, PL_EUSAGE, "hosts do not fit on %zu positions",
					  shape->n_pos);
		sum += more;
	}
	if (sum == shape->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the hosts have %zu slots, the pattern %zu positions",
			  sum, shape->n_pos);
}

int pl_seating_init(struct pl_seating *s, const struct pl_shape *shape,
		    const struct pl_shape *guide, const struct pl_costs *costs, const size_t *slots,
		    struct pl_err *err)
{
	*s = (struct pl_seating){
		.n = costs->n, .slots = slots, .alike = pl_slots_alike(slots, costs->n)};
	s->cost = pl_objective_create(shape, costs, err);
	if (!s->cost)
		goto fail;
	if (guide) {
		s->guide = pl_objective_create(guide, costs, err);
		if (!s->guide)
			goto fail;
	}
	s->host_at = pl_array_create(s->n, sizeof(*s->host_at));
	s->seat_of = pl_array_create(s->n, sizeof(*s->seat_of));
	s->pos_host = pl_array_create(shape->n_pos, sizeof(*s->pos_host));
	if (s->host_at && s->seat_of && s->pos_host)
		return 0;
	pl_err_nomem(err);
fail:
	pl_seating_fini(s);
	return -1;
}

void pl_seating_fini(struct pl_seating *s)
{
	pl_objective_destroy(s->cost);
	pl_objective_destroy(s->guide);
	free(s->host_at);
	free(s->seat_of);
	free(s->pos_host);
	memset(s, 0, sizeof(*s));
}

static void evaluate(struct pl_seating *s)
{
	pl_order_expand(s->host_at, s->n, s->slots, s->pos_host);
	pl_objective_set(s->cost, s->pos_host);
	if (s->guide)
		pl_objective_set(s->guide, s->pos_host);
}

void pl_seating_set(struct pl_seating *s, const size_t *host_at)
{
	for (size_t seat = 0; seat < s->n; seat++) {
		s->host_at[seat] = host_at[seat];
		s->seat_of[host_at[seat]] = seat;
	}
	evaluate(s);
}

double pl_seating_full(struct pl_seating *s, const size_t *host_at)
{
	pl_order_expand(host_at, s->n, s->slots, s->pos_host);
	return pl_objective_full(s->cost, s->pos_host);
}

static void sit(struct pl_seating *s, size_t seat, size_t host)
{
	s->host_at[seat] = host;
	s->seat_of[host] = seat;
}

static void trade(struct pl_seating *s, size_t a, size_t b)
{
	const size_t host = s->host_at[a];

	sit(s, a, s->host_at[b]);
	sit(s, b, host);
}

static void reverse(struct pl_seating *s, size_t first, size_t len)
{
	for (size_t i = 0; i < len / 2; i++)
		trade(s, first + i, first + len - 1 - i);
}

/* A way moves past those in between: both turned round, and all together. */
static void move(struct pl_seating *s, size_t from, size_t to, size_t len)
{
	const size_t first = from < to ? from : to;
	const size_t others = from < to ? to - from : from - to;

	reverse(s, from, len);
	reverse(s, from < to ? from + len : to, others);
	reverse(s, first, others + len);
}

static void take_seats(struct pl_seating *s, const struct pl_seating_change *c)
{
	switch (c->kind) {
	case PL_EXCHANGE:
		for (size_t i = 0; i < c->len; i++)
			trade(s, c->a + i, c->b + i);
		break;
	case PL_REVERSE:
		reverse(s, c->a, c->len);
		break;
	case PL_MOVE:
		move(s, c->a, c->b, c->len);
		break;
	}
}

static void take_positions(struct pl_objective *o, const struct pl_seating_change *c, size_t k)
{
	const size_t last = k * (c->a + c->len) - 1;

	switch (c->kind) {
	case PL_EXCHANGE:
		pl_objective_exchange(o, k * c->a, k * c->b, k * c->len);
		break;
	case PL_REVERSE:
		pl_objective_reverse(o, k * c->a, last);
		break;
	case PL_MOVE:
		pl_objective_move(o, k * c->a, last, k * c->b);
		break;
	}
}

void pl_seating_change(struct pl_seating *s, const struct pl_seating_change *change)
{
	s->last = *change;
	take_seats(s, change);
	if (s->alike == 0) {
		evaluate(s);
		return;
	}
	take_positions(s->cost, change, s->alike);
	if (s->guide)
		take_positions(s->guide, change, s->alike);
}

void pl_seating_undo(struct pl_seating *s)
{
	struct pl_seating_change back = s->last;

	if (back.kind == PL_MOVE) {
		back.a = s->last.b;
		back.b = s->last.a;
	}
	take_seats(s, &back);
	if (s->alike == 0) {
		evaluate(s);
		return;
	}
	pl_objective_undo(s->cost);
	if (s->guide)
		pl_objective_undo(s->guide);
}

int pl_seating_critical(const struct pl_seating *s, uint64_t pick, size_t seat[2])
{
	const size_t *pos_host = pl_objective_order(s->cost);
	size_t ends[2];

	if (pl_objective_critical(s->cost, pick, ends))
		return -1;
	seat[0] = s->seat_of[pos_host[ends[0]]];
	seat[1] = s->seat_of[pos_host[ends[1]]];
	return 0;
}
