/* SPDX-License-Identifier: BSD-3-Clause */
/* canvas.c - a picture as SVG: its frame and title, its lines and its words */
#include "config.h"

#include "report/canvas.h"

#include "report/escape.h"

void pl_canvas_begin(int width, int height, const char *title, FILE *out)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 "
		"0 %d %d\" fill=\"#222\" font-family=\"sans-serif\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		"<text x=\"24\" y=\"30\" font-size=\"18\" font-weight=\"bold\">",
		width, height, width, height);
	pl_escape_markup(title, out);
	fputs("</text>\n", out);
}

void pl_canvas_text(double x, double y, const char *anchor, const char *more, const char *text,
		    FILE *out)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"%s\"%s>", x, y,
		anchor, more);
	pl_escape_markup(text, out);
	fputs("</text>\n", out);
}

void pl_canvas_line(double x0, double y0, double x1, double y1, const char *style, FILE *out)
{
	fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" %s/>\n", x0, y0, x1, y1, style);
}
