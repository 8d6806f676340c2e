/* SPDX-License-Identifier: BSD-3-Clause */
/* xy.c - curves and clouds of points over two linear axes, as a picture */
#include "config.h"

#include "report/xy.h"

#include "base/text/size.h"
#include "report/canvas.h"

#include <math.h>
#include <stdbool.h>

#define WIDTH 760
#define HEIGHT 520
#define LEFT 76   /* of the area: the labels of y */
#define RIGHT 200 /* of the area: the names of curves */
#define TOP 84
#define BOTTOM 52
#define TICKS 6 /* about so many on an axis */
#define LINE 18 /* from a name in the list to the next */
#define MARGIN 0.05
#define MARK "#c2410c"
#define GRID "stroke=\"#222\" stroke-opacity=\"0.12\""

static const char *const colour[] = {
	"#0a5ea8", "#c2410c", "#2d7d46", "#7a3e9d", "#8a6d00", "#0e7490",
	"#b0306a", "#4d5a00", "#5b5bd6", "#9a4a2f", "#3c6e71", "#57606a",
};
#define COLOURS (sizeof(colour) / sizeof(*colour))

void pl_xy_fit(struct pl_xy_axis *axis, const double *v, size_t n)
{
	double margin;

	axis->from = axis->to = v[0];
	for (size_t i = 1; i < n; i++) {
		axis->from = fmin(axis->from, v[i]);
		axis->to = fmax(axis->to, v[i]);
	}
	margin = axis->to > axis->from ? MARGIN * (axis->to - axis->from) : 0.5;
	axis->from -= margin;
	axis->to += margin;
}

static double x_of(const struct pl_xy *xy, double v)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (v - xy->x.from) / (xy->x.to - xy->x.from);
}

static double y_of(const struct pl_xy *xy, double v)
{
	return HEIGHT - BOTTOM -
	       (HEIGHT - TOP - BOTTOM) * (v - xy->y.from) / (xy->y.to - xy->y.from);
}

/* Between ticks: 1, 2 or 5 times a power of ten, of the unit in which times of this length are
 * read. */
static double gap_of(const struct pl_xy_axis *axis)
{
	const double least = (axis->to - axis->from) / TICKS;
	double unit = 1, power;

	if (axis->unit == PL_XY_SECONDS)
		unit = axis->to > 7200 ? 3600 : axis->to > 120 ? 60 : 1;
	power = pow(10, floor(log10(least / unit)));
	for (int i = 0; i < 3; i++) {
		const double steps[] = {1, 2, 5};

		if (least <= steps[i] * power * unit)
			return steps[i] * power * unit;
	}
	return 10 * power * unit;
}

static void write_value(const struct pl_xy_axis *axis, double v, double x, double y,
			const char *anchor, FILE *out)
{
	char text[32];

	if (axis->unit == PL_XY_DOLLARS)
		snprintf(text, sizeof(text), "$%.4g", v);
	else if (axis->unit == PL_XY_SHARE)
		snprintf(text, sizeof(text), "%.3g %%", 100 * v);
	pl_canvas_text(x, y, anchor, "", axis->unit == PL_XY_SECONDS ? PL_TIME_TEXT(v) : text, out);
}

static void write_axes(const struct pl_xy *xy, FILE *out)
{
	const double dx = gap_of(&xy->x), dy = gap_of(&xy->y);

	for (double k = ceil(xy->x.from / dx); k * dx <= xy->x.to; k++) {
		const double x = x_of(xy, k * dx);

		pl_canvas_line(x, TOP, x, HEIGHT - BOTTOM, GRID, out);
		write_value(&xy->x, k * dx, x, HEIGHT - BOTTOM + 18, "middle", out);
	}
	for (double k = ceil(xy->y.from / dy); k * dy <= xy->y.to; k++) {
		const double y = y_of(xy, k * dy);

		pl_canvas_line(LEFT, y, WIDTH - RIGHT, y, GRID, out);
		write_value(&xy->y, k * dy, LEFT - 8, y + 4, "end", out);
	}
	pl_canvas_text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "", xy->x.name, out);
	pl_canvas_text(LEFT, TOP - 12, "start", "", xy->y.name, out);
}

static void write_steps(const struct pl_xy *xy, size_t k, FILE *out)
{
	const struct pl_xy_series *s = &xy->series[k];
	const double y = TOP + LINE * ((double)k + 0.5);
	char fill[32];

	fprintf(out, "<path class=\"curve\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"",
		colour[k % COLOURS]);
	for (size_t i = 0; i < s->n; i++) {
		if (i == 0)
			fprintf(out, "M%.1f %.1f", x_of(xy, s->x[i]), y_of(xy, s->y[i]));
		else
			fprintf(out, "H%.1fV%.1f", x_of(xy, s->x[i]), y_of(xy, s->y[i]));
	}
	fputs("\"/>\n", out);
	snprintf(fill, sizeof(fill), " fill=\"%s\"", colour[k % COLOURS]);
	pl_canvas_text(WIDTH - RIGHT + 12, y, "start", fill, s->name, out);
}

static void write_dots(const struct pl_xy *xy, const struct pl_xy_series *s, FILE *out)
{
	const bool mark = s->kind == PL_XY_MARK;

	for (size_t i = 0; i < s->n; i++) {
		const double x = x_of(xy, s->x[i]), y = y_of(xy, s->y[i]);

		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"%s/>\n", x, y,
			mark ? "5" : "2.5", mark ? MARK : colour[0],
			mark ? "" : " fill-opacity=\"0.35\"");
		if (mark)
			pl_canvas_text(x + 8, y + 4, "start", " fill=\"" MARK "\"", s->name, out);
	}
}

void pl_xy_write_svg(const struct pl_xy *xy, FILE *out)
{
	pl_canvas_begin(WIDTH, HEIGHT, xy->title, out);
	pl_canvas_text(24, 50, "start", "", xy->note, out);
	write_axes(xy, out);
	for (int kind = PL_XY_STEPS; kind <= PL_XY_MARK; kind++)
		for (size_t k = 0; k < xy->n; k++) {
			if ((int)xy->series[k].kind != kind)
				continue;
			if (kind == PL_XY_STEPS)
				write_steps(xy, k, out);
			else
				write_dots(xy, &xy->series[k], out);
		}
	fputs("</svg>\n", out);
}
