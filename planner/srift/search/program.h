/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - an integer programme for the fewest ranks or the cheapest machines */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_PROGRAM_H
#define PLINK_PLANNER_SRIFT_SEARCH_PROGRAM_H

#include "base/err.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/within.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The time of an iteration is not linear in the choice (srift 4.4). With a
 * limit T on the compute time of the slowest machine, the rest is linear. The
 * choice has c_ib machines of type i with batch b, at most u_ib (within.h).
 * y_ib is 1 if type i has batch b. Stock k of type i gives s_ik machines; it
 * has a_ik machines, at price p_ik:
 *
 *	min  sum r_i c_ib, ranks;  or  sum p_ik s_ik, dollars an hour
 *	     sum b c_ib = B
 *	     c_ib <= u_ib y_ib,  sum_b y_ib <= 1
 *	     sum_b c_ib = sum_k s_ik,  s_ik <= a_ik
 *	     sum r_i c_ib <= R,  sum p_ik s_ik <= P
 *	     c_ib whole, y_ib 0 or 1
 *
 * The cheaper spot machines are taken first by themselves. The time of the
 * iteration follows from a search over T (boxes.h).
 */
struct pl_integer_program {
	const struct pl_within *within;
	uint64_t samples;    /* B */
	bool by_price;       /* or by ranks */
	double ranks_max;    /* R */
	double per_hour_max; /* P; INFINITY: none */
	uint64_t nodes_max;  /* nodes of the search: a limit that is the same on
				every machine */
	int64_t deadline_ns; /* of CLOCK_MONOTONIC; INT64_MAX: none */
};

struct pl_program_answer {
	bool found;
	struct pl_srift_choice choice; /* checked: its samples add up to B */
	/* Lower bound on ranks or dollars; a millionth is taken off for the tolerances of GLPK.
	 * INFINITY: there is no choice. */
	double bound;
	uint64_t iterations; /* of the simplex method */
};

/* True if GLPK was built in. Without it pl_program_solve fails. */
bool pl_program_built(void);

/* 0, or -1 with @err set: PL_EUSAGE if GLPK was not built in, or out of memory. Owns the GLPK
 * environment of the thread while it runs. */
int pl_program_solve(struct pl_program_answer *answer, const struct pl_integer_program *program,
		     struct pl_err *err);

#endif
