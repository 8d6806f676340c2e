/* SPDX-License-Identifier: BSD-3-Clause */
/* chart.c - predicted times in the given and in the found order, as bars */
#include "config.h"

#include "report/chart.h"

#include "base/text/size.h"
#include "report/escape.h"

#include <math.h>
#include <string.h>

#define ROWS_MAX 14
#define ROW 36  /* height of a size's two bars */
#define HEAD 44 /* title and key */
#define FOOT 20
#define SIZES 50  /* left of the bars */
#define NAMES 150 /* the same, with collectives */
#define TIMES 84  /* behind the bars */

struct row {
	const char *collective;
	uint64_t bytes;
	bool has_size, in_title;
	double given_s, found_s;
};

static bool same_call(const struct pl_report_time *a, const struct pl_report_time *b)
{
	return a->bytes == b->bytes && a->has_size == b->has_size &&
	       !strcmp(a->collective, b->collective);
}

/* Does no call before it equal it? Then *row has the best of all its algorithms. */
static bool first_of_call(const struct pl_report *r, size_t i, struct row *row)
{
	const struct pl_report_time *t = &r->time[i];

	*row = (struct row){t->collective, t->bytes, t->has_size, false, NAN, NAN};
	for (size_t k = 0; k < r->n_times; k++) {
		const struct pl_report_time *other = &r->time[k];

		if (!same_call(t, other))
			continue;
		if (k < i)
			return false;
		row->in_title = row->in_title || other->in_title;
		row->given_s = fmin(row->given_s, other->given_s);
		row->found_s = fmin(row->found_s, other->found_s);
	}
	return row->given_s > 0 && row->found_s > 0;
}

/* The rows shown: every so many-th, and the title's; *n_all before that. */
static size_t find_rows(const struct pl_report *r, struct row v[ROWS_MAX + 1], size_t *n_all)
{
	struct row row;
	size_t n = 0, k = 0, step;

	*n_all = 0;
	for (size_t i = 0; i < r->n_times; i++)
		*n_all += first_of_call(r, i, &row);
	step = (*n_all + ROWS_MAX - 1) / ROWS_MAX;
	for (size_t i = 0; i < r->n_times; i++)
		if (first_of_call(r, i, &row) && (k++ % step == 0 || row.in_title))
			v[n++] = row;
	return n;
}

int pl_chart_height(const struct pl_report *r)
{
	struct row v[ROWS_MAX + 1];
	size_t n_all;

	return HEAD + ROW * (int)find_rows(r, v, &n_all) + FOOT;
}

static void write_bar(int left, double y, double time_s, double most_s, bool found, FILE *out)
{
	const double width = (PL_CHART_WIDTH - left - TIMES) * time_s / most_s;
	char number[PL_REPORT_NUMBER];

	fprintf(out,
		"<rect x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"13\" fill=\"%s\"/><text "
		"x=\"%.1f\" y=\"%.0f\" font-size=\"12\" fill=\"currentColor\"%s>%s</text>\n",
		left, y, width, found ? "#0a5ea8" : "#8c959f", left + width + 5, y + 11,
		found ? " font-weight=\"bold\"" : "", pl_report_seconds(number, time_s));
}

static void write_row(const struct row *row, bool named, double y, FILE *out)
{
	const double most = fmax(row->given_s, row->found_s);
	const int left = named ? NAMES : SIZES;
	char size[PL_SIZE_CHARS] = "", text[PL_REPORT_TITLE];

	if (row->has_size)
		pl_size_format(size, row->bytes);
	snprintf(text, sizeof(text), "%s%s%s", named || !row->has_size ? row->collective : "",
		 named && row->has_size ? " " : "", size);
	fprintf(out,
		"<text x=\"%d\" y=\"%.0f\" font-size=\"13\" text-anchor=\"end\" "
		"fill=\"currentColor\">",
		left - 8, y + 18);
	pl_escape_markup(text, out);
	fputs("</text>\n", out);
	write_bar(left, y, row->given_s, most, false, out);
	write_bar(left, y + 14, row->found_s, most, true, out);
}

void pl_chart_write(const struct pl_report *r, FILE *out)
{
	struct row v[ROWS_MAX + 1];
	size_t n_all;
	const size_t n = find_rows(r, v, &n_all);
	bool named = false, sized = false;
	int left;

	for (size_t i = 0; i < n; i++) {
		named = named || strcmp(v[i].collective, v[0].collective) != 0;
		sized = sized || v[i].has_size;
	}
	left = named ? NAMES : SIZES;
	fprintf(out,
		"<text x=\"%d\" y=\"-8\" font-size=\"15\" font-weight=\"bold\" "
		"fill=\"currentColor\">predicted time%s%s%s</text>\n",
		left, n > 0 && !named ? " of " : "", n > 0 && !named ? v[0].collective : "",
		sized ? ", by size" : "");
	fprintf(out,
		"<rect x=\"%d\" y=\"8\" width=\"14\" height=\"14\" fill=\"#8c959f\"/><text "
		"x=\"%d\" y=\"20\" font-size=\"13\" fill=\"currentColor\">given order</text><rect "
		"x=\"%d\" y=\"8\" width=\"14\" height=\"14\" fill=\"#0a5ea8\"/><text x=\"%d\" "
		"y=\"20\" font-size=\"13\" fill=\"currentColor\">found order</text>\n",
		left, left + 20, left + 110, left + 130);
	for (size_t i = 0; i < n; i++)
		write_row(&v[i], named, HEAD + ROW * (double)i, out);
	fprintf(out,
		"<text x=\"%d\" y=\"%zu\" font-size=\"12\" fill=\"currentColor\">%seach pair of "
		"bars to its own scale",
		left, HEAD + ROW * n + 12, r->times_of_found ? "" : "fastest algorithm in each; ");
	if (n < n_all)
		fprintf(out, "; %zu of %zu sizes", n, n_all);
	fputs("</text>\n", out);
}
