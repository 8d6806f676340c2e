/* SPDX-License-Identifier: BSD-3-Clause */
/* drawing.h - rings and trees of hosts, as SVG */
#ifndef PLINK_REPORT_DRAWING_H
#define PLINK_REPORT_DRAWING_H

#include "report/map.h"
#include "report/report.h"

#include <stdbool.h>

/* The most hops that pl_draw_ring draws: the most expensive ones. */
#define PL_DRAW_LINKS_MAX 3000

/* Write one host, or one hop, of a drawing. A host has the colour of its rack; a hop has the class
 * "link", with "slow" and "missing" added where that holds. Both have a title that names the host
 * or the hosts. */
void pl_draw_host(const struct pl_report *r, size_t host, double x, double y, double radius,
		  FILE *out);
/* Points to draw: the ends of a line, or of a curve with a control point. */
struct pl_curve {
	double from_x, from_y, over_x, over_y, to_x, to_y;
};

/* Writes the attribute d of a path: the curve, less @gap at both ends, with an arrow head of @head
 * (0: none) at its end. */
void pl_draw_curve(const struct pl_curve *curve, double gap, double head, FILE *out);

/* Begins a path; the caller writes the value of its attribute d, then calls pl_draw_link_end. */
void pl_draw_link_begin(const struct pl_report *r, const struct pl_report_link *link, FILE *out);
void pl_draw_link_end(const struct pl_report *r, const struct pl_report_link *link, FILE *out);

/* Writes a whole <svg>: the hosts in a circle, in their order, clockwise from the top, and the hops
 * between them, with arrow heads; where neighbours have no room for these, some of the hops have
 * theirs inside the circle. *n_drawn becomes the number of hops drawn. 0, or -1 with @err set: out
 * of memory. */
int pl_draw_ring(const struct pl_report *r, const struct pl_map_order *order,
		 const struct pl_report_links *links, size_t *n_drawn, FILE *out,
		 struct pl_err *err);

/*
 * Writes a whole <svg>: the hops of one group as a tree with its root at the top, or several trees
 * side by side. *drawn becomes false, and nothing is written, if the hops are not a tree. 0, or -1
 * with @err set: out of memory.
 */
int pl_draw_tree(const struct pl_report *r, const struct pl_report_links *links, size_t group,
		 bool *drawn, FILE *out, struct pl_err *err);

#endif
