/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.h - may any host of an order come first, at no cost? */
#ifndef PLINK_SOLVER_ORDER_SYMMETRY_H
#define PLINK_SOLVER_ORDER_SYMMETRY_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_SYMMETRY_DIGITS 64

/*
 * Ways to renumber seats that leave a shape what it is. Seats are written with
 * digits of these radices, the lowest first; turning any digit, alone, maps the
 * shape to itself. One digit: a rotation, as of a ring; digits of 2: seat XOR
 * any number, as of halving and doubling; of B: BCube. Together they bring
 * every seat to the front.
 */
struct pl_symmetry {
	bool free; /* there are such digits */
	size_t n;  /* seats: the product of the radices */
	size_t n_digits;
	size_t radix[PL_SYMMETRY_DIGITS];
};

/* What a ring of n seats has. */
struct pl_symmetry pl_symmetry_of_ring(size_t n);

/*
 * Looks for such digits, for n seats of @slots positions each, the first of the
 * shape's; @slots 0: as many as their hosts have, which differ. Groups may
 * change places; bytes matter where @costs know what they cost, and which way a
 * hop leads where there and back may cost more or less. Other symmetries are
 * not looked for: where y->free is false there may be some.
 * O(d hops log hops) time, d the divisors of n. 0, or -1 with @err set: memory.
 */
int pl_symmetry_find(struct pl_symmetry *y, const struct pl_shape *shape,
		     const struct pl_costs *costs, size_t n, size_t slots,
		     struct pl_err *err);

/* Renumbers the seats of host_at[y->n] so that the host on @seat comes first;
 * y->free is true. 0, or -1 with @err set and host_at as it was: memory. */
int pl_symmetry_turn(const struct pl_symmetry *y, size_t seat, size_t *host_at,
		     struct pl_err *err);

#endif
