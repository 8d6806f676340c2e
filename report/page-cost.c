/* SPDX-License-Identifier: BSD-3-Clause */
/* page-cost.c - what the given and the found order cost, and how good that
 * is */
#include "config.h"

#include "report/page.h"

#include "report/escape.h"

#include <math.h>
#include <stdio.h>

static void write_bar(const struct pl_report *r, const char *id, const char *name, double value,
		      double most, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	if (isnan(value))
		return;
	fprintf(out,
		"<tr class=\"%s\"><th scope=\"row\">%s</th><td class=\"num\">%s</td><td "
		"class=\"bar\"><span style=\"width:%.2f%%\"></span></td></tr>\n",
		id, name, pl_report_value(number, r, value), most > 0 ? 100 * value / most : 0);
}

static void write_words(const struct pl_report_order *o, FILE *out)
{
	const double less = 100 * (1 - o->cost / o->given);

	fputs("<p>", out);
	if (o->cost == o->given)
		fputs("The found order costs as much as the given one.", out);
	else if (o->given > 0 && !isnan(o->cost))
		fprintf(out,
			"The found order costs <strong>%.1f&nbsp;%% %s</strong> than the given "
			"one.",
			fabs(less), less < 0 ? "more" : "less");
	if (o->exact)
		fputs(" No order is cheaper.", out);
	else if (o->bound > 0)
		fprintf(out,
			" No order costs less than the bound: the gap is "
			"<strong>%.2f&nbsp;%%</strong>.",
			100 * (o->cost / o->bound - 1));
	else
		fputs(" How far this is from the cost of the best order is not known.", out);
	fputs("</p>\n", out);
}

void pl_page_costs(const struct pl_report *r, FILE *out)
{
	for (size_t i = 0; i < r->n_orders; i++) {
		const struct pl_report_order *o = &r->order[i];
		const double most = fmax(fmax(o->given, o->cost), o->bound);

		if (isnan(o->given) && isnan(o->cost))
			continue;
		fputs("<section class=\"cost\">\n<h2>Cost of ", out);
		pl_escape_markup(o->title, out);
		fputs("</h2>\n<table>\n", out);
		write_bar(r, "given", "given", o->given, most, out);
		write_bar(r, "found", "found", o->cost, most, out);
		write_bar(r, "bound", "lower bound", o->bound, most, out);
		fputs("</table>\n", out);
		write_words(o, out);
		fputs("</section>\n", out);
	}
}
