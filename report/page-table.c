/* SPDX-License-Identifier: BSD-3-Clause */
/* page-table.c - racks, times, what was asked, commands, hosts */
#include "config.h"

#include "report/page.h"

#include "base/text/size.h"
#include "report/chart.h"
#include "report/colour.h"
#include "report/escape.h"
#include "report/speed.h"

#include <math.h>

void pl_page_tables(const struct pl_report *r, FILE *out)
{
	for (size_t i = 0; i < r->n_facts; i++) {
		if (r->fact[i].part != PL_REPORT_TABLE)
			continue;
		fputs("<section class=\"table\">\n<h2>", out);
		pl_escape_markup(r->fact[i].key, out);
		fputs("</h2>\n<pre>", out);
		pl_escape_markup(r->fact[i].value, out);
		fputs("</pre>\n</section>\n", out);
	}
}

static void write_number(const struct pl_report *r, double value, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fprintf(out, "<td class=\"num\">%s</td>", pl_report_value(number, r, value));
}

static void write_rack(const struct pl_report *r, size_t a, FILE *out)
{
	const char *between = "";
	char colour[PL_COLOUR_CHARS];

	fprintf(out,
		"<tr><th scope=\"row\"><span class=\"dot\" "
		"style=\"background:%s\"></span>%zu</th><td class=\"num\">%zu</td>",
		pl_colour_format(colour, pl_colour_rack(a)), a + 1, r->racks[a].n);
	write_number(r, r->racks[a].inner, out);
	write_number(r, r->racks[a].outer, out);
	fputs("<td class=\"names\">", out);
	for (size_t i = 0; i < r->n; i++) {
		if (r->rack[i] != a)
			continue;
		fputs(between, out);
		pl_escape_markup(r->label[i], out);
		between = " ";
	}
	fputs("</td></tr>\n", out);
}

void pl_page_racks(const struct pl_report *r, FILE *out)
{
	fprintf(out,
		"<section id=\"racks\">\n<h2>Racks found: %zu</h2>\n<table>\n"
		"<thead><tr><th scope=\"col\">rack</th><th scope=\"col\">hosts</th><th "
		"scope=\"col\">median within</th><th scope=\"col\">median to others</th><th "
		"scope=\"col\">names</th></tr></thead>\n<tbody>\n",
		r->n_racks);
	for (size_t a = 0; a < r->n_racks && a < PL_REPORT_RACKS_LISTED; a++)
		write_rack(r, a, out);
	fputs("</tbody>\n</table>\n", out);
	if (r->linked)
		fprintf(out,
			"<p class=\"note\">With more than %d hosts, racks are found by average "
			"linkage, cut where distances jump most; plink-groups examines them more "
			"closely.</p>\n",
			PL_REPORT_RACKS_MAX);
	if (r->n_racks > PL_REPORT_RACKS_LISTED)
		fprintf(out, "<p class=\"note\">%zu more are not listed.</p>\n",
			r->n_racks - PL_REPORT_RACKS_LISTED);
	fputs("</section>\n", out);
}

static void write_time(const struct pl_report_time *t, FILE *out)
{
	char size[PL_SIZE_CHARS] = "-", number[PL_REPORT_NUMBER];

	if (t->has_size)
		pl_size_format(size, t->bytes);
	fprintf(out, "<tr%s><td class=\"num\">%s</td><td>", t->best ? " class=\"best\"" : "", size);
	pl_escape_markup(t->name, out);
	fprintf(out, "</td><td class=\"num\">%s</td>", pl_report_number(number, t->given_s, PL_S));
	fprintf(out, "<td class=\"num\">%s</td>", pl_report_number(number, t->found_s, PL_S));
	if (t->given_s > 0 && !isnan(t->found_s))
		fprintf(out, "<td class=\"num\">%.1f&nbsp;%%</td>",
			100 * (1 - t->found_s / t->given_s));
	else
		fputs("<td class=\"num\">-</td>", out);
	fprintf(out, "<td>%s</td></tr>\n", t->best ? "fastest" : "");
}

