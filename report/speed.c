/* SPDX-License-Identifier: BSD-3-Clause */
/* speed.c - how fast the collectives of a job were, over time, as a line */
#include "config.h"

#include "report/speed.h"

#include <math.h>

#define LEFT 72 /* of the area: the speeds' labels */
#define RIGHT 14
#define TOP 24
#define BOTTOM 34
#define LINES 4 /* across the area, each with its speed */
#define DOT 4   /* radius where something has changed */

struct area {
	double end_s, most; /* at the right, at the top */
};

static double x_of(const struct area *a, double s)
{
	return LEFT + (PL_CHART_WIDTH - LEFT - RIGHT) * s / a->end_s;
}

static double y_of(const struct area *a, double bytes_per_s)
{
	return PL_SPEED_HEIGHT - BOTTOM - (PL_SPEED_HEIGHT - TOP - BOTTOM) * bytes_per_s / a->most;
}

/* The next of 1, 2, 5, 10, ... above. */
static double round_up(double x)
{
	const double power = pow(10, floor(log10(x)));
	const double steps[] = {1, 2, 5, 10};

	for (size_t i = 0; i < 4; i++)
		if (x <= steps[i] * power)
			return steps[i] * power;
	return x;
}

static void write_scales(const struct area *a, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	for (int i = 0; i <= LINES; i++) {
		const double speed = a->most * i / LINES;

		fprintf(out,
			"<path d=\"M%d %.1fH%d\" stroke=\"currentColor\" "
			"stroke-opacity=\"%s\"/><text x=\"%d\" y=\"%.1f\" font-size=\"12\" "
			"text-anchor=\"end\" fill=\"currentColor\">%s</text>\n",
			LEFT, y_of(a, speed), PL_CHART_WIDTH - RIGHT, i ? "0.15" : "0.6", LEFT - 6,
			y_of(a, speed) + 4, pl_report_number(number, speed, PL_BYTES_PER_S));
	}
	for (int i = 0; i <= LINES; i++)
		fprintf(out,
			"<text x=\"%.1f\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\" "
			"fill=\"currentColor\">%.3g</text>\n",
			x_of(a, a->end_s * i / LINES), PL_SPEED_HEIGHT - BOTTOM + 16,
			a->end_s * i / LINES);
}

/* A line at the speed of each interval, as long as that; dots above. */
static void write_line(const struct pl_report *r, const struct area *a, FILE *out)
{
	double begin_s = 0;

	fputs("<path fill=\"none\" stroke=\"#0a5ea8\" stroke-width=\"2\" d=\"", out);
	for (size_t i = 0; i < r->n_speeds; i++) {
		const struct pl_report_speed *s = &r->speed[i];

		fprintf(out, "%c%.1f %.1fH%.1f", i ? 'L' : 'M', x_of(a, begin_s),
			y_of(a, s->bytes_per_s), x_of(a, s->end_s));
		begin_s = s->end_s;
	}
	fputs("\"/>\n", out);
	for (size_t i = 0; i < r->n_speeds; i++)
		if (r->speed[i].changed)
			fprintf(out,
				"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"#c2410c\"/>\n",
				x_of(a, r->speed[i].end_s), y_of(a, r->speed[i].bytes_per_s), DOT);
}

void pl_speed_write(const struct pl_report *r, FILE *out)
{
	struct area a = {.end_s = 0, .most = 0};
	bool changed = false;

	for (size_t i = 0; i < r->n_speeds; i++) {
		a.end_s = fmax(a.end_s, r->speed[i].end_s);
		a.most = fmax(a.most, r->speed[i].bytes_per_s);
		changed = changed || r->speed[i].changed;
	}
	a.end_s = a.end_s > 0 ? a.end_s : 1;
	a.most = a.most > 0 ? round_up(a.most) : 1;
	fprintf(out,
		"<text x=\"%d\" y=\"-8\" font-size=\"15\" font-weight=\"bold\" "
		"fill=\"currentColor\">speed of the all-reduces, over time</text>\n",
		LEFT);
	write_scales(&a, out);
	write_line(r, &a, out);
	fprintf(out,
		"<text x=\"%d\" y=\"%d\" font-size=\"12\" fill=\"currentColor\">seconds%s</text>\n",
		LEFT, PL_SPEED_HEIGHT, changed ? "; dots: the schedules change" : "");
}
