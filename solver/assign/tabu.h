/* SPDX-License-Identifier: BSD-3-Clause */
/* tabu.h - quadratic assignment: who stands where, when all send to all */
#ifndef PLINK_SOLVER_ASSIGN_TABU_H
#define PLINK_SOLVER_ASSIGN_TABU_H

#include "base/err.h"
#include "base/rng.h"
#include "base/stop.h"
#include "costmodels/objective.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The cost of seats with the hosts host_at[n] is the sum over all i, j of
 *
 *     messages[i][j] * c[host_at[i]][host_at[j]]
 *         + bytes[i][j] * per_byte[host_at[i]][host_at[j]]
 *
 * All matrices are [n * n], row-major, their diagonals 0; there are as many
 * hosts as seats, each has one. Borrowed.
 */
struct pl_assign_problem {
	size_t n;
	const double *messages, *bytes;
	struct pl_costs costs; /* per_byte NULL: bytes do not count */
};

double pl_assign_cost(const struct pl_assign_problem *p, const size_t *host_at);

/*
 * Robust tabu search (Taillard, 1991): takes the best exchange of two seats
 * again and again, even where it costs more, but none that puts two hosts back
 * where they have been lately. host_at[n], a permutation of the hosts, becomes
 * the cheapest one met, perhaps itself; *iterations, at first the most to do,
 * becomes those done. Every 256 iterations @stop is looked at. An iteration
 * takes O(n^2) time, memory is 2 n^2 numbers. 0, or -1 with @err set: out of
 * memory.
 */
int pl_assign_tabu(const struct pl_assign_problem *p, struct pl_rng *rng,
		   uint64_t *iterations, const struct pl_stop *stop,
		   size_t *host_at, struct pl_err *err);

#endif
