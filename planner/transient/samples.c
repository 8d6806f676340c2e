/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c - measurements to learn from, read from CSV */
#include "config.h"

#include "planner/transient/samples.h"

#include "base/mem.h"
#include "base/text/fields.h"
#include "base/text/kind.h"
#include "base/text/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define TEXT_MAX ((size_t)64 << 20)
#define VALUE_MAX 1e30
#define NONE SIZE_MAX

void pl_samples_fini(struct pl_samples *s)
{
	free(s->x);
	free(s->y);
	*s = (struct pl_samples){0};
}

struct reader {
	struct pl_samples *s;
	const struct pl_columns *columns;
	size_t at[PL_FEATURES_MAX + 1]; /* where the columns stand, target last */
	struct pl_err *err;
};

static size_t n_wanted(const struct reader *r)
{
	return r->columns->n_features + 1;
}

static const char *wanted(const struct reader *r, size_t i)
{
	return i < r->columns->n_features ? r->columns->feature[i] : r->columns->target;
}

static int take_header(struct reader *r, const struct pl_line *line)
{
	struct pl_fields fields = {.line = *line, .more = true};
	struct pl_word word;
	int more;

	for (size_t i = 0; i < n_wanted(r); i++)
		r->at[i] = NONE;
	for (size_t at = 0; (more = pl_fields_next(&fields, &word, r->err)) > 0; at++)
		for (size_t i = 0; i < n_wanted(r); i++) {
			if (!pl_word_is(&word, wanted(r, i)))
				continue;
			if (r->at[i] != NONE)
				return pl_err_at(r->err, word.place, "column \"%s\" comes again",
						 wanted(r, i));
			r->at[i] = at;
		}
	if (more < 0)
		return -1;
	for (size_t i = 0; i < n_wanted(r); i++)
		if (r->at[i] == NONE)
			return pl_err_at(r->err, (struct pl_place){line->file, line->number, 1},
					 "no column is called \"%s\"", wanted(r, i));
	return 0;
}

static int grow(struct reader *r)
{
	struct pl_samples *s = r->s;
	const size_t f = r->columns->n_features;

	if (pl_array_grow((void **)&s->y, &s->y_room, s->n, sizeof(*s->y)) ||
	    pl_array_grow((void **)&s->x, &s->x_room, s->n, f * sizeof(*s->x)))
		return pl_err_nomem(r->err);
	return 0;
}

/* Where a value of the row being read goes. */
static double *cell(const struct reader *r, size_t i)
{
	const struct pl_samples *s = r->s;
	const size_t f = r->columns->n_features;

	return i < f ? &s->x[s->n * f + i] : &s->y[s->n];
}

/* Of a line that has @n columns: the first one that is missing, or NULL. */
static const char *missing(const struct reader *r, size_t n)
{
	for (size_t i = 0; i < n_wanted(r); i++)
		if (r->at[i] >= n)
			return wanted(r, i);
	return NULL;
}

static int take_row(struct reader *r, const struct pl_line *line)
{
	const struct pl_place end = {line->file, line->number, (long)line->len + 1};
	struct pl_fields fields = {.line = *line, .more = true};
	struct pl_word word;
	size_t at;
	int more;

	if (r->s->n == PL_SAMPLES_MAX)
		return pl_err_at(r->err, end, "more than %d rows", PL_SAMPLES_MAX);
	if (grow(r))
		return -1;
	for (at = 0; (more = pl_fields_next(&fields, &word, r->err)) > 0; at++)
		for (size_t i = 0; i < n_wanted(r); i++) {
			double value = NAN;

			if (r->at[i] != at)
				continue;
			if (pl_double_parse(word.s, word.len, &value) ||
			    !(fabs(value) <= VALUE_MAX))
				return pl_err_at(r->err, word.place, "\"%.*s\" is not a number",
						 (int)word.len, word.s);
			*cell(r, i) = value;
		}
	if (more < 0)
		return -1;
	if (missing(r, at))
		return pl_err_at(r->err, end, "the line ends before column \"%s\"", missing(r, at));
	r->s->n++;
	return 0;
}

static int parse(struct reader *r, struct pl_text *text)
{
	const struct pl_place top = {text->name, 1, 1};
	struct pl_line line;
	bool has_header = false;

	while (pl_text_next(text, &line)) {
		if (line.len == 0 || *line.s == '#')
			continue;
		if (has_header ? take_row(r, &line) : take_header(r, &line))
			return -1;
		has_header = true;
	}
	if (!has_header || r->s->n == 0)
		return pl_err_at(r->err, top, "the file has no row");
	return 0;
}

int pl_samples_parse(struct pl_samples *s, struct pl_text *text, const struct pl_columns *columns,
		     struct pl_err *err)
{
	struct reader r = {.s = s, .columns = columns, .err = err};

	s->n_features = columns->n_features;
	if (parse(&r, text) == 0)
		return 0;
	pl_samples_fini(s);
	return -1;
}

int pl_samples_read(struct pl_samples *s, const char *path, const struct pl_columns *columns,
		    struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_samples_parse(s, &text, columns, err),
			     "a table of measurements", err);
}
