/* SPDX-License-Identifier: BSD-3-Clause */
/* tsplib.c - reading TSPLIB instances: explicit weights, coordinates */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
#include "base/mem.h"
#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of squares of coordinates up to this are exact enough to round. */
#define COORDINATE_MAX 1e15

enum part { WHOLE, UPPER, LOWER };

/* How EDGE_WEIGHT_FORMAT lists them, row by row. By columns, the lower triangle
 * comes as the upper one does by rows, and the other way round. */
static const struct format {
	const char *name;
	enum part part;
	size_t diagonal; /* 1: the diagonal is listed, too */
} formats[] = {
	{"FULL_MATRIX", WHOLE, 1},    {"UPPER_ROW", UPPER, 0},      {"LOWER_ROW", LOWER, 0},
	{"UPPER_DIAG_ROW", UPPER, 1}, {"LOWER_DIAG_ROW", LOWER, 1}, {"UPPER_COL", LOWER, 0},
	{"LOWER_COL", UPPER, 0},      {"UPPER_DIAG_COL", LOWER, 1}, {"LOWER_DIAG_COL", UPPER, 1},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct reader {
	struct pl_text *text;
	struct pl_line line; /* the words of a section come from here */
	enum pl_unit unit;
	size_t n; /* 0: not said yet */
	const struct pl_tsplib_metric *metric;
	const struct format *format;
	bool ignoring; /* the lines of a section that does not matter */
	struct pl_matrix *m;
	struct pl_err *err;
};

/* Takes the key off a line of the head: what stands before ':' or a blank. */
static bool take_key(struct pl_line *line, struct pl_word *key)
{
	const char *colon;

	if (!pl_line_next(line, key))
		return false;
	colon = memchr(key->s, ':', key->len);
	if (!colon)
		return true;
	line->pos -= key->len - (size_t)(colon - key->s);
	key->len = (size_t)(colon - key->s);
	return true;
}

/* What follows the key and its ':'. */
static struct pl_word take_value(struct pl_line *line)
{
	struct pl_word value = pl_line_rest(line);

	if (value.len == 0 || value.s[0] != ':')
		return value;
	line->pos = (size_t)(value.s - line->s) + 1;
	return pl_line_rest(line);
}

static struct pl_word first_word(struct pl_line *line)
{
	const struct pl_word value = take_value(line);
	struct pl_word word = value;

	for (word.len = 0; word.len < value.len; word.len++)
		if (pl_is_blank(value.s[word.len]))
			break;
	return word;
}

static bool is_head_key(const struct pl_word *key)
{
	static const char *const keys[] = {
		"NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT",
	};

	for (size_t i = 0; i < COUNT(keys); i++)
		if (pl_word_is(key, keys[i]))
			return true;
	return false;
}

bool pl_tsplib_is(struct pl_line line)
{
	struct pl_word key, rest;

	if (!take_key(&line, &key) || !is_head_key(&key))
		return false;
	rest = pl_line_rest(&line);
	return rest.len > 0 && rest.s[0] == ':';
}

static int unknown(struct reader *r, const struct pl_word *word, const char *what)
{
	return pl_err_at(r->err, word->place, "%s \"%.*s\" cannot be read", what,
			 pl_word_shown(word), word->s);
}

static int set_type(struct reader *r, const struct pl_word *word)
{
	if (pl_word_is(word, "TSP") || pl_word_is(word, "ATSP"))
		return 0;
	return unknown(r, word, "TYPE");
}

static int set_dimension(struct reader *r, const struct pl_word *word)
{
	int64_t n;

	if (pl_int_parse(word->s, word->len, 1, PL_MATRIX_HOSTS_MAX, &n))
		return pl_err_at(r->err, word->place,
				 "DIMENSION \"%.*s\" is not a number from 1 to %d",
				 pl_word_shown(word), word->s, PL_MATRIX_HOSTS_MAX);
	if (r->n)
		return pl_err_at(r->err, word->place, "DIMENSION is given twice");
	r->n = (size_t)n;
	return 0;
}

static int set_metric(struct reader *r, const struct pl_word *word)
{
	r->metric = pl_tsplib_metric_find(word);
	return r->metric ? 0 : unknown(r, word, "EDGE_WEIGHT_TYPE");
}

static int set_format(struct reader *r, const struct pl_word *word)
{
	if (pl_word_is(word, "FUNCTION")) /* said where distances are computed */
		return 0;
	for (size_t i = 0; i < COUNT(formats); i++)
		if (pl_word_is(word, formats[i].name)) {
			r->format = &formats[i];
			return 0;
		}
	return unknown(r, word, "EDGE_WEIGHT_FORMAT");
}

/* May a section of @min_bytes or more begin here? */
static int begin(struct reader *r, struct pl_place place, size_t min_bytes)
{
	if (r->text->len - r->text->pos + 1 < min_bytes)
		return pl_err_at(r->err, place, "the file is too short for DIMENSION %zu", r->n);
	return 0;
}

/* The next word of a section, from whichever line. */
static int next_word(struct reader *r, struct pl_word *word)
{
	while (!pl_line_next(&r->line, word))
		if (!pl_text_next(r->text, &r->line))
			return pl_err_at(r->err, pl_text_after(r->text),
					 "the file ends within a section");
	return 0;
}

static int next_weight(struct reader *r, size_t i, size_t j)
{
	double *cell = r->m->layer[0].cell;
	struct pl_word word;
	double weight;

	if (next_word(r, &word) || pl_cell_import(&word, i == j, &weight, r->err))
		return -1;
	cell[i * r->n + j] = weight;
	if (r->format->part != WHOLE)
		cell[j * r->n + i] = weight;
	return 0;
}

static int end_of_section(struct reader *r)
{
	struct pl_word word;

	if (pl_line_next(&r->line, &word))
		return pl_err_at(r->err, word.place, "more values than DIMENSION %zu asks for",
				 r->n);
	return 0;
}

static int read_weights(struct reader *r, struct pl_place place)
{
	const size_t n = r->n;
	size_t least; /* bytes: a digit and a blank each */

	if (!r->format)
		return pl_err_at(r->err, place, "EDGE_WEIGHT_FORMAT must come before");
	if (r->metric->distance)
		return pl_err_at(r->err, place, "EDGE_WEIGHT_TYPE %s lists no weights",
				 r->metric->name);
	least = r->format->part == WHOLE ? 2 * n * n : n * (n - 1) + 2 * n * r->format->diagonal;
	if (begin(r, place, least))
		return -1;
	r->m = pl_matrix_numbered(n, r->unit, r->err);
	if (!r->m)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const size_t diagonal = r->format->diagonal;
		const size_t first = r->format->part == UPPER ? i + 1 - diagonal : 0;
		const size_t end = r->format->part == LOWER ? i + diagonal : n;

		for (size_t j = first; j < end; j++)
			if (next_weight(r, i, j))
				return -1;
	}
	return end_of_section(r);
}

