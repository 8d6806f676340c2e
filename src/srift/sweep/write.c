/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c - a sweep as a table with bars, as CSV and as JSON */
#include "config.h"

#include "src/srift/sweep/sweep.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "src/common/json.h"
#include "src/srift/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BAR 30 /* the longest */

static const char *scaling(const struct srift_sweep_row *row)
{
	return row->strong ? "strong" : "weak";
}

static void write_row(const struct srift_sweep_row *row, double most, int width, FILE *out)
{
	static const char bar[] = "##############################";
	const int n = (int)lround(BAR * row->samples_per_s / most);

	fprintf(out, "  %-*s %4zu  %8" PRIu64 "  %9s  %10.1f%c  %5.1f %%  %9s  %10.0f  %.*s\n",
		width, row->type->instance->name, row->machines, row->samples,
		PL_TIME_TEXT(row->iteration_s), row->samples_per_s, row->interpolated ? '~' : ' ',
		100 * row->efficiency, SRIFT_MONEY(row->per_hour), srift_sweep_per_dollar(row), n,
		bar);
}

void srift_sweep_text(const struct srift_sweep *w, FILE *out)
{
	const struct srift_sweep_row *before = NULL;
	double most = 0;
	int width = 8;
	bool interpolated = false;

	for (size_t i = 0; i < w->n_rows; i++) {
		const int len = (int)strlen(w->row[i].type->instance->name);

		most = fmax(most, w->row[i].samples_per_s);
		width = len > width ? len : width;
		interpolated = interpolated || w->row[i].interpolated;
	}
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct srift_sweep_row *row = &w->row[i];

		if (!before || before->strong != row->strong) {
			fprintf(out, "%s%s: %s scaling, ", before ? "\n" : "", w->profile.model,
				scaling(row));
			if (row->strong)
				fprintf(out, "%" PRIu64 " samples in all\n", w->s->o.batch);
			else
				fprintf(out, "the same samples on each machine of a type\n");
			fprintf(out,
				"  %-*s    n   samples  iteration   samples/s   per rank     an "
				"hour   samples/$\n",
				width, "machines");
		}
		write_row(row, most, width, out);
		before = row;
	}
	if (interpolated)
		fprintf(out, "~: bandwidths interpolated between numbers of ranks\n");
	srift_write_rated(&w->s->o, out);
}

void srift_sweep_csv(const struct srift_sweep *w, FILE *out)
{
	char s[5][PL_DOUBLE_CHARS];

	fprintf(out, "scaling,instance,machines,ranks,samples,iteration_s,samples_per_s,efficiency,"
		     "dollars_per_hour,samples_per_dollar,interpolated\n");
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct srift_sweep_row *r = &w->row[i];

		fprintf(out, "%s,%s,%zu,%zu,%" PRIu64 ",%s,%s,%s,%s,%s,%d\n", scaling(r),
			r->type->instance->name, r->machines, r->ranks, r->samples,
			pl_double_format(s[0], r->iteration_s),
			pl_double_format(s[1], r->samples_per_s),
			pl_double_format(s[2], r->efficiency), pl_double_format(s[3], r->per_hour),
			pl_double_format(s[4], srift_sweep_per_dollar(r)), r->interpolated);
	}
}

/* JSON has no infinity, which a price of 0 gives. */
static json_t *number_or_null(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *row_json(const struct srift_sweep_row *r)
{
	return json_pack(
		"{ss so sI sI sI sf sf sf sf so sb}", "scaling", scaling(r), "instance",
		pl_tool_json_text(r->type->instance->name), "machines", (json_int_t)r->machines,
		"ranks", (json_int_t)r->ranks, "samples", (json_int_t)r->samples, "iteration_s",
		r->iteration_s, "samples_per_s", r->samples_per_s, "efficiency", r->efficiency,
		"dollars_per_hour", r->per_hour, "samples_per_dollar",
		number_or_null(srift_sweep_per_dollar(r)), "interpolated", r->interpolated);
}

int srift_sweep_json(const struct srift_sweep *w, FILE *out, struct pl_err *err)
{
	json_t *rows = json_array();
	json_t *all = json_pack("{ss}", "model", w->profile.model);

	for (size_t i = 0; i < w->n_rows; i++)
		json_array_append_new(rows, row_json(&w->row[i]));
	pl_obj_set(&all, "rows", rows);
	srift_set_rated(&all, &w->s->o);
	return pl_tool_json_write(SRIFT_TOOL, all, out, err);
}
