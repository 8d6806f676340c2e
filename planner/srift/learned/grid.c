/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.c - all-reduces measured on rented machines: what a bandwidth model learns from */
#include "config.h"

#include "planner/srift/learned/grid.h"

#include "base/mem.h"
#include "base/text/fields.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "planner/srift/comm/comm.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)256 << 20)
#define COLUMNS_MAX 64
#define NAME_MAX_BYTES 255
#define NUMBER_MAX 1e9
#define SECONDS_MIN 1e-9
#define SECONDS_MAX 1e6
#define BANDWIDTH_MIN 1e-3
#define BANDWIDTH_MAX 1e15

const char *const pl_grid_text_name[PL_GRID_TEXTS] = {
	"cloud", "region", "zone", "gpu", "cpu",
};
const char *const pl_grid_number_name[PL_GRID_NUMBERS] = {
	"cores",
	"memory_gib",
	"rated_gbps",
};

/* All columns: those of enum pl_grid_text, of enum pl_grid_number, these. */
enum {
	INSTANCE = PL_GRID_TEXTS + PL_GRID_NUMBERS,
	BYTES,
	RANKS,
	ASYNC,
	NEEDED,
	SECONDS = NEEDED, /* one of these two */
	BANDWIDTH,
	KINDS
};

struct reader {
	struct pl_grid *g;
	struct pl_err *err;
	int kind[COLUMNS_MAX]; /* of each column; KINDS: passed over */
	size_t n_columns;
	bool has[KINDS];
	struct pl_word field[KINDS]; /* of the line being read */
	size_t last;                 /* machine of the line before: mostly it is the same */
};

void pl_grid_machine_fini(struct pl_grid_machine *m)
{
	free(m->instance);
	free(m->ranks);
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		free(m->text[i]);
	memset(m, 0, sizeof(*m));
}

void pl_grid_fini(struct pl_grid *g)
{
	for (size_t i = 0; i < g->n_machines; i++)
		pl_grid_machine_fini(&g->machine[i]);
	free(g->machine);
	free(g->row);
	memset(g, 0, sizeof(*g));
}

static const char *kind_name(int kind)
{
	static const char *const rest[] = {
		"instance", "bytes", "ranks", "async", "seconds", "bus_bytes_per_s",
	};

	if (kind < PL_GRID_TEXTS)
		return pl_grid_text_name[kind];
	if (kind < INSTANCE)
		return pl_grid_number_name[kind - PL_GRID_TEXTS];
	return rest[kind - INSTANCE];
}

static int check_columns(const struct reader *r, struct pl_place place)
{
	for (int k = 0; k < NEEDED; k++)
		if (!r->has[k])
			return pl_err_at(r->err, place, "no column \"%s\"", kind_name(k));
	if (r->has[SECONDS] != r->has[BANDWIDTH])
		return 0;
	return pl_err_at(r->err, place, "one of the columns \"%s\" and \"%s\" is wanted",
			 kind_name(SECONDS), kind_name(BANDWIDTH));
}

static int read_header(struct reader *r, struct pl_fields row)
{
	const struct pl_place place = pl_line_place(&row.line);
	struct pl_word name;
	int rc;

	while ((rc = pl_fields_next(&row, &name, r->err)) > 0) {
		int k = 0;

		if (r->n_columns == COLUMNS_MAX)
			return pl_err_at(r->err, name.place, "more than %d columns", COLUMNS_MAX);
		while (k < KINDS && !pl_word_is(&name, kind_name(k)))
			k++;
		if (k < KINDS && r->has[k])
			return pl_err_at(r->err, name.place, "column \"%s\" comes twice",
					 kind_name(k));
		if (k < KINDS)
			r->has[k] = true;
		r->kind[r->n_columns++] = k;
	}
	return rc < 0 ? -1 : check_columns(r, place);
}

/* The fields of a line, by kind. */
static int cut(struct reader *r, struct pl_fields row)
{
	struct pl_word field;
	size_t n = 0;
	int rc;

	while ((rc = pl_fields_next(&row, &field, r->err)) > 0) {
		if (n == r->n_columns)
			return pl_err_at(r->err, field.place, "more fields than the %zu columns",
					 n);
		if (r->kind[n] < KINDS)
			r->field[r->kind[n]] = field;
		n++;
	}
	if (row.line.pos > row.line.len)
		row.line.pos = row.line.len;
	if (rc == 0 && n < r->n_columns)
		return pl_err_at(r->err, pl_line_place(&row.line),
				 "the line ends after %zu of %zu fields", n, r->n_columns);
	return rc;
}

