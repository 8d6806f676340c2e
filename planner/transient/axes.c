/* SPDX-License-Identifier: BSD-3-Clause */
/* axes.c - principal axes of a few features */
#include "config.h"

#include "planner/transient/axes.h"

#include <math.h>
#include <string.h>

#define SWEEPS_MAX 64

/* Makes a[p][q] zero; the rows of @axis turn along. */
static void rotate(double a[PL_FEATURES_MAX][PL_FEATURES_MAX],
		   double axis[PL_FEATURES_MAX][PL_FEATURES_MAX], size_t n,
		   size_t p, size_t q)
{
	const double angle = 0.5 * atan2(2 * a[p][q], a[p][p] - a[q][q]);
	const double c = cos(angle), s = sin(angle);

	for (size_t i = 0; i < n; i++) {
		const double x = a[i][p], y = a[i][q];

		a[i][p] = c * x + s * y;
		a[i][q] = c * y - s * x;
	}
	for (size_t i = 0; i < n; i++) {
		const double x = a[p][i], y = a[q][i];
		const double u = axis[p][i], v = axis[q][i];

		a[p][i] = c * x + s * y;
		a[q][i] = c * y - s * x;
		axis[p][i] = c * u + s * v;
		axis[q][i] = c * v - s * u;
	}
}

/* Exchanges row @k with that of the largest eigenvalue from it on. */
static void bring_largest(double a[PL_FEATURES_MAX][PL_FEATURES_MAX],
			  double axis[PL_FEATURES_MAX][PL_FEATURES_MAX],
			  size_t n, size_t k)
{
	size_t best = k, largest = 0;
	double row[PL_FEATURES_MAX];
	const double value = a[k][k];

	for (size_t i = k + 1; i < n; i++)
		if (a[i][i] > a[best][best])
			best = i;
	a[k][k] = a[best][best];
	a[best][best] = value;
	memcpy(row, axis[k], sizeof(row));
	memcpy(axis[k], axis[best], sizeof(row));
	memcpy(axis[best], row, sizeof(row));
	for (size_t i = 1; i < n; i++)
		if (fabs(axis[k][i]) > fabs(axis[k][largest]))
			largest = i;
	for (size_t i = 0; axis[k][largest] < 0 && i < n; i++)
		axis[k][i] = i == largest ? axis[k][i] : -axis[k][i];
	axis[k][largest] = fabs(axis[k][largest]);
}

void pl_axes_find(double a[PL_FEATURES_MAX][PL_FEATURES_MAX],
		  double axis[PL_FEATURES_MAX][PL_FEATURES_MAX], size_t n)
{
	double most = 0, off = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			axis[i][j] = i == j;
			most = fmax(most, fabs(a[i][j]));
		}
	for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
		off = 0;
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++) {
				off = fmax(off, fabs(a[p][q]));
				rotate(a, axis, n, p, q);
			}
		if (off <= 1e-15 * most)
			break;
	}
	for (size_t k = 0; k < n; k++)
		bring_largest(a, axis, n, k);
}
