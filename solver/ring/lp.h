/* SPDX-License-Identifier: BSD-3-Clause */
/* lp.h - a linear programme that grows; solved by GLPK if built in */
#ifndef PLINK_SOLVER_RING_LP_H
#define PLINK_SOLVER_RING_LP_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Minimizes the cost of columns within their bounds such that all rows hold. Rows and columns count
 * from 1. GLPK answers in floating point within tolerances: code that uses an answer as a proof
 * must check it (ring-master.h). Nothing is printed. Only one program at a time in a thread,
 * because it owns the GLPK environment of the thread.
 */
struct pl_lp;

/* True if GLPK was built in. Without it pl_lp_create fails. */
bool pl_lp_built(void);

/* NULL with @err set: PL_EUSAGE if GLPK was not built in, or out of memory. */
struct pl_lp *pl_lp_create(struct pl_err *err);
void pl_lp_destroy(struct pl_lp *lp);

/* Coefficients: value[k] in row or column at[k], each once, k = 1 .. n. */
struct pl_lp_entries {
	size_t n;
	const int *at;
	const double *value;
};

/* Adds a row whose sum is @least, or, unless @equal, @least or more. Returns its number, or -1 with
 * @err set: out of memory. */
int pl_lp_add_row(struct pl_lp *lp, const struct pl_lp_entries *cols, double least, bool equal,
		  struct pl_err *err);

/* Adds a column between 0 and @most. Returns its number, or -1 with @err set: out of memory. */
int pl_lp_add_col(struct pl_lp *lp, const struct pl_lp_entries *rows, double cost, double most,
		  struct pl_err *err);

/* Sets the bounds of a column. */
void pl_lp_limit(struct pl_lp *lp, int col, double least, double most);

/* Removes rows[1 .. n]; the rows behind them move up. */
void pl_lp_drop_rows(struct pl_lp *lp, const int *rows, size_t n);

enum pl_lp_end {
	PL_LP_SOLVED,
	PL_LP_STOPPED, /* by *stop or the limit of iterations */
	PL_LP_FAILED,  /* GLPK gave up; rough prices may exist */
};

/* Solves, starting from the last solution. -1 with @err set: out of memory. */
int pl_lp_solve(struct pl_lp *lp, const struct pl_stop *stop, uint64_t iterations_max,
		enum pl_lp_end *end, struct pl_err *err);

/* Iterations of all calls so far. */
uint64_t pl_lp_iterations(const struct pl_lp *lp);

/* Values of the last solution. */
double pl_lp_value(const struct pl_lp *lp, int col);
double pl_lp_price(const struct pl_lp *lp, int row);
/* True: the row is basic and can be dropped. */
bool pl_lp_row_loose(const struct pl_lp *lp, int row);

#endif