static int take_number(const struct reader *r, int kind, double min, double max, double *x)
{
	const struct pl_word *w = &r->field[kind];

	if (!pl_double_parse(w->s, w->len, x) && *x >= min && *x <= max)
		return 0;
	return pl_err_at(r->err, w->place, "%s: \"%.*s\" is not from %g to %g", kind_name(kind),
			 (int)(w->len < 40 ? w->len : 40), w->s, min, max);
}

static int take_whole(const struct reader *r, int kind, uint64_t min, uint64_t max, uint64_t *x)
{
	const struct pl_word *w = &r->field[kind];

	if (!pl_uint_parse(w->s, w->len, max, x) && *x >= min)
		return 0;
	return pl_err_at(r->err, w->place, "%s: \"%.*s\" is not a whole number from %llu to %llu",
			 kind_name(kind), (int)(w->len < 40 ? w->len : 40), w->s,
			 (unsigned long long)min, (unsigned long long)max);
}

/* Models keep names as JSON, which is UTF-8. */
static bool is_utf8(const struct pl_word *w)
{
	json_t *s;

	for (size_t i = 0; i < w->len; i++)
		if ((unsigned char)w->s[i] > 0x7f) {
			s = json_stringn(w->s, w->len);
			json_decref(s);
			return s != NULL;
		}
	return true;
}

/* Names may be empty (no GPU), but for the instance's. */
static int check_name(const struct reader *r, int kind)
{
	const struct pl_word *w = &r->field[kind];
	size_t i = 0;

	if (w->len > NAME_MAX_BYTES || (kind == INSTANCE && w->len == 0))
		return pl_err_at(r->err, w->place, "%s: a name of %s bytes", kind_name(kind),
				 w->len ? "more than 255" : "no");
	while (i < w->len && (unsigned char)w->s[i] >= ' ' && w->s[i] != 0x7f && w->s[i] != '"')
		i++;
	if (i == w->len && is_utf8(w))
		return 0;
	return pl_err_at(r->err, w->place, "%s: %s in a name", kind_name(kind),
			 i < w->len ? "a quote or a control character"
				    : "bytes that are not UTF-8");
}

static bool is_place(const struct reader *r, const struct pl_grid_machine *m)
{
	for (int i = 0; i <= PL_GRID_ZONE; i++)
		if (!pl_word_is(&r->field[i], m->text[i]))
			return false;
	return pl_word_is(&r->field[INSTANCE], m->instance);
}

/* The machine of that name in that place, which was described like this. */
static int check_machine(const struct reader *r, const struct pl_grid_machine *m,
			 const double number[PL_GRID_NUMBERS])
{
	for (int i = PL_GRID_ZONE + 1; i < PL_GRID_TEXTS; i++)
		if (!pl_word_is(&r->field[i], m->text[i]))
			return pl_err_at(r->err, r->field[i].place, "%s: %s had \"%s\" before",
					 kind_name(i), m->instance, m->text[i]);
	for (int i = 0; i < PL_GRID_NUMBERS; i++)
		if (number[i] != m->number[i])
			return pl_err_at(r->err, r->field[PL_GRID_TEXTS + i].place,
					 "%s: %s had %g before", pl_grid_number_name[i],
					 m->instance, m->number[i]);
	return 0;
}

static int add_machine(struct reader *r, const double number[PL_GRID_NUMBERS])
{
	struct pl_grid *g = r->g;
	struct pl_grid_machine *m;

	if (pl_array_grow((void **)&g->machine, &g->machine_room, g->n_machines, sizeof(*m)))
		return pl_err_nomem(r->err);
	m = &g->machine[g->n_machines++];
	*m = (struct pl_grid_machine){.bytes_min = UINT64_MAX, .async_min = SIZE_MAX};
	m->instance = pl_string_copy(r->field[INSTANCE].s, r->field[INSTANCE].len);
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		m->text[i] = pl_string_copy(r->field[i].s, r->field[i].len);
	memcpy(m->number, number, sizeof(m->number));
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		if (!m->text[i])
			return pl_err_nomem(r->err);
	return m->instance ? 0 : pl_err_nomem(r->err);
}

