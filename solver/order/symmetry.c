/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.c - whether any host of an order may come first at no cost */
#include "config.h"

#include "solver/order/symmetry.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A digit of the seats' numbers: seat / stride % radix. */
struct digit {
	size_t stride, radix, slots;
};

/* A shape, and the properties of its hops that matter. */
struct view {
	const struct pl_shape *shape;
	bool has_bytes; /* bytes cost something */
	bool has_ways;  /* there and back may differ */
};

/* A group's hops, by their ends. */
struct group {
	const struct pl_hop *hop;
	size_t n;
};

/* A shape written down in the one way that does not depend on the order of its hops, nor on the
 * numbers of its groups. */
struct form {
	struct pl_hop *hop; /* by group, then by what they are */
	struct group *group;
	size_t n_groups;
};

struct pl_symmetry pl_symmetry_of_ring(size_t n)
{
	return (struct pl_symmetry){.free = true, .n = n, .n_digits = 1, .radix = {n}};
}

/* Where @pos is once the digit was turned by one. */
static uint32_t turned(uint32_t pos, const struct digit *d)
{
	const size_t seat = pos / d->slots, rest = pos % d->slots;
	const size_t value = seat / d->stride % d->radix;
	const size_t to = value + 1 == d->radix ? seat - value * d->stride : seat + d->stride;

	return (uint32_t)(to * d->slots + rest);
}

static int by_number(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_what_they_are(const struct pl_hop *a, const struct pl_hop *b)
{
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	if (a->times != b->times)
		return by_number(a->times, b->times);
	return by_number(a->bytes, b->bytes);
}

static int by_group(const void *a, const void *b)
{
	const struct pl_hop *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return by_what_they_are(x, y);
}

static int by_hops(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	for (size_t i = 0; i < x->n; i++) {
		const int order = by_what_they_are(&x->hop[i], &y->hop[i]);

		if (order)
			return order;
	}
	return 0;
}

static void form_fini(struct form *f)
{
	free(f->hop);
	free(f->group);
}

/* Hop number @i once that digit was turned (NULL: none), without what does not matter. */
static struct pl_hop image(const struct view *v, size_t i, const struct digit *d)
{
	struct pl_hop hop = v->shape->hop[i];

	if (!v->has_bytes)
		hop.bytes = 0;
	if (d) {
		hop.src = turned(hop.src, d);
		hop.dst = turned(hop.dst, d);
	}
	if (!v->has_ways && hop.src > hop.dst) {
		const uint32_t src = hop.src;

		hop.src = hop.dst;
		hop.dst = src;
	}
	return hop;
}

static int form_init(struct form *f, const struct view *v, const struct digit *d)
{
	const size_t n = v->shape->n_hops;

	*f = (struct form){.hop = pl_array_create(n, sizeof(*f->hop)),
			   .group = pl_array_create(n, sizeof(*f->group))};
	if (!f->hop || !f->group) {
		form_fini(f);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		f->hop[i] = image(v, i, d);
	qsort(f->hop, n, sizeof(*f->hop), by_group);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || f->hop[i].group != f->hop[i - 1].group)
			f->group[f->n_groups++].hop = &f->hop[i];
		f->group[f->n_groups - 1].n++;
	}
	qsort(f->group, f->n_groups, sizeof(*f->group), by_hops);
	return 0;
}

static bool forms_same(const struct form *a, const struct form *b)
{
	if (a->n_groups != b->n_groups)
		return false;
	for (size_t g = 0; g < a->n_groups; g++)
		if (by_hops(&a->group[g], &b->group[g]) != 0)
			return false;
	return true;
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
	return x ^ x >> 32;
}

/* A hash, which nearly always differs for shapes that differ, and is faster to compare. */
static uint64_t digest(const struct view *v, const struct digit *d)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < v->shape->n_hops; i++) {
		const struct pl_hop hop = image(v, i, d);

		sum += mix((uint64_t)hop.src << 32 | hop.dst);
	}
	return sum;
}

/* What turning digits of one shape is held against. */
struct search {
	struct view view;
	struct form form;
	uint64_t digest;
};

static int maps_to_itself(const struct search *s, const struct digit *d, bool *same)
{
	struct form form;

	*same = false;
	if (digest(&s->view, d) != s->digest)
		return 0;
	if (form_init(&form, &s->view, d))
		return -1;
	*same = forms_same(&s->form, &form);
	form_fini(&form);
	return 0;
}

/*
 * The digit that follows those found so far, the smallest there is: where one of radix q * r would
 * do, one of r behind one of q does as well.
 */
static int next_digit(struct pl_symmetry *y, const struct search *s, size_t stride, size_t slots)
{
	struct digit d = {.stride = stride, .slots = slots};
	bool same = false;

	for (d.radix = 2; !same && d.radix * stride <= y->n; d.radix++) {
		if (y->n % (d.radix * stride) != 0)
			continue;
		if (maps_to_itself(s, &d, &same))
			return -1;
		if (same)
			y->radix[y->n_digits++] = d.radix;
	}
	y->free = same;
	return 0;
}

/* Positions of hosts that have different numbers of them can be turned round all together, and
 * nothing else. */
static int find_rotation(struct pl_symmetry *y, const struct search *s)
{
	const struct digit d = {.stride = 1, .radix = s->view.shape->n_pos, .slots = 1};
	bool same;

	if (maps_to_itself(s, &d, &same))
		return -1;
	if (same)
		*y = pl_symmetry_of_ring(y->n);
	return 0;
}

static int find(struct pl_symmetry *y, const struct search *s, size_t slots)
{
	size_t stride = 1;

	if (slots == 0)
		return find_rotation(y, s);
	for (y->free = true; y->free && stride < y->n;) {
		if (next_digit(y, s, stride, slots))
			return -1;
		if (y->free)
			stride *= y->radix[y->n_digits - 1];
	}
	return 0;
}

int pl_symmetry_find(struct pl_symmetry *y, const struct pl_shape *shape,
		     const struct pl_costs *costs, size_t n, size_t slots, struct pl_err *err)
{
	struct search s = {.view = {.shape = shape}};
	int rc;

	*y = (struct pl_symmetry){.n = n};
	s.view.has_bytes = costs->per_byte;
	/* the hops tell which way paths lead */
	s.view.has_ways = shape->kind == PL_LONGEST_PATH ||
			  !pl_costs_symmetric(costs->c, costs->n) ||
			  !pl_costs_symmetric(costs->per_byte, costs->n);
	s.digest = digest(&s.view, NULL);
	if (form_init(&s.form, &s.view, NULL))
		return pl_err_nomem(err);
	rc = find(y, &s, slots);
	form_fini(&s.form);
	return rc ? pl_err_nomem(err) : 0;
}

int pl_symmetry_turn(const struct pl_symmetry *y, size_t seat, size_t *host_at, struct pl_err *err)
{
	size_t *to = pl_array_create(y->n, sizeof(*to));

	if (!to)
		return pl_err_nomem(err);
	for (size_t i = 0; i < y->n; i++) {
		size_t at = 0, stride = 1;

		for (size_t k = 0; k < y->n_digits; k++) {
			const size_t r = y->radix[k];
			const size_t value = i / stride % r;

			at += (value + r - seat / stride % r) % r * stride;
			stride *= r;
		}
		to[at] = host_at[i];
	}
	memcpy(host_at, to, y->n * sizeof(*host_at));
	free(to);
	return 0;
}
