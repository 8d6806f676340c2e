/* SPDX-License-Identifier: BSD-3-Clause */
/* knee.c - where a curve bends (kneedle) */
#include "config.h"

#include "planner/batch/knee.h"

#include "base/mem.h"

#include <stdlib.h>

/*
 * Every form is turned into one that is concave and increasing: point i of that is point at(i) of
 * the curve. Mirroring left and right turns a decreasing concave curve and an increasing convex
 * one; turning a convex one upside down makes it concave.
 */
static bool is_mirrored(const struct pl_knee_curve *curve)
{
	return curve->convex != curve->decreasing;
}

static size_t at(const struct pl_knee_curve *curve, size_t n, size_t i)
{
	return is_mirrored(curve) ? n - 1 - i : i;
}

/* The difference curve y - x of normalized points, and the mean step of x. */
static void find_difference(const double *x, const double *y, size_t n,
			    const struct pl_knee_curve *curve, double *d)
{
	double low = y[0], high = y[0];

	for (size_t i = 1; i < n; i++) {
		low = y[i] < low ? y[i] : low;
		high = y[i] > high ? y[i] : high;
	}
	for (size_t i = 0; i < n; i++) {
		const size_t j = at(curve, n, i);
		double u = (x[j] - x[0]) / (x[n - 1] - x[0]);
		double v = (y[j] - low) / (high - low);

		u = is_mirrored(curve) ? 1 - u : u;
		v = curve->convex ? 1 - v : v;
		d[i] = v - u;
	}
}

/* The first maximum that the difference falls below by more than the threshold, before a minimum
 * ends its turn. */
static size_t find_knee(const double *d, size_t n, double margin)
{
	double threshold = 0;
	size_t knee = n;

	for (size_t i = 1; i + 1 < n; i++) {
		if (d[i] >= d[i - 1] && d[i] >= d[i + 1]) {
			threshold = d[i] - margin;
			knee = i;
		} else if (d[i] <= d[i - 1] && d[i] <= d[i + 1]) {
			threshold = 0;
		}
		if (knee < n && d[i + 1] < threshold)
			return knee;
	}
	return n;
}

static bool has_range(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] != v[0])
			return true;
	return false;
}

size_t pl_knee(const double *x, const double *y, size_t n, const struct pl_knee_curve *curve)
{
	double *d;
	size_t knee;

	if (n < 3 || !has_range(x, n) || !has_range(y, n))
		return n;
	d = pl_array_create(n, sizeof(*d));
	if (!d)
		return n;
	find_difference(x, y, n, curve, d);
	knee = find_knee(d, n, curve->sensitivity / (double)(n - 1));
	free(d);
	return knee < n ? at(curve, n, knee) : n;
}
