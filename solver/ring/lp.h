/* SPDX-License-Identifier: BSD-3-Clause */
/* lp.h - a linear program that grows, by GLPK where it was built in */
#ifndef PLINK_SOLVER_RING_LP_H
#define PLINK_SOLVER_RING_LP_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Least cost of columns within their bounds so that all rows hold. Rows and
 * columns count from 1. What GLPK answers is floating point within tolerances:
 * whoever wants to prove something by it checks it (ring-master.h). It prints
 * nothing. Only one at a time in a thread: it owns the thread's GLPK.
 */
struct pl_lp;

/* Is there GLPK? Without, pl_lp_create fails. */
bool pl_lp_built(void);

/* NULL with @err set: PL_EUSAGE where it was not built in, or memory. */
struct pl_lp *pl_lp_create(struct pl_err *err);
void pl_lp_destroy(struct pl_lp *lp);

/* Coefficients: value[k] in row or column at[k], each once, k = 1 .. n. */
struct pl_lp_entries {
	size_t n;
	const int *at;
	const double *value;
};

/* Adds a row: its sum is @least, or more unless @equal. Its number, or -1 with
 * @err set: memory. */
int pl_lp_add_row(struct pl_lp *lp, const struct pl_lp_entries *cols,
		  double least, bool equal, struct pl_err *err);

/* Adds a column between 0 and @most. Its number, or -1 with @err set:
 * memory. */
int pl_lp_add_col(struct pl_lp *lp, const struct pl_lp_entries *rows,
		  double cost, double most, struct pl_err *err);

/* Bounds of a column. */
void pl_lp_limit(struct pl_lp *lp, int col, double least, double most);

/* Takes rows[1 .. n] out; those behind move up. */
void pl_lp_drop_rows(struct pl_lp *lp, const int *rows, size_t n);

enum pl_lp_end {
	PL_LP_SOLVED,
	PL_LP_STOPPED, /* by the stop or the limit of iterations */
	PL_LP_FAILED,  /* GLPK gave up; there may be rough prices */
};

/* Solves from where the last one ended. -1 with @err set: memory. */
int pl_lp_solve(struct pl_lp *lp, const struct pl_stop *stop,
		uint64_t iterations_max, enum pl_lp_end *end,
		struct pl_err *err);

/* Of all solutions so far. */
uint64_t pl_lp_iterations(const struct pl_lp *lp);

/* Of the last solution. */
double pl_lp_value(const struct pl_lp *lp, int col);
double pl_lp_price(const struct pl_lp *lp, int row);
bool pl_lp_row_loose(const struct pl_lp *lp, int row); /* basic: to be spared */

#endif