/* One line "number x y" into xy[2 * (number - 1)], which is NaN until then. */
static int read_place(struct reader *r, double *xy)
{
	struct pl_word word;
	int64_t number;

	if (next_word(r, &word))
		return -1;
	if (pl_int_parse(word.s, word.len, 1, (int64_t)r->n, &number))
		return pl_err_at(r->err, word.place, "\"%.*s\" is not a number from 1 to %zu",
				 pl_word_shown(&word), word.s, r->n);
	xy += 2 * (number - 1);
	if (!isnan(xy[0]))
		return pl_err_at(r->err, word.place, "number %.*s is there twice", (int)word.len,
				 word.s);
	for (int k = 0; k < 2; k++) {
		if (next_word(r, &word))
			return -1;
		if (pl_double_parse(word.s, word.len, &xy[k]) || !(fabs(xy[k]) <= COORDINATE_MAX))
			return pl_err_at(r->err, word.place, "\"%.*s\" is not a coordinate",
					 pl_word_shown(&word), word.s);
	}
	return end_of_section(r);
}

static void fill_distances(const struct reader *r, const double *xy)
{
	double *cell = r->m->layer[0].cell;

	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j < i; j++)
			cell[i * r->n + j] = cell[j * r->n + i] =
				r->metric->distance(&xy[2 * i], &xy[2 * j]);
}

