/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - the fewest ranks, or the cheapest machines, as an integer
 * programme */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_PROGRAM_H
#define PLINK_PLANNER_SRIFT_SEARCH_PROGRAM_H

#include "base/err.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/within.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Time is not linear in what is chosen (srift 4.4); with a limit T to how long
 * the slowest machine computes, what is left is. Of type i with batch b, c_ib
 * machines, of which within.h tells how many there may be, u_ib; y_ib is 1
 * where it is that batch; of stock k of type i, s_ik machines, a_ik there at
 * price p_ik:
 *
 *	min  sum r_i c_ib, ranks;  or  sum p_ik s_ik, dollars an hour
 *	     sum b c_ib = B
 *	     c_ib <= u_ib y_ib,  sum_b y_ib <= 1
 *	     sum_b c_ib = sum_k s_ik,  s_ik <= a_ik
 *	     sum r_i c_ib <= R,  sum p_ik s_ik <= P
 *	     c_ib whole, y_ib 0 or 1
 *
 * Spot machines are taken first as they are cheaper. A scan over T (boxes.h)
 * finds what the iteration itself takes.
 */
struct pl_integer_program {
	const struct pl_within *within;
	uint64_t samples;    /* B */
	bool by_price;       /* or by ranks */
	double ranks_max;    /* R */
	double per_hour_max; /* P; INFINITY: none */
	uint64_t nodes_max;  /* of its search: the same on every machine */
	int64_t deadline_ns; /* of CLOCK_MONOTONIC; INT64_MAX: none */
};

struct pl_program_answer {
	bool found;
	struct pl_srift_choice choice; /* checked: it adds up to B */
	/* Of ranks or dollars: no choice is below, within GLPK's tolerances,
	 * for which a millionth is taken off. INFINITY: there is none. */
	double bound;
	uint64_t iterations; /* of the simplex method */
};

/* Is there GLPK? Without, pl_program_solve fails. */
bool pl_program_built(void);

/* 0, or -1 with @err set: PL_EUSAGE where it was not built in, or memory. It
 * owns the thread's GLPK while it runs. */
int pl_program_solve(struct pl_program_answer *answer,
		     const struct pl_integer_program *program,
		     struct pl_err *err);

#endif
