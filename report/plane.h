/* SPDX-License-Identifier: BSD-3-Clause */
/* plane.h - choices by their time and cost, as a picture */
#ifndef PLINK_REPORT_PLANE_H
#define PLINK_REPORT_PLANE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A choice of a grid of rows and columns. */
struct pl_plane_point {
	size_t row; /* its number is in the picture */
	double column;
	double time_s, cost;    /* dollars */
	double law_s, law_cost; /* as a model has it; NaN: it does not know */
	bool measured;
	const char *name; /* as its tooltip has it */
};

/* Borrowed. */
struct pl_plane {
	const char *title, *note;
	const struct pl_plane_point *point; /* [n] by row, then by column */
	size_t n;
	const size_t *front; /* [n_front] from the fastest to the cheapest */
	size_t n_front;
	/* choices with a name in the picture; n: none */
	size_t fastest, cheapest, knee;
};

/*
 * Writes an SVG: time to the right and cost upwards, both logarithmic. The model's surface is lines
 * through the choices of a row and of a column; points are filled where they were measured; the
 * front is a line. 0, or -1 with @err set: PL_EINPUT without a point.
 */
int pl_plane_write_svg(const struct pl_plane *plane, FILE *out, struct pl_err *err);

#endif
