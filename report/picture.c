/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - what an order gains, heat maps and times side by side, as SVG */
#include "config.h"

#include "report/chart.h"
#include "report/escape.h"
#include "report/map.h"
#include "report/speed.h"

#include <string.h>

#define MARGIN 24
#define HEAD 136   /* title, what was measured, scale of colours */
#define PIXELS 900 /* of a map, about: viewers blur what they enlarge */
#define TITLE 26   /* size of letters, where there is room */

static void write_text(double x, double y, double size, const char *more, const char *text,
		       FILE *out)
{
	fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" font-size=\"%.1f\" fill=\"currentColor\"%s>", x,
		y, size, more);
	pl_escape_markup(text, out);
	fputs("</text>\n", out);
}

static void write_head(const struct pl_report *r, size_t width, FILE *out)
{
	char title[PL_REPORT_LINE], what[3 * PL_REPORT_TITLE];
	char hosts[PL_REPORT_LINE];
	const double room = (double)(width - 2 * MARGIN);
	double size;

	pl_report_title(title, r);
	size = room / (0.6 * (double)strlen(title));
	fputs("<title>", out);
	pl_escape_markup(title, out);
	fputs("</title>\n", out);
	write_text(MARGIN, 38, size < TITLE ? size : TITLE, " font-weight=\"bold\"", title, out);
	if (r->from.traffic)
		snprintf(what, sizeof(what), "%s", pl_map_traffic(r));
	else
		snprintf(what, sizeof(what), "%s, %s %s%s%s", pl_report_hosts(hosts, r),
			 r->from.matrix->layer[0].statistic,
			 pl_quantity_name(r->from.matrix->layer[0].quantity),
			 r->n_orders > 0 ? "; order for " : "",
			 r->n_orders > 0 ? r->order[0].title : "");
	size = room / (0.6 * (double)strlen(what));
	write_text(MARGIN, 60, size < 14 ? size : 14, "", what, out);
	fprintf(out, "<g transform=\"translate(%d 70)\">\n", MARGIN);
	pl_map_write_legend(r, out);
	fputs("</g>\n", out);
}

/* One map with its title, @x from the left. */
static int write_panel(const struct pl_report *r, const struct pl_map_order *order, size_t x,
		       const char *title, FILE *out, struct pl_err *err)
{
	const size_t pixels = order->n / pl_map_block(order->n);
	int rc;

	fprintf(out, "<g transform=\"translate(%zu %d)\">\n", x, HEAD);
	write_text(PL_MAP_LEFT, -8, 15, " font-weight=\"bold\"", title, out);
	rc = pl_map_write(r, order, 1 + PIXELS / (pixels + 1), out, err);
	fputs("</g>\n", out);
	return rc;
}

/* Of predicted times, or of speeds. */
static bool has_chart(const struct pl_report *r)
{
	return r->n_times > 0 || r->n_speeds > 0;
}

static int write_maps(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	const struct pl_map_order given = {NULL, r->n};
	size_t x = MARGIN;

	if (write_panel(r, &given, x, r->from.traffic ? "bytes sent" : "given order", out, err))
		return -1;
	for (size_t k = 0; k < r->n_orders; k++) {
		const struct pl_report_order *o = &r->order[k];
		const struct pl_map_order found = {o->host_at, o->n};
		char title[PL_REPORT_TITLE + 32];

		x += MARGIN + PL_MAP_SIDE;
		snprintf(title, sizeof(title), "found order%s%s", r->n_orders > 1 ? " for " : "",
			 r->n_orders > 1 ? o->title : "");
		if (write_panel(r, &found, x, title, out, err))
			return -1;
	}
	if (has_chart(r)) {
		fprintf(out, "<g transform=\"translate(%zu %d)\">\n", x + MARGIN + PL_MAP_SIDE,
			HEAD);
		if (r->n_times > 0)
			pl_chart_write(r, out);
		else
			pl_speed_write(r, out);
		fputs("</g>\n", out);
	}
	return 0;
}

int pl_report_write_svg(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	const size_t width = MARGIN + (1 + r->n_orders) * (PL_MAP_SIDE + MARGIN) +
			     (has_chart(r) ? PL_CHART_WIDTH + MARGIN : 0);
	char note[PL_MAP_NOTE];
	int height = HEAD + PL_MAP_SIDE + 2 * MARGIN;

	if (r->n_times > 0 && HEAD + pl_chart_height(r) + MARGIN > height)
		height = HEAD + pl_chart_height(r) + MARGIN;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" viewBox=\"0 "
		"0 %zu %d\" color=\"#222\" font-family=\"sans-serif\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		width, height, width, height);
	write_head(r, width, out);
	write_text(MARGIN, height - 14, 12, "", pl_map_note(note, r->n), out);
	if (write_maps(r, out, err))
		return -1;
	fputs("</svg>\n", out);
	return 0;
}
