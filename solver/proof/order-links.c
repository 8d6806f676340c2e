/* SPDX-License-Identifier: BSD-3-Clause */
/* order-links.c - part of order-encode.h: which hosts may be at the ends of a hop */
#include "config.h"

#include "solver/proof/order-terms.h"

#include "base/mem.h"

static double price(const struct pl_encoding *e, const struct pl_proof_link *l, size_t src,
		    size_t dst)
{
	const struct pl_costs *c = e->p.costs;
	const size_t at = src * c->n + dst;

	return l->cells * c->c[at] + (c->per_byte ? l->bytes * c->per_byte[at] : 0);
}

int pl_terms_new_sum(struct pl_encoding *e, struct pl_err *err)
{
	if (pl_array_grow((void **)&e->sum, &e->sums_room, e->n_sums, sizeof(*e->sum)))
		return pl_err_nomem(err);
	e->sum[e->n_sums++] = (struct pl_term_sum){.n = 0};
	return 0;
}

int pl_terms_add(struct pl_encoding *e, struct pl_term term, struct pl_err *err)
{
	struct pl_term_sum *s = &e->sum[e->n_sums - 1];

	if (pl_array_grow((void **)&s->term, &s->room, s->n, sizeof(*s->term)))
		return pl_err_nomem(err);
	s->term[s->n++] = term;
	return 0;
}

static size_t n_choices(const struct pl_encoding *e, size_t seat)
{
	return e->free_at[seat] == SIZE_MAX ? 1 : e->p.n_free;
}

/* Choice @i of hosts for a seat. */
static size_t choose(const struct pl_encoding *e, size_t seat, size_t i, struct pl_ends *ends)
{
	const size_t at = e->free_at[seat];

	if (at == SIZE_MAX)
		return e->p.host_at[seat];
	ends->lit[ends->n_lits++] = -e->x[i * e->p.n_free + at];
	return e->p.host_at[e->p.seat[i]];
}

/* False: one host cannot be at both ends. */
static bool choose_both(const struct pl_encoding *e, const struct pl_proof_link *l, size_t i,
			size_t j, struct pl_ends *ends)
{
	size_t a, b;

	*ends = (struct pl_ends){.i = i, .j = j};
	a = choose(e, l->src, i, ends);
	b = choose(e, l->dst, j, ends);
	if (a == b)
		return false;
	ends->cost = price(e, l, a, b);
	return true;
}

int pl_terms_for_ends(struct pl_filling *f, const struct pl_proof_link *l, pl_ends_fn *take,
		      struct pl_err *err)
{
	struct pl_encoding *e = f->e;
	struct pl_ends ends;

	for (size_t i = 0; i < n_choices(e, l->src); i++)
		for (size_t j = 0; j < n_choices(e, l->dst); j++) {
			if (!choose_both(e, l, i, j, &ends))
				continue;
			if (ends.n_lits > 0 && ends.cost > e->p.cost)
				pl_pb_any(e->pb, ends.lit, ends.n_lits);
			else if (take(f, &ends, err))
				return -1;
		}
	return 0;
}

int pl_terms_add_cost(struct pl_filling *f, struct pl_ends *ends, bool known, struct pl_err *err)
{
	struct pl_encoding *e = f->e;
	int *y = &f->y[ends->i * e->p.n_free + ends->j];

	if (ends->n_lits == 0) {
		e->sum[e->n_sums - 1].constant += ends->cost;
		return 0;
	}
	if (ends->n_lits == 1)
		return pl_terms_add(e, (struct pl_term){-ends->lit[0], 0, ends->cost}, err);
	if (known)
		return 0;
	return pl_terms_add(e, (struct pl_term){*y, 0, ends->cost}, err);
}

bool pl_terms_imply(struct pl_filling *f, const struct pl_ends *ends)
{
	int *y = &f->y[ends->i * f->e->p.n_free + ends->j];
	const bool known = *y != 0;

	if (ends->n_lits < 2)
		return false;
	if (!known)
		*y = pl_pb_var(f->e->pb);
	pl_pb_any(f->e->pb, (int[]){ends->lit[0], ends->lit[1], *y}, 3);
	return known;
}
