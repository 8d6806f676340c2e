/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - rows of a least-squares problem */
#include "config.h"

#include "planner/batch/rows.h"

#include "base/mem.h"
#include "planner/fit.h"

#include <math.h>
#include <stdlib.h>

int pl_rows_init(struct pl_rows *rows, size_t most, size_t k)
{
	*rows = (struct pl_rows){.k = k,
				 .a = pl_array_create(most, k * sizeof(double)),
				 .y = pl_array_create(most, sizeof(double))};
	if (rows->a && rows->y)
		return 0;
	pl_rows_fini(rows);
	return -1;
}

void pl_rows_fini(struct pl_rows *rows)
{
	free(rows->a);
	free(rows->y);
	*rows = (struct pl_rows){0};
}

void pl_rows_add(struct pl_rows *rows, const double *a, double y)
{
	for (size_t j = 0; j < rows->k; j++)
		rows->a[rows->n * rows->k + j] = a[j] / y;
	rows->y[rows->n++] = 1;
}

int pl_rows_solve(struct pl_rows *rows, double *x)
{
	return pl_fit(rows->a, rows->y, rows->n, rows->k, x);
}

void pl_law_error_add(struct pl_law_error *error, double said, double measured)
{
	const double off = fabs(said / measured - 1);

	if (error->n == 0)
		error->mean = error->most = 0;
	error->n++;
	error->mean += (off - error->mean) / (double)error->n;
	error->most = off > error->most ? off : error->most;
}
