/* SPDX-License-Identifier: BSD-3-Clause */
/* xy.h - curves and clouds of points over two linear axes, as a picture */
#ifndef PLINK_REPORT_XY_H
#define PLINK_REPORT_XY_H

#include "base/err.h"

#include <stddef.h>
#include <stdio.h>

/* How the values of an axis are written. */
enum pl_xy_unit { PL_XY_SECONDS, PL_XY_DOLLARS, PL_XY_SHARE };

enum pl_xy_kind {
	PL_XY_STEPS, /* the value holds until the next x */
	PL_XY_CLOUD, /* a dot each */
	PL_XY_MARK,  /* a dot each, above all others, with the series' name */
};

/* Values that belong together; all are finite. Borrowed. */
struct pl_xy_series {
	const char *name;
	enum pl_xy_kind kind;
	const double *x, *y; /* [n], steps by ascending x */
	size_t n;
};

struct pl_xy_axis {
	const char *name;
	enum pl_xy_unit unit;
	double from, to; /* its ends */
};

/* Borrowed. */
struct pl_xy {
	const char *title, *note;
	struct pl_xy_axis x, y;
	const struct pl_xy_series *series; /* [n] */
	size_t n;
};

/* Widens the axis to the values v[n] with 5 % of their range at both ends, to 1 if they are all the
 * same. */
void pl_xy_fit(struct pl_xy_axis *axis, const double *v, size_t n);

/* Writes an SVG. Curves have colours, and their names in a list; after twelve curves colours come
 * again. Values beyond the axes are not cut off. */
void pl_xy_write_svg(const struct pl_xy *xy, FILE *out);

#endif
