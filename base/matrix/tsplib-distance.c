/* SPDX-License-Identifier: BSD-3-Clause */
/* tsplib-distance.c - distances between places, rounded as TSPLIB rounds
 * them */
#include "config.h"

#include "base/matrix/forms.h"

#include <math.h>
#include <stddef.h>

/* "nint": to the nearest, halves up; no distance is negative. */
static double nearest(double x)
{
	return floor(x + 0.5);
}

static double length(const double *a, const double *b)
{
	const double dx = a[0] - b[0], dy = a[1] - b[1];

	return sqrt(dx * dx + dy * dy);
}

static double euc_2d(const double *a, const double *b)
{
	return nearest(length(a, b));
}

static double ceil_2d(const double *a, const double *b)
{
	return ceil(length(a, b));
}

static double att(const double *a, const double *b)
{
	const double dx = a[0] - b[0], dy = a[1] - b[1];
	const double r = sqrt((dx * dx + dy * dy) / 10.0);
	const double t = nearest(r);

	return t < r ? t + 1 : t;
}

/* TSPLIB95's own pi: better ones give other distances. */
#define TSPLIB_PI 3.141592

/* DDD.MM, degrees and minutes, to radians. */
static double radians(double x)
{
	const double degrees = trunc(x);
	const double minutes = x - degrees;

	return TSPLIB_PI * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

static double geo(const double *a, const double *b)
{
	const double earth_km = 6378.388;
	const double lat_a = radians(a[0]), lat_b = radians(b[0]);
	const double q1 = cos(radians(a[1]) - radians(b[1]));
	const double q2 = cos(lat_a - lat_b);
	const double q3 = cos(lat_a + lat_b);
	const double c = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);

	return trunc(earth_km * acos(fmin(fmax(c, -1), 1)) + 1.0);
}

static const struct pl_tsplib_metric metrics[] = {
	{"EXPLICIT", NULL}, {"EUC_2D", euc_2d}, {"CEIL_2D", ceil_2d}, {"ATT", att}, {"GEO", geo},
};

const struct pl_tsplib_metric *pl_tsplib_metric_find(const struct pl_word *name)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (pl_word_is(name, metrics[i].name))
			return &metrics[i];
	return NULL;
}
