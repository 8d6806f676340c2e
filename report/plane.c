/* SPDX-License-Identifier: BSD-3-Clause */
/* plane.c - choices by their time and cost, as a picture */
#include "config.h"

#include "report/plane.h"

#include "base/text/size.h"
#include "report/canvas.h"
#include "report/escape.h"

#include <math.h>

#define WIDTH 760
#define HEIGHT 520
#define LEFT 76 /* of the area: the costs' labels */
#define RIGHT 24
#define TOP 84
#define BOTTOM 52
#define PAD 1.25 /* beyond the outermost points, as a ratio */
#define FRONT "#0a5ea8"
#define KNEE "#c2410c"

/* The values at the left and the right, below and above. */
struct area {
	double x[2], y[2];
};

static double share(const double range[2], double v)
{
	return log(v / range[0]) / log(range[1] / range[0]);
}

static double x_of(const struct area *a, double time_s)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * share(a->x, time_s);
}

static double y_of(const struct area *a, double cost)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share(a->y, cost);
}

static bool has_law(const struct pl_plane_point *p)
{
	return p->law_s > 0 && p->law_cost > 0 && isfinite(p->law_s) && isfinite(p->law_cost);
}

static bool is_drawn(const struct pl_plane_point *p)
{
	return p->time_s > 0 && p->cost > 0;
}

static void widen(double range[2], double v)
{
	range[0] = fmin(range[0], v / PAD);
	range[1] = fmax(range[1], v * PAD);
}

static bool find_area(const struct pl_plane *plane, struct area *a)
{
	*a = (struct area){.x = {INFINITY, 0}, .y = {INFINITY, 0}};
	for (size_t i = 0; i < plane->n; i++) {
		const struct pl_plane_point *p = &plane->point[i];

		if (is_drawn(p)) {
			widen(a->x, p->time_s);
			widen(a->y, p->cost);
		}
		if (is_drawn(p) && has_law(p)) {
			widen(a->x, p->law_s);
			widen(a->y, p->law_cost);
		}
	}
	return a->x[1] > 0;
}

/* The next of 1, 2, 5, 10, ... that is not below. */
static double next_tick(double v)
{
	const double power = pow(10, floor(log10(v)));
	const double steps[] = {1, 2, 5, 10};

	for (size_t i = 0; i < 4; i++)
		if (v <= steps[i] * power * (1 + 1e-9))
			return steps[i] * power;
	return 10 * power;
}

#define GRID "stroke=\"#222\" stroke-opacity=\"0.12\""

static void write_scales(const struct area *a, FILE *out)
{
	char text[32];

	for (double v = next_tick(a->x[0]); v <= a->x[1]; v = next_tick(v * 1.01)) {
		pl_canvas_line(x_of(a, v), TOP, x_of(a, v), HEIGHT - BOTTOM, GRID, out);
		pl_canvas_text(x_of(a, v), HEIGHT - BOTTOM + 18, "middle", "", PL_TIME_TEXT(v),
			       out);
	}
	for (double v = next_tick(a->y[0]); v <= a->y[1]; v = next_tick(v * 1.01)) {
		snprintf(text, sizeof(text), "$%.3g", v);
		pl_canvas_line(LEFT, y_of(a, v), WIDTH - RIGHT, y_of(a, v), GRID, out);
		pl_canvas_text(LEFT - 8, y_of(a, v) + 4, "end", "", text, out);
	}
	pl_canvas_text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "",
		       "time of the training", out);
	pl_canvas_text(LEFT, TOP - 10, "end", "", "cost", out);
}

/* The next choice of the same row, or of the same column; n: none. */
static size_t neighbour(const struct pl_plane *plane, size_t i, bool in_row)
{
	const struct pl_plane_point *p = &plane->point[i];

	for (size_t k = i + 1; k < plane->n; k++) {
		const struct pl_plane_point *q = &plane->point[k];

		if (in_row ? q->row == p->row : q->column == p->column)
			return k;
	}
	return plane->n;
}

