/* SPDX-License-Identifier: BSD-3-Clause */
/* colour.h - the colours of heat maps and of racks */
#ifndef PLINK_REPORT_COLOUR_H
#define PLINK_REPORT_COLOUR_H

#include <stddef.h>

struct pl_rgb {
	unsigned char r, g, b;
};

/*
 * The colour of @x in [0, 1]: 0 is fast and light, 1 slow and dark. The colours lie on an arc from
 * a pale yellow over teal to navy in the colour space Oklab (Ottosson, 2020); x is the share of the
 * arc's length, so that equal steps of x look equally large. Lightness falls all the way, also for
 * people with colour blindness.
 */
struct pl_rgb pl_colour_ramp(double x);

/* The colour of cells that were not measured. It is far from all colours of the ramp, also for
 * people with colour blindness. */
extern const struct pl_rgb pl_colour_missing;

/* The colour of rack number @i, unlike that of any other of the first 256:
 * first eight that are easy to tell apart (Okabe and Ito, 2008), then others of
 * various hue and lightness. With many racks the eye needs the names
 * beside the colours, too. */
struct pl_rgb pl_colour_rack(size_t i);

#define PL_COLOUR_CHARS 8

/* "#rrggbb". Returns @buf. */
const char *pl_colour_format(char buf[PL_COLOUR_CHARS], struct pl_rgb c);

#endif
