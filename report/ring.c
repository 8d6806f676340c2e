/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - hosts in a circle, and the hops of a collective between them */
#include "config.h"

#include "report/drawing.h"

#include "base/mem.h"
#include "report/escape.h"
#include "report/label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define RADIUS 200.0
#define HALF 310      /* of the drawing, with names */
#define NAMED_MAX 100 /* labels that have room */
#define NAME_CHARS 14
#define HEADS_MAX 1000 /* chords: more would be all heads */

void pl_draw_host(const struct pl_report *r, size_t host, double x, double y, double radius,
		  FILE *out)
{
	char colour[PL_COLOUR_CHARS], rack[PL_REPORT_RACK];

	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"><title>", x, y, radius,
		pl_colour_format(colour, pl_colour_rack(r->rack[host])));
	pl_escape_markup(r->label[host], out);
	fputs(", ", out);
	pl_escape_markup(pl_report_rack_name(rack, r, r->rack[host]), out);
	fputs("</title></circle>\n", out);
}

void pl_draw_link_begin(const struct pl_report *r, const struct pl_report_link *link, FILE *out)
{
	fprintf(out, "<path class=\"link%s%s\" d=\"", pl_report_is_slow(r, link) ? " slow" : "",
		link->missing ? " missing" : "");
}

void pl_draw_link_end(const struct pl_report *r, const struct pl_report_link *link, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fputs("\"><title>", out);
	pl_escape_markup(r->label[link->src], out);
	fputs(" \xe2\x86\x92 ", out);
	pl_escape_markup(r->label[link->dst], out);
	fprintf(out, ": %s%s%s</title></path>\n", pl_report_value(number, r, link->cost),
		pl_report_is_slow(r, link) ? ", slow" : "", link->missing ? ", not measured" : "");
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

void pl_draw_curve(const struct pl_curve *curve, double gap, double head, FILE *out)
{
	const struct pl_curve *c = curve;
	const double in = atan2(c->to_y - c->over_y, c->to_x - c->over_x);
	const double off = atan2(c->over_y - c->from_y, c->over_x - c->from_x);
	const double x = c->to_x - gap * cos(in), y = c->to_y - gap * sin(in);

	fprintf(out, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", c->from_x + gap * cos(off),
		c->from_y + gap * sin(off), c->over_x, c->over_y, x, y);
	if (head > 0)
		fprintf(out, "M%.1f %.1fL%.1f %.1fL%.1f %.1f", x - head * cos(in - 0.45),
			y - head * sin(in - 0.45), x, y, x - head * cos(in + 0.45),
			y - head * sin(in + 0.45));
}

/* What all hops of a drawing share. */
struct circle {
	const struct pl_map_order *order;
	size_t *pos_of; /* by host */
	double gap;     /* from host to host */
	double radius;  /* of a host */
	bool heads;     /* chords have them */
};

/* A hop to the next host in the order, where they are too near for heads: inside the circle, as are
 * some arrows for all. */
static void write_crowded(const struct circle *c, size_t src, FILE *out)
{
	const size_t n = c->order->n, step = (n + 23) / 24;
	const double turn = 2 * PI / (double)n;
	const double a = turn * (double)src, b = a + turn, m = a + turn / 2;
	const double inner = RADIUS - 6, way = RADIUS - 16, wide = 7 / way;

	fprintf(out, "M%.1f %.1fL%.1f %.1f", inner * sin(a), -inner * cos(a), inner * sin(b),
		-inner * cos(b));
	if (src % step == 0 && src + step <= n)
		pl_draw_curve(&(struct pl_curve){way * sin(m - wide), -way * cos(m - wide),
						 way * sin(m), -way * cos(m), way * sin(m + wide),
						 -way * cos(m + wide)},
			      0, 6, out);
}

/* A chord that bends towards the middle; neighbours are joined straight. */
static void write_link(const struct pl_report *r, const struct circle *c,
		       const struct pl_report_link *link, FILE *out)
{
	const size_t n = c->order->n;
	const size_t src = c->pos_of[link->src], dst = c->pos_of[link->dst];
	const double a = 2 * PI * (double)src / (double)n;
	const double b = 2 * PI * (double)dst / (double)n;
	const bool next = (src + 1) % n == dst || (dst + 1) % n == src;
	const double bend = next ? 0.5 : 0.2;
	const double room = c->gap - 2 * c->radius;
	struct pl_curve curve = {
		.from_x = RADIUS * sin(a),
		.from_y = -RADIUS * cos(a),
		.to_x = RADIUS * sin(b),
		.to_y = -RADIUS * cos(b),
	};

	curve.over_x = bend * (curve.from_x + curve.to_x);
	curve.over_y = bend * (curve.from_y + curve.to_y);
	pl_draw_link_begin(r, link, out);
	if (room < 7 && (src + 1) % n == dst)
		write_crowded(c, src, out);
	else
		pl_draw_curve(&curve, c->radius + 1,
			      !next && !c->heads ? 0
			      : next             ? fmin(9, room)
						 : 7,
			      out);
	pl_draw_link_end(r, link, out);
}

/* The dearest ones on top, and drawn in any case. */
static int write_links(const struct pl_report *r, struct circle *c,
		       const struct pl_report_links *links, size_t *n_drawn, FILE *out)
{
	const struct pl_report_link **v = pl_array_create(links->n, sizeof(*v));

	c->pos_of = pl_array_create(r->n, sizeof(*c->pos_of));
	c->heads = links->n <= HEADS_MAX;
	*n_drawn = links->n < PL_DRAW_LINKS_MAX ? links->n : PL_DRAW_LINKS_MAX;
	if (v && c->pos_of) {
		for (size_t k = 0; k < c->order->n; k++)
			c->pos_of[pl_map_host(c->order, k)] = k;
		for (size_t i = 0; i < links->n; i++)
			v[i] = &links->v[i];
		qsort(v, links->n, sizeof(*v), dearest_first);
		/* where there are many, more of them make it darker */
		fprintf(out, "<g stroke-opacity=\"%.2f\">\n",
			c->heads ? 1 : fmax(0.1, 0.3 * HEADS_MAX / (double)links->n));
		for (size_t i = *n_drawn; i-- > 0;)
			write_link(r, c, v[i], out);
		fputs("</g>\n", out);
	}
	free(c->pos_of);
	free(v);
	return v && c->pos_of ? 0 : -1;
}

/* Outwards, turned so that none stands on its head. */
static void write_name(const char *name, double angle, FILE *out)
{
	const double degrees = angle * 180 / PI - 90;
	const bool left = angle > PI;

	fprintf(out,
		"<text transform=\"rotate(%.1f) translate(%.0f 0)%s\" text-anchor=\"%s\" "
		"dominant-baseline=\"central\" font-size=\"11\" fill=\"currentColor\">",
		degrees, RADIUS + 14, left ? " rotate(180)" : "", left ? "end" : "start");
	pl_escape_markup(name, out);
	fputs("</text>\n", out);
}

int pl_draw_ring(const struct pl_report *r, const struct pl_map_order *order,
		 const struct pl_report_links *links, size_t *n_drawn, FILE *out,
		 struct pl_err *err)
{
	const double gap = 2 * PI * RADIUS / (double)order->n;
	struct circle circle = {
		.order = order,
		.gap = gap,
		.radius = gap > 36 ? 9 : fmax(0.25 * gap, 1.4),
	};
	struct pl_label label[PL_LABELS_MAX];
	const size_t n_labels = pl_labels_find(label, r, order, NAMED_MAX, NAME_CHARS);

	fprintf(out, "<svg class=\"drawing\" viewBox=\"%d %d %d %d\" role=\"img\">\n", -HALF, -HALF,
		2 * HALF, 2 * HALF);
	if (write_links(r, &circle, links, n_drawn, out))
		return pl_err_nomem(err);
	for (size_t k = 0; k < order->n; k++) {
		const double a = 2 * PI * (double)k / (double)order->n;

		pl_draw_host(r, pl_map_host(order, k), RADIUS * sin(a), -RADIUS * cos(a),
			     circle.radius, out);
	}
	for (size_t k = 0; k < n_labels; k++)
		/* the last one might lie on the first */
		if (k == 0 ||
		    label[k].pos + (double)order->n / NAMED_MAX <= label[0].pos + (double)order->n)
			write_name(label[k].text, 2 * PI * label[k].pos / (double)order->n, out);
	fputs("</svg>\n", out);
	return 0;
}
