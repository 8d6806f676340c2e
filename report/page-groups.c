/* SPDX-License-Identifier: BSD-3-Clause */
/* page-groups.c - the communicators of a job over the racks, and what each kind of them gives up
 * for the others */
#include "config.h"

#include "report/page.h"

#include "base/mem.h"
#include "report/colour.h"
#include "report/escape.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 520
#define NUMBERED 14 /* the smallest square with room for a number */
#define SQUARES_MAX 4096

/* Where the next square of a drawing goes; without @out nothing is written. */
struct pen {
	FILE *out;
	int side; /* of a square */
	int x, y;
};

static void next_line(struct pen *pen, int gap)
{
	pen->x = 0;
	pen->y += pen->side + gap;
}

static void write_square(const struct pl_report *r, const struct pen *pen, size_t host)
{
	const struct pl_rgb c = pl_colour_rack(r->rack[host]);
	const bool light = 299 * c.r + 587 * c.g + 114 * c.b > 128000;
	char colour[PL_COLOUR_CHARS], rack[PL_REPORT_RACK];

	fprintf(pen->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>",
		pen->x, pen->y, pen->side - 1, pen->side - 1, pl_colour_format(colour, c));
	pl_escape_markup(r->label[host], pen->out);
	fputs(", ", pen->out);
	pl_escape_markup(pl_report_rack_name(rack, r, r->rack[host]), pen->out);
	fputs("</title></rect>\n", pen->out);
	if (pen->side >= NUMBERED)
		fprintf(pen->out,
			"<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"middle\" "
			"fill=\"%s\">%zu</text>\n",
			pen->x + (pen->side - 1) / 2.0, pen->y + 0.67 * pen->side, pen->side / 2,
			light ? "#000" : "#fff", r->rack[host] + 1);
}

/* The host at a seat of a group; host_at is NULL for the given order. */
static size_t host_of(const size_t *host_at, size_t seat)
{
	return host_at ? host_at[seat] : seat;
}

/* A square for each member. A group that has no room in the rest of a line begins a new one, and so
 * does one behind a group of several lines. */
static void write_groups(const struct pl_report *r, const struct pl_report_kind *kind,
			 const size_t *host_at, struct pen *pen)
{
	const int gap = pen->side / 2;
	int begin = 0;

	for (size_t g = 0; g < kind->n_groups; g++) {
		const size_t n = kind->first[g + 1] - kind->first[g];
		const int room = (WIDTH - pen->x) / pen->side;

		if (pen->x > 0 && (pen->y > begin || room < (int)n))
			next_line(pen, gap);
		begin = pen->y;
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++) {
			if (pen->x + pen->side > WIDTH)
				next_line(pen, 0);
			if (pen->out)
				write_square(r, pen, host_of(host_at, kind->seat[i]));
			pen->x += pen->side;
		}
		pen->x += gap;
	}
	next_line(pen, 0);
}

static void draw(const struct pl_report *r, const struct pl_report_kind *kind,
		 const size_t *host_at, FILE *out)
{
	const size_t n = kind->first[kind->n_groups];
	struct pen pen = {.side = n <= 128 ? 20 : n <= 1024 ? NUMBERED : 8};
	const char *name = host_at ? "found" : "given";

	write_groups(r, kind, host_at, &pen);
	fprintf(out,
		"<figure>\n<figcaption>%s order</figcaption>\n<svg class=\"groups\" viewBox=\"0 0 "
		"%d %d\" role=\"img\" aria-label=\"racks of %zu groups, %s order\">\n",
		name, WIDTH, pen.y, kind->n_groups, name);
	pen = (struct pen){.out = out, .side = pen.side};
	write_groups(r, kind, host_at, &pen);
	fputs("</svg>\n</figure>\n", out);
}

static void draw_kind(const struct pl_report *r, const struct pl_report_kind *kind, FILE *out)
{
	if (kind->n_groups == 0)
		return;
	fputs("<h3>", out);
	pl_escape_markup(kind->name, out);
	fputs("</h3>\n", out);
	if (kind->first[kind->n_groups] > SQUARES_MAX) {
		fprintf(out, "<p class=\"note\">More than %d members: not drawn.</p>\n",
			SQUARES_MAX);
		return;
	}
	fputs("<div class=\"maps\">\n", out);
	draw(r, kind, NULL, out);
	draw(r, kind, r->order[0].host_at, out);
	fputs("</div>\n", out);
}

