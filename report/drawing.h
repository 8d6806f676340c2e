/* SPDX-License-Identifier: BSD-3-Clause */
/* drawing.h - rings and trees of hosts, as SVG */
#ifndef PLINK_REPORT_DRAWING_H
#define PLINK_REPORT_DRAWING_H

#include "report/map.h"
#include "report/report.h"

#include <stdbool.h>

/* Hops drawn at most: the dearest ones. */
#define PL_DRAW_LINKS_MAX 3000

/* How one host, or one hop, of a drawing looks; hops by class "link", "link
 * slow", hosts in their rack's colour; both say in a title who they are. */
void pl_draw_host(const struct pl_report *r, size_t host, double x, double y,
		  double radius, FILE *out);
/* Begins a path, whose d="..." the caller writes; then end. */
void pl_draw_link_begin(const struct pl_report *r,
			const struct pl_report_link *link, FILE *out);
void pl_draw_link_end(const struct pl_report *r,
		      const struct pl_report_link *link, FILE *out);

/* Hosts in a circle, in their order from the top on, clockwise, and hops
 * between them: a whole <svg>. *n_drawn of the hops. 0, or -1 with @err set: no
 * memory. */
int pl_draw_ring(const struct pl_report *r, const struct pl_map_order *order,
		 const struct pl_report_links *links, size_t *n_drawn,
		 FILE *out, struct pl_err *err);

/*
 * The hops of one group as a tree, its root at the top: a whole <svg>. *drawn:
 * false where they are none, and nothing was written. 0, or -1 with @err set:
 * no memory.
 */
int pl_draw_tree(const struct pl_report *r, const struct pl_report_links *links,
		 size_t group, bool *drawn, FILE *out, struct pl_err *err);

#endif