static void write_surface(const struct pl_plane *plane, const struct area *a, FILE *out)
{
	static const char *const style[] = {
		"stroke=\"#8c959f\" stroke-opacity=\"0.6\" stroke-dasharray=\"2 3\"",
		"stroke=\"#8c959f\"",
	};

	for (size_t i = 0; i < plane->n; i++)
		for (int in_row = 0; in_row < 2; in_row++) {
			const size_t k = neighbour(plane, i, in_row);
			const struct pl_plane_point *p = &plane->point[i];
			const struct pl_plane_point *q = &plane->point[k];

			if (k < plane->n && is_drawn(p) && is_drawn(q) && has_law(p) && has_law(q))
				pl_canvas_line(x_of(a, p->law_s), y_of(a, p->law_cost),
					       x_of(a, q->law_s), y_of(a, q->law_cost),
					       style[in_row], out);
		}
}

static void write_point(const struct pl_plane_point *p, const struct area *a, const char *colour,
			FILE *out)
{
	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" stroke=\"%s\" fill=\"%s\"><title>",
		x_of(a, p->time_s), y_of(a, p->cost), p->measured ? 4.5 : 3.0, colour,
		p->measured ? colour : "#fff");
	pl_escape_markup(p->name, out);
	fputs("</title></circle>\n", out);
}

static void write_points(const struct pl_plane *plane, const struct area *a, FILE *out)
{
	fputs("<path fill=\"none\" stroke=\"" FRONT "\" stroke-width=\"2\" d=\"", out);
	for (size_t i = 0; i < plane->n_front; i++) {
		const struct pl_plane_point *p = &plane->point[plane->front[i]];

		fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(a, p->time_s), y_of(a, p->cost));
	}
	fputs("\"/>\n", out);
	for (size_t i = 0; i < plane->n; i++)
		if (is_drawn(&plane->point[i]))
			write_point(&plane->point[i], a, "#57606a", out);
	for (size_t i = 0; i < plane->n_front; i++)
		write_point(&plane->point[plane->front[i]], a,
			    plane->front[i] == plane->knee ? KNEE : FRONT, out);
}

/* Where the law leaves the area is the room for "4 workers". */
static void write_rows(const struct pl_plane *plane, const struct area *a, FILE *out)
{
	char text[64];

	for (size_t i = 0; i < plane->n; i++) {
		const struct pl_plane_point *p = &plane->point[i];

		if ((i > 0 && p[-1].row == p->row) || !is_drawn(p) || !has_law(p))
			continue;
		snprintf(text, sizeof(text), "%zu", p->row);
		pl_canvas_text(x_of(a, p->law_s) + 7, y_of(a, p->law_cost) - 5, "start",
			       " fill-opacity=\"0.7\"", text, out);
	}
}

/* Below it: there are no choices beyond the front. */
static void write_name(const struct pl_plane *plane, const struct area *a, size_t i,
		       const char *what, FILE *out)
{
	const struct pl_plane_point *p = &plane->point[i];
	const bool left = x_of(a, p->time_s) > WIDTH / 3.0;
	char text[128];

	snprintf(text, sizeof(text), "%s: %s", what, p->name);
	pl_canvas_text(
		x_of(a, p->time_s) + (left ? -6 : 6), y_of(a, p->cost) + 18, left ? "end" : "start",
		" font-weight=\"bold\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"",
		text, out);
}

int pl_plane_write_svg(const struct pl_plane *plane, FILE *out, struct pl_err *err)
{
	struct area a;

	if (!find_area(plane, &a))
		return pl_err_set(
			err, PL_EINPUT,
			"no choice has a time and a cost above 0: there is nothing to draw");
	pl_canvas_begin(WIDTH, HEIGHT, plane->title, out);
	pl_canvas_text(24, 50, "start", "", plane->note, out);
	write_scales(&a, out);
	write_surface(plane, &a, out);
	write_points(plane, &a, out);
	write_rows(plane, &a, out);
	if (plane->fastest < plane->n)
		write_name(plane, &a, plane->fastest, "fastest", out);
	if (plane->cheapest < plane->n && plane->cheapest != plane->fastest)
		write_name(plane, &a, plane->cheapest, "cheapest", out);
	if (plane->knee < plane->n)
		write_name(plane, &a, plane->knee, "knee", out);
	fputs("</svg>\n", out);
	return 0;
}
