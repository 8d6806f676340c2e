/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.h - can any host of an order be moved to the front at no cost? */
#ifndef PLINK_SOLVER_ORDER_SYMMETRY_H
#define PLINK_SOLVER_ORDER_SYMMETRY_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_SYMMETRY_DIGITS 64

/*
 * Ways to renumber seats that leave the shape the same. Seats are written as digits of these
 * radices, the lowest digit first; adding to any one digit, modulo its radix, maps the shape to
 * itself. One digit is a rotation, as of a ring; digits of radix 2 are seat XOR any number, as for
 * halving and doubling; digits of radix B are BCube. Together they bring every seat to the front.
 */
struct pl_symmetry {
	bool free; /* there are such digits */
	size_t n;  /* seats: the product of the radices */
	size_t n_digits;
	size_t radix[PL_SYMMETRY_DIGITS];
};

/* The symmetry of a ring of n seats. */
struct pl_symmetry pl_symmetry_of_ring(size_t n);

/*
 * Looks for such digits, for n seats of @slots positions each, beginning with the first position of
 * the shape; @slots 0: hosts have different numbers of slots. Groups may change places. Bytes
 * matter if @costs depend on them; the direction of a hop matters if the two directions may differ
 * in cost. Other symmetries are not looked for: if y->free is false there may still be some. O(d
 * hops log hops) time, where d is the number of divisors of n. 0, or -1 with @err set: out of
 * memory.
 */
int pl_symmetry_find(struct pl_symmetry *y, const struct pl_shape *shape,
		     const struct pl_costs *costs, size_t n, size_t slots, struct pl_err *err);

/* Renumbers the seats of host_at[y->n] so that the host on @seat comes first. y->free must be true.
 * 0, or -1 with @err set and host_at as it was: out of memory. */
int pl_symmetry_turn(const struct pl_symmetry *y, size_t seat, size_t *host_at, struct pl_err *err);

#endif