static int read_places(struct reader *r, struct pl_place place)
{
	double *xy;
	int rc = -1;

	/* three characters, two blanks, the line's end */
	if (begin(r, place, 6 * r->n))
		return -1;
	xy = pl_array_create(r->n, 2 * sizeof(*xy));
	if (!xy)
		return pl_err_nomem(r->err);
	for (size_t i = 0; i < 2 * r->n; i++)
		xy[i] = NAN;
	for (size_t i = 0; i < r->n; i++)
		if (read_place(r, xy))
			goto out;
	r->m = pl_matrix_numbered(r->n, r->unit, r->err);
	if (!r->m)
		goto out;
	fill_distances(r, xy);
	rc = 0;
out:
	free(xy);
	return rc;
}

static const struct {
	const char *key;
	int (*set)(struct reader *r, const struct pl_word *word);
} settings[] = {
	{"TYPE", set_type},
	{"DIMENSION", set_dimension},
	{"EDGE_WEIGHT_TYPE", set_metric},
	{"EDGE_WEIGHT_FORMAT", set_format},
};

/* Reads the section, unless it does not bear on the weights. */
static int read_section(struct reader *r, const struct pl_word *key)
{
	const struct pl_word rest = take_value(&r->line);
	const bool weights = pl_word_is(key, "EDGE_WEIGHT_SECTION");
	const bool places = pl_word_is(key, "NODE_COORD_SECTION");

	r->ignoring = !weights && !places;
	if (r->ignoring)
		return 0;
	if (rest.len > 0)
		return pl_err_at(r->err, rest.place, "a section starts on a line of its own");
	if (!r->n)
		return pl_err_at(r->err, key->place, "DIMENSION must come before");
	if (!r->metric)
		return pl_err_at(r->err, key->place, "EDGE_WEIGHT_TYPE must come before");
	r->ignoring = places && !r->metric->distance; /* for display only */
	if (r->ignoring)
		return 0;
	if (r->m)
		return pl_err_at(r->err, key->place, "a second matrix");
	return weights ? read_weights(r, key->place) : read_places(r, key->place);
}

static bool ends_in(const struct pl_word *word, const char *end)
{
	const size_t len = strlen(end);

	return word->len >= len && memcmp(word->s + word->len - len, end, len) == 0;
}

static int read_line(struct reader *r)
{
	struct pl_word key, value;

	if (!take_key(&r->line, &key))
		return 0;
	if (ends_in(&key, "_SECTION"))
		return read_section(r, &key);
	if (key.len == 0 || key.s[0] < 'A' || key.s[0] > 'Z') {
		if (r->ignoring)
			return 0;
		return pl_err_at(r->err, key.place,
				 "values outside of a section, or more than "
				 "DIMENSION asks for");
	}
	value = first_word(&r->line);
	for (size_t i = 0; i < COUNT(settings); i++)
		if (pl_word_is(&key, settings[i].key))
			return settings[i].set(r, &value);
	return 0; /* NAME, COMMENT, what a display needs */
}

static int read_all(struct reader *r)
{
	struct pl_word key;

	while (pl_text_next(r->text, &r->line)) {
		struct pl_line peek = r->line;

		if (take_key(&peek, &key) && pl_word_is(&key, "EOF"))
			break;
		if (read_line(r))
			return -1;
	}
	if (!r->m)
		return pl_err_at(r->err, pl_text_after(r->text),
				 "no section of weights or coordinates");
	return 0;
}

struct pl_matrix *pl_tsplib_parse(struct pl_text *text, enum pl_unit unit, struct pl_err *err)
{
	struct reader r = {.text = text, .unit = unit, .err = err};

	if (read_all(&r)) {
		pl_matrix_destroy(r.m);
		return NULL;
	}
	return r.m;
}
