/* SPDX-License-Identifier: BSD-3-Clause */
/* colour.h - the colours of heat maps and of racks */
#ifndef PLINK_REPORT_COLOUR_H
#define PLINK_REPORT_COLOUR_H

#include <stddef.h>

struct pl_rgb {
	unsigned char r, g, b;
};

/*
 * The colour of @x in [0, 1], 0 fast and light, 1 slow and dark: an arc from a
 * pale yellow over teal to navy in Oklab (Ottosson, 2020), by its length, so
 * that equal steps of x look equally large; lightness falls all the way, also
 * for eyes that lack a kind of cones.
 */
struct pl_rgb pl_colour_ramp(double x);

/* What was not measured: far from all of the ramp, for all those eyes. */
extern const struct pl_rgb pl_colour_missing;

/* Rack number @i: eight colours that can be told apart (Okabe and Ito, 2008),
 * again and again. */
struct pl_rgb pl_colour_rack(size_t i);

#define PL_COLOUR_CHARS 8

/* "#rrggbb". Returns @buf. */
const char *pl_colour_format(char buf[PL_COLOUR_CHARS], struct pl_rgb c);

#endif
