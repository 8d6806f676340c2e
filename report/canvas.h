/* SPDX-License-Identifier: BSD-3-Clause */
/* canvas.h - a picture as SVG: its frame and title, its lines and its words */
#ifndef PLINK_REPORT_CANVAS_H
#define PLINK_REPORT_CANVAS_H

#include <stdio.h>

/* Begins a picture of that many pixels, white, with its title; "</svg>\n" ends it. Texts are
 * written as they are: markup in them is escaped. @out keeps what cannot be written as its error;
 * so below. */
void pl_canvas_begin(int width, int height, const char *title, FILE *out);

/* The text at a point, which is its @anchor: "start", "middle" or "end". @more: further attributes,
 * as in " opacity=\"0.5\"", or "". */
void pl_canvas_text(double x, double y, const char *anchor, const char *more, const char *text,
		    FILE *out);

/* A line with these attributes. */
void pl_canvas_line(double x0, double y0, double x1, double y1, const char *style, FILE *out);

#endif
