/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - heat maps of a matrix in some order of its hosts */
#ifndef PLINK_REPORT_MAP_H
#define PLINK_REPORT_MAP_H

#include "report/image.h"
#include "report/report.h"

/* The largest width and height in pixels. If there are more hosts, several pairs share a pixel. */
#define PL_MAP_SIDE_MAX 640

/* The indices of the colours besides those of the ramp, which are 0 to PL_MAP_LEVELS - 1. */
enum {
	PL_MAP_LEVELS = 240,
	PL_MAP_SELF = PL_MAP_LEVELS,
	PL_MAP_MISSING,
	PL_MAP_NOTHING, /* no bytes were sent */
};

/* An order to show: host_at[n]; NULL for the given order. */
struct pl_map_order {
	const size_t *host_at;
	size_t n;
};

/* The host at @pos. */
size_t pl_map_host(const struct pl_map_order *order, size_t pos);

/* The number of hosts that share a row, and a column, of pixels. */
size_t pl_map_block(size_t n);

/*
 * Draws the map: a pixel for each pair, row = source, with the pair's level as its colour. If hosts
 * share pixels, the colour is the mean of the levels, or PL_MAP_MISSING if any of the pairs is
 * missing. 0, or -1 with @err set: out of memory. Release *image with pl_image_fini.
 */
int pl_map_draw(struct pl_image *image, const struct pl_report *r, const struct pl_map_order *order,
		struct pl_err *err);

/* The place of the cells in a map, in units of SVG: "from" and names to their left, "to" and names
 * above, then the racks' colours. */
#define PL_MAP_NAMES 94
#define PL_MAP_EDGE 10
#define PL_MAP_LEFT (30 + PL_MAP_NAMES + PL_MAP_EDGE)
#define PL_MAP_SIZE 500
#define PL_MAP_SIDE (PL_MAP_LEFT + PL_MAP_SIZE) /* of all of it */
#define PL_MAP_END 8                            /* beyond that, half of the last name */

/* Writes the map as elements of SVG, each pixel as @zoom by @zoom. 0, or -1 with @err set. */
int pl_map_write(const struct pl_report *r, const struct pl_map_order *order, size_t zoom,
		 FILE *out, struct pl_err *err);

/* What the cells of traffic are: counted, or computed. */
const char *pl_map_traffic(const struct pl_report *r);

/* Writes the scale of colours as elements of SVG, 380 wide and 34 high. */
void pl_map_write_legend(const struct pl_report *r, FILE *out);

/* A note for maps of @n hosts in which hosts share pixels, "Each point stands for 2 x 2 pairs:
 * ..."; empty for other maps. Returns @buf. */
#define PL_MAP_NOTE 160
const char *pl_map_note(char buf[PL_MAP_NOTE], size_t n);

#endif
