/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - least squares of a few unknowns */
#include "config.h"

#include "planner/fit.h"

#include <math.h>
#include <string.h>

#define DEPENDENT 1e-9 /* what is left of a column, in terms of all of it */

/* Takes column @q, of length 1, out of the column @v (strides @k and @stride).
 * Returns how much of it there was. */
static double take_out(const double *q, double *v, size_t n, size_t k,
		       size_t stride)
{
	double dot = 0;

	for (size_t i = 0; i < n; i++)
		dot += q[i * k] * v[i * stride];
	for (size_t i = 0; i < n; i++)
		v[i * stride] -= dot * q[i * k];
	return dot;
}

static double length(const double *v, size_t n, size_t stride)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i * stride] * v[i * stride];
	return sqrt(sum);
}

int pl_fit(double *a, double *y, size_t n, size_t k, double *x)
{
	double r[PL_FIT_MAX][PL_FIT_MAX] = {{0}}, z[PL_FIT_MAX] = {0};

	if (n < k || k > PL_FIT_MAX)
		return -1;
	for (size_t j = 0; j < k; j++) {
		const double whole = length(a + j, n, k);

		for (int pass = 0; pass < 2; pass++)
			for (size_t i = 0; i < j; i++)
				r[i][j] += take_out(a + i, a + j, n, k, k);
		r[j][j] = length(a + j, n, k);
		if (!(r[j][j] > DEPENDENT * whole))
			return -1;
		for (size_t i = 0; i < n; i++)
			a[i * k + j] /= r[j][j];
	}
	for (size_t j = 0; j < k; j++)
		z[j] = take_out(a + j, y, n, k, 1);
	for (size_t j = k; j-- > 0;) {
		for (size_t i = j + 1; i < k; i++)
			z[j] -= r[j][i] * z[i];
		z[j] /= r[j][j];
	}
	memcpy(x, z, k * sizeof(*x));
	return 0;
}
