/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - a report as one file of HTML that needs no other */
#include "config.h"

#include "report/page.h"

#include "report/escape.h"
#include "report/map.h"

#include <string.h>

/* No script but ours, nothing from anywhere else. */
static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<link rel=\"icon\" href=\"data:,\">\n";

static void write_title(const struct pl_report *r, FILE *out)
{
	char title[PL_REPORT_LINE];

	pl_escape_markup(pl_report_title(title, r), out);
}

static void write_measured(const struct pl_report *r, FILE *out)
{
	const struct pl_matrix *m = r->from.matrix;
	const size_t n_pairs = r->n * (r->n - 1);
	char hosts[PL_REPORT_LINE];

	fputs("<p class=\"sub\">", out);
	if (r->from.traffic) {
		fprintf(out, "%s; written by %s %s</p>\n", pl_map_traffic(r), r->from.tool,
			PACKAGE_VERSION);
		return;
	}
	fprintf(out, "%s; ", pl_report_hosts(hosts, r));
	pl_escape_markup(m->layer[0].statistic, out);
	fprintf(out, " %s", pl_quantity_name(m->layer[0].quantity));
	if (m->method) {
		fputs(" by ", out);
		pl_escape_markup(m->method, out);
	}
	fprintf(out, ": %zu pairs measured, <span id=\"n-missing\">%zu</span> missing",
		n_pairs - r->n_missing, r->n_missing);
	if (m->created) {
		fputs("; measured ", out);
		pl_escape_markup(m->created, out);
	}
	for (size_t i = 0; i < r->n_orders; i++) {
		fputs(i == 0 ? "; order for " : ", ", out);
		pl_escape_markup(r->order[i].title, out);
	}
	fprintf(out, "; written by %s %s</p>\n", r->from.tool, PACKAGE_VERSION);
}

static void write_warnings(const struct pl_report *r, FILE *out)
{
	for (size_t i = 0; i < r->n_facts; i++) {
		if (r->fact[i].part != PL_REPORT_WARNING)
			continue;
		fputs("<p class=\"warning\">", out);
		pl_escape_markup(r->fact[i].value, out);
		fputs("</p>\n", out);
	}
}

int pl_report_write_html(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	fputs(head, out);
	fputs("<title>", out);
	write_title(r, out);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", pl_page_css);
	fputs("<header>\n<h1>", out);
	write_title(r, out);
	fputs("</h1>\n", out);
	write_measured(r, out);
	write_warnings(r, out);
	fputs("</header>\n", out);
	pl_page_costs(r, out);
	if (pl_page_groups(r, out, err) || pl_page_maps(r, out, err) || pl_page_hops(r, out, err))
		return -1;
	pl_page_tables(r, out);
	if (!r->from.traffic && !r->too_few)
		pl_page_racks(r, out);
	pl_page_times(r, out);
	pl_page_speed(r, out);
	pl_page_facts(r, out);
	pl_page_hosts(r, out);
	fputs("</main>\n<script type=\"application/json\" id=\"plink-data\">", out);
	if (pl_page_data(r, out, err))
		return -1;
	fprintf(out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", pl_page_js);
	return 0;
}
