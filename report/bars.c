/* SPDX-License-Identifier: BSD-3-Clause */
/* bars.c - what times are made of: stacked bars, as a picture */
#include "config.h"

#include "report/bars.h"

#include "base/text/size.h"
#include "report/canvas.h"
#include "report/colour.h"
#include "report/escape.h"

#include <math.h>
#include <stdbool.h>

#define WIDTH 760
#define LEFT 230 /* of the bars: their names */
#define TIMES 80 /* behind the bars */
#define TOP 76   /* title and key */
#define ROW 34   /* a bar and the room below it */
#define BAR 20   /* height */
#define KEY 120  /* width of a part's name in the key */
#define BOTTOM 16

static void write_rect(double x, double y, double width, size_t part, bool outline, FILE *out)
{
	char colour[PL_COLOUR_CHARS];

	pl_colour_format(colour, pl_colour_rack(part));
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\" "
		"stroke=\"%s\"%s>",
		x, y, width, BAR, outline ? "#fff" : colour, colour,
		outline ? " fill-opacity=\"0.6\" stroke-dasharray=\"3 2\"" : "");
}

/* The end of its parts, and in *most the farthest of their ends. */
static double end_of(const struct pl_bars *bars, const struct pl_bar *bar, double *most)
{
	double end = 0;

	for (size_t i = 0; i < bars->n_parts; i++) {
		if (!isnan(bar->part_s[i]))
			end += bar->part_s[i];
		*most = fmax(*most, end);
	}
	return end;
}

static void write_bar(const struct pl_bars *bars, const struct pl_bar *bar, double y, double per_s,
		      FILE *out)
{
	double most = 0, at = 0;
	const double end = end_of(bars, bar, &most);

	pl_canvas_text(LEFT - 8, y + BAR - 6, "end", "", bar->name, out);
	for (size_t i = 0; i < bars->n_parts; i++) {
		const double s = bar->part_s[i];

		if (isnan(s))
			continue;
		write_rect(LEFT + fmin(at, at + s) * per_s, y, fabs(s) * per_s, i, s < 0, out);
		fputs("<title>", out);
		pl_escape_markup(bars->part[i], out);
		fprintf(out, " %s%s</title></rect>\n", s < 0 ? "-" : "", PL_TIME_TEXT(fabs(s)));
		at += s;
	}
	pl_canvas_text(LEFT + most * per_s + 8, y + BAR - 6, "start", "", PL_TIME_TEXT(end), out);
}

int pl_bars_write_svg(const struct pl_bars *bars, FILE *out, struct pl_err *err)
{
	const int height = TOP + ROW * (int)bars->n + BOTTOM;
	double most = 0;

	for (size_t i = 0; i < bars->n; i++)
		end_of(bars, &bars->bar[i], &most);
	if (!(most > 0))
		return pl_err_set(err, PL_EINPUT, "no time is above 0: there is nothing to draw");
	pl_canvas_begin(WIDTH, height, bars->title, out);
	for (size_t i = 0; i < bars->n_parts; i++) {
		write_rect(24 + KEY * (double)i, 42, BAR, i, false, out);
		fputs("</rect>\n", out);
		pl_canvas_text(30 + BAR + KEY * (double)i, 56, "start", "", bars->part[i], out);
	}
	for (size_t i = 0; i < bars->n; i++)
		write_bar(bars, &bars->bar[i], TOP + ROW * (double)i, (WIDTH - LEFT - TIMES) / most,
			  out);
	fputs("</svg>\n", out);
	return 0;
}
