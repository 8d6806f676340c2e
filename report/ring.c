/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - hosts in a circle, and the hops of a collective between them */
#include "config.h"

#include "report/drawing.h"

#include "base/mem.h"
#include "report/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define RADIUS 200.0
#define NAMED_MAX 64 /* hosts whose names have room */

void pl_draw_host(const struct pl_report *r, size_t host, double x, double y,
		  double radius, FILE *out)
{
	char colour[PL_COLOUR_CHARS];

	fprintf(out,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\">"
		"<title>",
		x, y, radius,
		pl_colour_format(colour, pl_colour_rack(r->rack[host])));
	pl_escape_markup(r->label[host], out);
	fprintf(out, ", rack %zu</title></circle>\n", r->rack[host] + 1);
}

void pl_draw_link_begin(const struct pl_report *r,
			const struct pl_report_link *link, FILE *out)
{
	fprintf(out, "<path class=\"link%s%s\" d=\"",
		pl_report_is_slow(r, link) ? " slow" : "",
		link->missing ? " missing" : "");
}

void pl_draw_link_end(const struct pl_report *r,
		      const struct pl_report_link *link, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fputs("\"><title>", out);
	pl_escape_markup(r->label[link->src], out);
	fputs(" \xe2\x86\x92 ", out);
	pl_escape_markup(r->label[link->dst], out);
	fprintf(out, ": %s%s%s</title></path>\n",
		pl_report_value(number, r, link->cost),
		pl_report_is_slow(r, link) ? ", slow" : "",
		link->missing ? ", not measured" : "");
}

static int dearest_first(const void *a, const void *b)
{
	const struct pl_report_link *x = *(void *const *)a;
	const struct pl_report_link *y = *(void *const *)b;

	/* what is not known comes last */
	if (x->cost > y->cost || (isnan(y->cost) && !isnan(x->cost)))
		return -1;
	if (x->cost < y->cost || (isnan(x->cost) && !isnan(y->cost)))
		return 1;
	return x < y ? -1 : x > y; /* of one array: the same on every machine */
}

/* A chord that bends towards the middle; of neighbours straight. */
static void write_link(const struct pl_report *r,
		       const struct pl_report_link *link, const size_t *pos_of,
		       size_t n, FILE *out)
{
	const double a = 2 * PI * (double)pos_of[link->src] / (double)n;
	const double b = 2 * PI * (double)pos_of[link->dst] / (double)n;
	const size_t apart = pos_of[link->src] > pos_of[link->dst]
				     ? pos_of[link->src] - pos_of[link->dst]
				     : pos_of[link->dst] - pos_of[link->src];
	const bool next = apart == 1 || apart + 1 == n;
	const double x = RADIUS * sin(a), y = -RADIUS * cos(a);
	const double u = RADIUS * sin(b), v = -RADIUS * cos(b);
	const double bend = next ? 0.42 : 0.2;

	pl_draw_link_begin(r, link, out);
	fprintf(out, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", x, y, bend * (x + u),
		bend * (y + v), u, v);
	pl_draw_link_end(r, link, out);
}

/* The dearest ones on top, and drawn in any case. */
static int write_links(const struct pl_report *r,
		       const struct pl_map_order *order,
		       const struct pl_report_links *links, size_t *n_drawn,
		       FILE *out)
{
	const struct pl_report_link **v = pl_array_create(links->n, sizeof(*v));
	size_t *pos_of = pl_array_create(r->n, sizeof(*pos_of));

	*n_drawn = links->n < PL_DRAW_LINKS_MAX ? links->n : PL_DRAW_LINKS_MAX;
	if (v && pos_of) {
		for (size_t k = 0; k < order->n; k++)
			pos_of[pl_map_host(order, k)] = k;
		for (size_t i = 0; i < links->n; i++)
			v[i] = &links->v[i];
		qsort(v, links->n, sizeof(*v), dearest_first);
		for (size_t i = *n_drawn; i-- > 0;)
			write_link(r, v[i], pos_of, order->n, out);
	}
	free(v);
	free(pos_of);
	return v && pos_of ? 0 : -1;
}

/* Outwards, turned so that none stands on its head. */
static void write_name(const char *label, double angle, FILE *out)
{
	const double degrees = angle * 180 / PI - 90;
	const bool left = angle > PI;
	char shown[24];

	snprintf(shown, sizeof(shown), "%.12s%s", label,
		 strlen(label) > 12 ? "\xe2\x80\xa6" : "");
	fprintf(out,
		"<text transform=\"rotate(%.1f) translate(%.0f 0)%s\" "
		"text-anchor=\"%s\" dominant-baseline=\"central\" "
		"font-size=\"11\" fill=\"currentColor\">",
		degrees, RADIUS + 14, left ? " rotate(180)" : "",
		left ? "end" : "start");
	pl_escape_markup(shown, out);
	fputs("</text>\n", out);
}

int pl_draw_ring(const struct pl_report *r, const struct pl_map_order *order,
		 const struct pl_report_links *links, size_t *n_drawn,
		 FILE *out, struct pl_err *err)
{
	const double gap = 2 * PI * RADIUS / (double)order->n;
	const double radius = gap > 26 ? 9 : gap > 5 ? 0.34 * gap : 1.7;
	const int half = order->n <= NAMED_MAX ? 310 : 216;

	fprintf(out,
		"<svg class=\"drawing\" viewBox=\"%d %d %d %d\" "
		"role=\"img\">\n",
		-half, -half, 2 * half, 2 * half);
	if (write_links(r, order, links, n_drawn, out))
		return pl_err_nomem(err);
	for (size_t k = 0; k < order->n; k++) {
		const double a = 2 * PI * (double)k / (double)order->n;
		const size_t host = pl_map_host(order, k);

		pl_draw_host(r, host, RADIUS * sin(a), -RADIUS * cos(a), radius,
			     out);
		if (order->n <= NAMED_MAX)
			write_name(r->label[host], a, out);
	}
	fputs("</svg>\n", out);
	return 0;
}
