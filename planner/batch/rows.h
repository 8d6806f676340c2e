/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - what laws are fitted to: rows of a least-squares problem */
#ifndef PLINK_PLANNER_BATCH_ROWS_H
#define PLINK_PLANNER_BATCH_ROWS_H

#include "planner/batch/laws.h"

#include <stddef.h>

/* n rows of k numbers and what they make. Start with pl_rows_init, end with fini; room for @most
 * rows. */
struct pl_rows {
	double *a, *y; /* [most * k], [most] */
	size_t n, k;
};

int pl_rows_init(struct pl_rows *rows, size_t most, size_t k);
void pl_rows_fini(struct pl_rows *rows);

/* Adds a row whose error counts in terms of y, which is not 0. */
void pl_rows_add(struct pl_rows *rows, const double *a, double y);

/* The x[k] with the least relative errors; -1 if the rows do not tell. The rows are used up. */
int pl_rows_solve(struct pl_rows *rows, double *x);

/* Counts what a law said of something measured. */
void pl_law_error_add(struct pl_law_error *error, double said, double measured);

#endif
