/* SPDX-License-Identifier: BSD-3-Clause */
/* page-order.c - heat maps and drawings of orders */
#include "config.h"

#include "report/page.h"

#include "base/mem.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/map.h"

#include <math.h>
#include <stdlib.h>

#define SLOWEST 12 /* hops listed */
#define TREES_MAX 4

/* @number: that of the order for the script; 0 is the given one. */
static int write_map(const struct pl_report *r, const struct pl_map_order *order, size_t number,
		     const char *title, FILE *out, struct pl_err *err)
{
	int rc;

	fputs("<figure>\n<figcaption>", out);
	pl_escape_markup(title, out);
	fprintf(out,
		"</figcaption>\n<svg class=\"map\" data-order=\"%zu\" data-left=\"%d\" "
		"data-top=\"%d\" data-size=\"%d\" viewBox=\"0 0 %d %d\" tabindex=\"0\" "
		"role=\"img\" aria-label=\"heat map of %zu hosts, ",
		number, PL_MAP_LEFT, PL_MAP_LEFT, PL_MAP_SIZE, PL_MAP_SIDE + PL_MAP_END,
		PL_MAP_SIDE + PL_MAP_END, order->n);
	pl_escape_markup(title, out);
	fputs("; arrow keys move from pair to pair\">\n", out);
	rc = pl_map_write(r, order, 1, out, err);
	fputs("</svg>\n</figure>\n", out);
	return rc;
}

int pl_page_maps(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	const struct pl_map_order given = {NULL, r->n};
	char note[PL_MAP_NOTE];

	fprintf(out,
		"<section id=\"maps\">\n<h2>Every pair of hosts</h2>\n"
		"<p>A row is a source of packets, a column a destination; dark is %s. The colours "
		"at the edges show racks.</p>\n",
		r->from.traffic ? "much" : "slow");
	fputs("<svg class=\"legend\" viewBox=\"0 0 380 34\" role=\"img\" aria-label=\"scale of "
	      "colours, logarithmic\">\n",
	      out);
	pl_map_write_legend(r, out);
	fputs("</svg>\n", out);
	if (*pl_map_note(note, r->n))
		fprintf(out, "<p class=\"note\">%s</p>\n", note);
	fputs("<p class=\"readout\" id=\"readout\" role=\"status\">Point at a pair, or focus a map "
	      "and use the arrow keys.</p>\n"
	      "<noscript><p class=\"note\">Without scripts the numbers of single pairs cannot be "
	      "shown.</p></noscript>\n"
	      "<div class=\"maps\">\n",
	      out);
	if (write_map(r, &given, 0, r->from.traffic ? "bytes sent" : "given order", out, err))
		return -1;
	for (size_t i = 0; i < r->n_orders; i++) {
		const struct pl_report_order *o = &r->order[i];
		const struct pl_map_order found = {o->host_at, o->n};
		char title[PL_REPORT_TITLE + 32];

		snprintf(title, sizeof(title), "found order%s%s", r->n_orders > 1 ? " for " : "",
			 r->n_orders > 1 ? o->title : "");
		if (write_map(r, &found, i + 1, title, out, err))
			return -1;
	}
	fputs("</div>\n</section>\n", out);
	return 0;
}

/* Trees as such, where the cost is their longest path; *n of them. */
static int draw_trees(const struct pl_report *r, const struct pl_report_order *o,
		      const struct pl_report_links *links, size_t *n, FILE *out, struct pl_err *err)
{
	*n = 0;
	if (o->kind != PL_LONGEST_PATH)
		return 0;
	for (size_t g = 0; g < o->n_groups && *n < TREES_MAX; g++) {
		bool drawn;

		if (pl_draw_tree(r, links, g, &drawn, out, err))
			return -1;
		*n += drawn;
	}
	return 0;
}

static int draw(const struct pl_report *r, const struct pl_report_order *o, bool found, FILE *out,
		struct pl_err *err)
{
	const struct pl_map_order order = {found ? o->host_at : NULL, o->n};
	const struct pl_report_links *links = found ? &o->in_found : &o->in_given;
	size_t n_drawn = links->n, n_trees;

