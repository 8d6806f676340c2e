/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - least squares and principal axes, of LAPACK */
#include "config.h"

#include "planner/fit.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DEPENDENT 1e-9 /* what is left of a column, in terms of all of it */

/* Column j of the triangle that QR leaves is as long as that of the problem; r[j][j] is what the
 * columns before it do not explain. */
static bool is_dependent(const double *r, size_t k)
{
	for (size_t j = 0; j < k; j++) {
		double squares = 0;

		for (size_t i = 0; i <= j; i++)
			squares += r[i * k + j] * r[i * k + j];
		if (!(fabs(r[j * k + j]) > DEPENDENT * sqrt(squares)))
			return true;
	}
	return false;
}

int pl_fit(double *a, double *y, size_t n, size_t k, double *x)
{
	if (n < k || k > PL_FIT_MAX || n > INT32_MAX ||
	    LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)n, (lapack_int)k, 1, a, (lapack_int)k,
			  y, 1) ||
	    is_dependent(a, k))
		return -1;
	memcpy(x, y, k * sizeof(*x));
	return 0;
}

int pl_fit_axes(double *a, double *axis, size_t n, size_t width)
{
	double value[PL_FIT_MAX];

	if (n > PL_FIT_MAX ||
	    LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', (lapack_int)n, a, (lapack_int)width, value))
		return -1;
	for (size_t k = 0; k < n; k++) {
		const double *column = a + n - 1 - k; /* they ascend */
		size_t largest = 0;

		for (size_t i = 1; i < n; i++)
			if (fabs(column[i * width]) > fabs(column[largest * width]))
				largest = i;
		for (size_t i = 0; i < n; i++)
			axis[k * width + i] =
				copysign(1, column[largest * width]) * column[i * width];
	}
	return 0;
}
