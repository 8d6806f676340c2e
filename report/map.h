/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - heat maps of a matrix in some order of its hosts */
#ifndef PLINK_REPORT_MAP_H
#define PLINK_REPORT_MAP_H

#include "report/image.h"
#include "report/report.h"

/* Pixels a side at most: from there on several pairs share one. */
#define PL_MAP_SIDE_MAX 640

/* Numbers of colours beside the ramp's, which are 0 to PL_MAP_LEVELS - 1. */
enum {
	PL_MAP_LEVELS = 240,
	PL_MAP_SELF = PL_MAP_LEVELS,
	PL_MAP_MISSING,
	PL_MAP_PAPER,
	PL_MAP_INK,
	PL_MAP_RACK, /* PL_MAP_RACKS of them */
};
#define PL_MAP_RACKS 8

/* An order to be shown: host_at[n], NULL for the given one. */
struct pl_map_order {
	const size_t *host_at;
	size_t n;
};

/* The host at @pos. */
size_t pl_map_host(const struct pl_map_order *order, size_t pos);

/* So many hosts share a row, and a column: pixels are squares of pairs. */
size_t pl_map_block(size_t n);

/*
 * A pixel for each pair, row = source; or for each square of pairs, by the mean
 * of their levels, or missing where any of them is. 0, or -1 with @err set;
 * release with pl_image_fini.
 */
int pl_map_draw(struct pl_image *image, const struct pl_report *r,
		const struct pl_map_order *order, struct pl_err *err);

/* The map within a picture: its place there. Hosts' names stand left of it
 * where there is room for them. */
#define PL_MAP_LEFT 100 /* for names */
#define PL_MAP_EDGE 10  /* for the racks' colours */
#define PL_MAP_SIZE 500
#define PL_MAP_NAMES 40 /* hosts, at most */

/* Width of map and names for @n hosts. */
size_t pl_map_width(size_t n);

/* As a group of SVG: names, racks, cells. 0, or -1 with @err set. */
int pl_map_write(const struct pl_report *r, const struct pl_map_order *order,
		 FILE *out, struct pl_err *err);

/* What the colours stand for, 380 wide and 34 high, as a group of SVG. */
void pl_map_write_legend(const struct pl_report *r, FILE *out);

/* "Each point stands for 2 x 2 pairs: ..."; empty where it does not. */
#define PL_MAP_NOTE 160
const char *pl_map_note(char buf[PL_MAP_NOTE], size_t n);

#endif