static void write_times(const struct pl_report *r, FILE *out)
{
	fprintf(out,
		"<table>\n"
		"<thead><tr><th scope=\"col\">bytes</th><th scope=\"col\">algorithm</th><th "
		"scope=\"col\">in the given order</th><th scope=\"col\">%s</th><th "
		"scope=\"col\">less</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n",
		r->times_of_found ? "in the order found" : "in its own order");
	for (size_t i = 0; i < r->n_times; i++)
		write_time(&r->time[i], out);
	fputs("</tbody>\n</table>\n", out);
}

void pl_page_times(const struct pl_report *r, FILE *out)
{
	if (r->n_times == 0)
		return;
	fprintf(out,
		"<section id=\"times\">\n<h2>Predicted times</h2>\n"
		"<svg class=\"chart\" viewBox=\"0 -24 %d %d\" role=\"img\">\n",
		PL_CHART_WIDTH, 24 + pl_chart_height(r));
	pl_chart_write(r, out);
	fputs("</svg>\n", out);
	if (r->n_kinds == 0) /* a job's are beside its groups */
		write_times(r, out);
	fputs("</section>\n", out);
}

void pl_page_speed(const struct pl_report *r, FILE *out)
{
	if (r->n_speeds == 0)
		return;
	fprintf(out,
		"<section id=\"speed\">\n"
		"<svg class=\"chart\" viewBox=\"0 -24 %d %d\" role=\"img\">\n",
		PL_CHART_WIDTH, 24 + PL_SPEED_HEIGHT + 8);
	pl_speed_write(r, out);
	fputs("</svg>\n</section>\n", out);
}

static size_t count(const struct pl_report *r, enum pl_report_part part)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_facts; i++)
		n += r->fact[i].part == part;
	return n;
}

static void write_pairs(const struct pl_report *r, enum pl_report_part part, const char *id,
			const char *title, FILE *out)
{
	if (count(r, part) == 0)
		return;
	fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<dl>\n", id, title);
	for (size_t i = 0; i < r->n_facts; i++) {
		if (r->fact[i].part != part)
			continue;
		fputs("<dt>", out);
		pl_escape_markup(r->fact[i].key, out);
		fputs("</dt><dd>", out);
		pl_escape_markup(r->fact[i].value, out);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n</section>\n", out);
}

static void write_commands(const struct pl_report *r, FILE *out)
{
	if (count(r, PL_REPORT_COMMAND) == 0)
		return;
	fputs("<section id=\"command\">\n<h2>How to run it</h2>\n", out);
	for (size_t i = 0; i < r->n_facts; i++) {
		if (r->fact[i].part != PL_REPORT_COMMAND)
			continue;
		fputs("<p>", out);
		pl_escape_markup(r->fact[i].key, out);
		fputs(":</p>\n<pre><code>", out);
		pl_escape_markup(r->fact[i].value, out);
		fputs("</code></pre>\n", out);
	}
	fputs("</section>\n", out);
}

void pl_page_facts(const struct pl_report *r, FILE *out)
{
	write_commands(r, out);
	write_pairs(r, PL_REPORT_ASKED, "asked", "What was asked for", out);
	write_pairs(r, PL_REPORT_EFFECT, "effect", "What took effect", out);
}

/* Which host stands where: positions of the first order. */
void pl_page_hosts(const struct pl_report *r, FILE *out)
{
	const struct pl_report_order *o = r->n_orders > 0 ? r->order : NULL;

	if (!o)
		return;
	fputs("<section id=\"hosts\">\n<details>\n<summary>The order, host by "
	      "host</summary>\n<table>\n<thead><tr><th scope=\"col\">position</th><th "
	      "scope=\"col\">host</th><th scope=\"col\">slots</th><th scope=\"col\">rack</th><th "
	      "scope=\"col\">given as</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t k = 0; k < o->n; k++) {
		const size_t h = o->host_at[k];

		fprintf(out, "<tr><td class=\"num\">%zu</td><td>", k);
		pl_escape_markup(r->label[h], out);
		fprintf(out,
			"</td><td class=\"num\">%d</td><td class=\"num\">%zu</td><td "
			"class=\"num\">%zu</td></tr>\n",
			r->from.hosts->v[h].slots, r->rack[h] + 1, h);
	}
	fputs("</tbody>\n</table>\n</details>\n</section>\n", out);
}