	fprintf(out,
		"<figure class=\"%s\">\n<figcaption>%s order: <strong>%zu</strong> of %zu hops are "
		"slow</figcaption>\n",
		found ? "found" : "given", found ? "found" : "given",
		pl_report_count_slow(r, links), links->n);
	if (draw_trees(r, o, links, &n_trees, out, err))
		return -1;
	if (n_trees == 0 && pl_draw_ring(r, &order, links, &n_drawn, out, err))
		return -1;
	if (n_drawn < links->n)
		fprintf(out, "<p class=\"note\">Only the %zu most expensive hops are drawn.</p>\n",
			n_drawn);
	if (n_trees > 0 && n_trees < o->n_groups)
		fprintf(out, "<p class=\"note\">%zu of %zu trees are drawn.</p>\n", n_trees,
			o->n_groups);
	fputs("</figure>\n", out);
	return 0;
}

static int dearest_first(const void *a, const void *b)
{
	const struct pl_report_link *x = a, *y = b;

	/* what is not known comes last */
	if (x->cost > y->cost || (isnan(y->cost) && !isnan(x->cost)))
		return -1;
	if (x->cost < y->cost || (isnan(x->cost) && !isnan(y->cost)))
		return 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

static void write_link(const struct pl_report *r, const struct pl_report_link *l, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fputs("<tr><td>", out);
	pl_escape_markup(r->label[l->src], out);
	fputs("</td><td>", out);
	pl_escape_markup(r->label[l->dst], out);
	fprintf(out,
		"</td><td class=\"num\">%zu</td><td class=\"num\">%zu</td><td "
		"class=\"num\">%s</td><td class=\"num\">%.6g</td><td>%s%s</td></tr>\n",
		r->rack[l->src] + 1, r->rack[l->dst] + 1, pl_report_value(number, r, l->cost),
		l->times, pl_report_is_slow(r, l) ? "slow" : "", l->missing ? " not measured" : "");
}

/* The slowest hops that the found order still has. */
static int write_slowest(const struct pl_report *r, const struct pl_report_links *links, FILE *out,
			 struct pl_err *err)
{
	struct pl_report_link *v = pl_array_create(links->n, sizeof(*v));

	if (!v)
		return pl_err_nomem(err);
	for (size_t i = 0; i < links->n; i++)
		v[i] = links->v[i];
	qsort(v, links->n, sizeof(*v), dearest_first);
	fputs("<details class=\"slowest\">\n<summary>The most expensive hops of the found "
	      "order</summary>\n<table>\n<thead><tr><th scope=\"col\">from</th><th "
	      "scope=\"col\">to</th><th scope=\"col\">rack</th><th scope=\"col\">to rack</th><th "
	      "scope=\"col\">costs</th><th scope=\"col\">times</th><th "
	      "scope=\"col\"></th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < links->n && i < SLOWEST; i++)
		write_link(r, &v[i], out);
	fputs("</tbody>\n</table>\n</details>\n", out);
	free(v);
	return 0;
}

int pl_page_hops(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	char number[PL_REPORT_NUMBER];

	for (size_t i = 0; i < r->n_orders; i++) {
		const struct pl_report_order *o = &r->order[i];

		if (r->n_kinds > 0) /* those of all kinds are too many */
			continue;
		fputs("<section class=\"hops\">\n<h2>Who talks to whom in ", out);
		pl_escape_markup(o->title, out);
		fputs("</h2>\n", out);
		if (r->slow < INFINITY)
			fprintf(out,
				"<p>Hosts have the colours of their racks. A hop of %s or more is "
				"<span class=\"slow-key\">slow</span>.</p>\n",
				pl_report_value(number, r, r->slow));
		fputs("<div class=\"drawings\">\n", out);
		/* the given order of others is none of the chosen ones */
		if ((o->n == r->n && draw(r, o, false, out, err)) || draw(r, o, true, out, err))
			return -1;
		fputs("</div>\n", out);
		if (write_slowest(r, &o->in_found, out, err))
			return -1;
		fputs("</section>\n", out);
	}
	return 0;
}