static int find_machine(struct reader *r)
{
	const struct pl_grid *g = r->g;
	double number[PL_GRID_NUMBERS];

	for (int k = 0; k <= INSTANCE; k++) {
		const int i = k - PL_GRID_TEXTS;

		if (k < PL_GRID_TEXTS || k == INSTANCE) {
			if (check_name(r, k))
				return -1;
		} else if (take_number(r, k, 0, NUMBER_MAX, &number[i])) {
			return -1;
		}
	}
	if (g->n_machines && is_place(r, &g->machine[r->last]))
		return check_machine(r, &g->machine[r->last], number);
	for (r->last = 0; r->last < g->n_machines; r->last++)
		if (is_place(r, &g->machine[r->last]))
			return check_machine(r, &g->machine[r->last], number);
	return add_machine(r, number);
}

static int add_ranks(struct pl_grid_machine *m, size_t ranks)
{
	size_t at = m->n_ranks;

	while (at > 0 && m->ranks[at - 1] > ranks)
		at--;
	if (at > 0 && m->ranks[at - 1] == ranks)
		return 0;
	if (pl_array_grow((void **)&m->ranks, &m->ranks_room, m->n_ranks, sizeof(*m->ranks)))
		return -1;
	memmove(&m->ranks[at + 1], &m->ranks[at], (m->n_ranks++ - at) * sizeof(*m->ranks));
	m->ranks[at] = ranks;
	return 0;
}

/* Records how far the machine's measurements reach, this one included. */
static int widen(struct pl_grid_machine *m, const struct pl_grid_row *row)
{
	if (row->bytes < m->bytes_min)
		m->bytes_min = row->bytes;
	if (row->bytes > m->bytes_max)
		m->bytes_max = row->bytes;
	if (row->async < m->async_min)
		m->async_min = row->async;
	if (row->async > m->async_max)
		m->async_max = row->async;
	return add_ranks(m, row->ranks);
}

static int take_bandwidth(const struct reader *r, struct pl_grid_row *row)
{
	double s;

	if (r->has[BANDWIDTH])
		return take_number(r, BANDWIDTH, BANDWIDTH_MIN, BANDWIDTH_MAX, &row->bytes_per_s);
	if (take_number(r, SECONDS, SECONDS_MIN, SECONDS_MAX, &s))
		return -1;
	row->bytes_per_s = pl_bus_bytes((double)row->bytes, row->ranks) / s;
	return 0;
}

static int read_row(struct reader *r, struct pl_fields csv)
{
	struct pl_grid_row row;
	uint64_t ranks, async;

	if (cut(r, csv) || find_machine(r) ||
	    take_whole(r, BYTES, 1, PL_GRID_BYTES_MAX, &row.bytes) ||
	    take_whole(r, RANKS, 2, PL_GRID_COUNT_MAX, &ranks) ||
	    take_whole(r, ASYNC, 1, PL_GRID_COUNT_MAX, &async))
		return -1;
	row.machine = r->last;
	row.ranks = (size_t)ranks;
	row.async = (size_t)async;
	if (take_bandwidth(r, &row))
		return -1;
	if (pl_array_grow((void **)&r->g->row, &r->g->row_room, r->g->n_rows, sizeof(row)))
		return pl_err_nomem(r->err);
	r->g->row[r->g->n_rows++] = row;
	return widen(&r->g->machine[r->last], &row) ? pl_err_nomem(r->err) : 0;
}

static bool is_comment(struct pl_line line)
{
	struct pl_word word;

	return !pl_line_next(&line, &word) || word.s[0] == '#';
}

static int parse(struct reader *r, struct pl_text *text)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_fields csv = {.more = true};

	while (pl_text_next(text, &csv.line)) {
		if (is_comment(csv.line))
			continue;
		if (r->n_columns ? read_row(r, csv) : read_header(r, csv))
			return -1;
	}
	if (r->g->n_rows)
		return 0;
	return pl_err_at(r->err, whole, "no row of measurements");
}

int pl_grid_parse(struct pl_grid *g, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.g = g, .err = err};
	const int rc = parse(&r, text);

	if (rc)
		pl_grid_fini(g);
	return rc;
}

int pl_grid_read(struct pl_grid *g, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, FILE_MAX, err))
		return -1;
	rc = pl_grid_parse(g, &text, err);
	if (rc)
		pl_kind_blame(&text, PL_KIND_GRID, err);
	pl_text_fini(&text);
	return rc;
}