/* "2 to 4": the racks of the groups. @seen[n_racks] differs from all marks from *mark on. */
static void write_racks(const struct pl_report *r, const struct pl_report_kind *kind,
			const size_t *host_at, size_t *seen, size_t *mark, FILE *out)
{
	size_t least = SIZE_MAX, most = 0;

	for (size_t g = 0; g < kind->n_groups; g++, ++*mark) {
		size_t n = 0;

		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++) {
			const size_t rack = r->rack[host_of(host_at, kind->seat[i])];

			n += seen[rack] != *mark;
			seen[rack] = *mark;
		}
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least < most)
		fprintf(out, "%zu to ", least);
	fprintf(out, "%zu", most);
}

static void write_cost(const struct pl_report *r, double cost, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fprintf(out, "<td class=\"num\">%s</td>",
		r->kinds_unit == PL_S ? pl_report_seconds(number, cost)
				      : pl_report_number(number, cost, r->kinds_unit));
}

/* What the order for all costs a kind more than its own. */
static void write_given_up(const struct pl_report *r, const struct pl_report_kind *kind, FILE *out)
{
	const double more = fmax(0, kind->found - kind->alone);

	write_cost(r, isnan(kind->alone) ? NAN : more, out);
	if (kind->alone > 0)
		fprintf(out, "<td class=\"num\">%.1f&nbsp;%%</td>", 100 * more / kind->alone);
	else
		fputs("<td class=\"num\">-</td>", out);
}

static void write_kind(const struct pl_report *r, const struct pl_report_kind *kind, size_t *seen,
		       size_t *mark, FILE *out)
{
	fputs("<tr><th scope=\"row\">", out);
	pl_escape_markup(kind->name, out);
	fputs("</th><td>", out);
	pl_escape_markup(kind->calls, out);
	fputs("</td><td class=\"num\">", out);
	if (!isnan(kind->apart_given)) {
		fprintf(out,
			"%.1f&nbsp;%% between racks</td><td class=\"num\">%.1f&nbsp;%% between "
			"racks",
			100 * kind->apart_given, 100 * kind->apart_found);
	} else if (kind->n_groups == 0) {
		fputs("within hosts</td><td class=\"num\">within hosts", out);
	} else {
		write_racks(r, kind, NULL, seen, mark, out);
		fputs("</td><td class=\"num\">", out);
		write_racks(r, kind, r->order[0].host_at, seen, mark, out);
	}
	fputs("</td>", out);
	write_cost(r, kind->given, out);
	write_cost(r, kind->found, out);
	write_cost(r, kind->alone, out);
	write_given_up(r, kind, out);
	fputs("</tr>\n", out);
}

static const char head[] =
	"<section id=\"groups\">\n<h2>Groups over the racks</h2>\n"
	"<table>\n<thead><tr><th scope=\"col\">kind</th><th scope=\"col\">calls</th><th "
	"scope=\"col\">racks of a group: given</th><th scope=\"col\">found</th><th "
	"scope=\"col\">costs: given</th><th scope=\"col\">found</th><th scope=\"col\">best for it "
	"alone</th><th scope=\"col\" colspan=\"2\">gives up for the "
	"others</th></tr></thead>\n<tbody>\n";

int pl_page_groups(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	size_t *seen, mark = 1;

	if (r->n_kinds == 0)
		return 0;
	seen = pl_array_create(r->n_racks, sizeof(*seen));
	if (!seen)
		return pl_err_nomem(err);
	fputs(head, out);
	for (size_t k = 0; k < r->n_kinds; k++)
		write_kind(r, &r->kind[k], seen, &mark, out);
	fputs("</tbody>\n</table>\n<p>Below, each square is a host, and squares side by side are a "
	      "group, in the order of its ranks; colours and numbers are those of racks. A group "
	      "has the same place in both pictures. Groups within hosts, and traffic, are not "
	      "drawn.</p>\n",
	      out);
	for (size_t k = 0; k < r->n_kinds; k++)
		draw_kind(r, &r->kind[k], out);
	fputs("</section>\n", out);
	free(seen);
	return 0;
}
