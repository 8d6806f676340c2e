/* SPDX-License-Identifier: BSD-3-Clause */
/* bars.h - what times are made of: stacked bars, as a picture */
#ifndef PLINK_REPORT_BARS_H
#define PLINK_REPORT_BARS_H

#include "base/err.h"

#include <stddef.h>
#include <stdio.h>

struct pl_bar {
	const char *name;
	/* [n_parts] seconds from left to right; NaN: not known. A negative part is an outline that
	 * goes back from the end of those before it. */
	const double *part_s;
};

/* Borrowed. */
struct pl_bars {
	const char *title;
	const char *const *part; /* [n_parts] names, each with a colour */
	size_t n_parts;
	const struct pl_bar *bar; /* [n] from top to bottom, to one scale */
	size_t n;
};

/* Writes an SVG. 0, or -1 with @err set: PL_EINPUT without a time above 0. */
int pl_bars_write_svg(const struct pl_bars *bars, FILE *out, struct pl_err *err);

#endif
