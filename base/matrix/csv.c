/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - reading squares of comma-separated values, named or not */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
#include "base/matrix/label.h"
#include "base/text/fields.h"
#include "base/text/names.h"
#include "base/text/number.h"

#include <string.h>

/* What the names and rows amount to. */
struct shape {
	size_t n;
	bool header; /* the first line names the columns */
	bool corner; /* ... behind a field that names nothing */
	bool column; /* the first field of a line names its row */
	char separator;
};

static bool next_row(struct pl_text *text, const struct shape *shape, struct pl_fields *f)
{
	f->more = pl_text_next_row(text, &f->line);
	f->separator = shape->separator;
	return f->more;
}

/* Is it neither empty nor a number, and so must be a name? */
static bool is_name(const struct pl_word *field)
{
	double value;

	return field->len > 0 && pl_double_parse(field->s, field->len, &value);
}

static bool is_count(const struct pl_word *field)
{
	for (size_t i = 0; i < field->len; i++)
		if (field->s[i] < '0' || field->s[i] > '9')
			return false;
	return field->len > 0;
}

/* What was seen of the lines, each with @width fields but perhaps the first. */
struct seen {
	size_t rows, width, first; /* fields of the first line */
	bool named;                /* it holds a name */
	bool corner;               /* its first field is empty */
	bool counts, counted;      /* the others are digits only: 0, 1, 2, ... */
	bool agree;                /* its fields are the first ones of the lines below */
	bool diagonal;             /* a field of the diagonal is there, but for the first */
	bool trailing;             /* the last field of all lines is empty */
	struct pl_fields header;   /* its fields from the one of the present line on */
};

static int look_at_first(struct seen *seen, struct pl_fields f, struct pl_err *err)
{
	struct pl_word field = {0};
	int rc;

	*seen = (struct seen){.counts = true, .counted = true, .agree = true, .header = f};
	if (pl_fields_next(&seen->header, &field, err) < 0)
		return -1;
	for (; (rc = pl_fields_next(&f, &field, err)) > 0; seen->first++) {
		int64_t value = -1;

		seen->named |= is_name(&field);
		if (seen->first == 0) {
			seen->corner = field.len == 0;
			continue;
		}
		seen->counts &= is_count(&field);
		pl_int_parse(field.s, field.len, 0, PL_MATRIX_HOSTS_MAX, &value);
		seen->counted &= value == (int64_t)seen->first - 1;
	}
	seen->trailing = field.len == 0;
	return rc;
}

/* Looks at line @seen->rows, of which the first has the number 0. */
static int look_at_row(struct seen *seen, struct pl_fields f, size_t *n, struct pl_err *err)
{
	struct pl_word name = {0}, field = {0};
	int rc;

	if (seen->rows > 0 && pl_fields_next(&seen->header, &name, err) < 0)
		return -1;
	for (*n = 0; (rc = pl_fields_next(&f, &field, err)) > 0; ++*n) {
		if (*n == 0 && seen->rows > 0)
			seen->agree &= field.len == name.len &&
				       (!name.len || !memcmp(field.s, name.s, name.len));
		seen->diagonal |= *n > 0 && *n == seen->rows && field.len > 0;
	}
	seen->trailing &= field.len == 0;
	return rc;
}

/*
 * Does the first line of a square name hosts, if by numbers alone, as pandas does? Only if its
 * first field is empty. Then either the rest of the diagonal is there, as it would not be if that
 * were a cell left out; or all of it is left out, and the first line says what the first column
 * says: so it does in a symmetric matrix without names, too.
 */
static int has_numbers_for_names(const struct seen *seen, struct pl_place place, bool *has,
				 struct pl_err *err)
{
	const bool several = seen->rows > 2;

	*has = seen->corner && ((seen->diagonal && (several || seen->agree)) ||
				(several && seen->agree && seen->counted));
	if (*has || !several || !seen->corner || !seen->agree || !seen->counts)
		return 0;
	return pl_err_at(err, place,
			 "are these names or values? Write the diagonal, or a word in front of the "
			 "names");
}

/* Which lines and fields are names follows from the counts; where they leave it open (a square),
 * from whether the first line holds a name. */
static int find_shape(const struct seen *seen, struct pl_place place, struct pl_place end,
		      struct shape *shape, struct pl_err *err)
{
	const size_t rows = seen->rows, width = seen->width - seen->trailing,
		     first = seen->first - seen->trailing;
	bool named = seen->named;

	if (rows == width && first == width && !named &&
	    has_numbers_for_names(seen, place, &named, err))
		return -1;
	if (rows == width + 1 && first == width && seen->trailing && !named)
		return pl_err_at(
			err, place,
			"does each line end in a comma, or is a value missing there? Write "
			"nan for what is missing");
	if (rows == width && first == width) {
		shape->n = named ? rows - 1 : rows;
		shape->header = shape->corner = shape->column = named;
	} else if (rows == width && first + 1 == width) {
		shape->n = first;
		shape->header = shape->column = true;
	} else if (rows == width + 1 && first == width) {
		shape->n = width;
		shape->header = true;
	} else if (rows + 1 == width && first == width) {
		shape->n = rows;
		shape->column = true;
	} else {
		return pl_err_at(err, end,
				 "%zu lines of %zu values: neither a square nor one with names",
				 rows, width);
	}
	if (shape->n == 0)
		return pl_err_at(err, end, "a matrix without hosts");
	if (shape->n > PL_MATRIX_HOSTS_MAX)
		return pl_err_at(err, end, "%zu hosts: a matrix holds at most %d", shape->n,
				 PL_MATRIX_HOSTS_MAX);
	return 0;
}

/* Reads all lines but keeps none, so that the cells are allocated only after each of them was seen
 * to be there. */
static int measure(struct pl_text text, struct shape *shape, struct pl_err *err)
{
	struct pl_place place = pl_text_after(&text);
	struct seen seen = {0};
	struct pl_fields f;
	size_t n;

	for (; next_row(&text, shape, &f); seen.rows++) {
		if (seen.rows == 0 && !shape->separator) {
			shape->separator = memchr(f.line.s, ';', f.line.len) ? ';' : ',';
			f.separator = shape->separator;
		}
		if (seen.rows == 0) {
			place = pl_line_place(&f.line);
			if (look_at_first(&seen, f, err))
				return -1;
		}
		if (look_at_row(&seen, f, &n, err))
			return -1;
		if (seen.rows <= 1)
			seen.width = n;
		if (n != seen.width)
			return pl_err_at(err, pl_line_place(&f.line),
					 "%zu values in this line, %zu in the one before", n,
					 seen.width);
	}
	return find_shape(&seen, place, pl_text_after(&text), shape, err);
}

/* Adds the host, whose name must be a new one; borrows the name. */
static int add_host(struct pl_hosts *hosts, struct pl_names *names, const struct pl_word *name,
		    struct pl_err *err)
{
	const int rc = pl_names_add(names, name->s, name->len, hosts->n);

	if (rc < 0)
		return pl_err_nomem(err);
	if (rc > 0)
		return pl_err_at(err, name->place, "host \"%.*s\" is there twice",
				 pl_word_shown(name), name->s);
	return pl_label_add(hosts, name, err);
}

static int names_of_header(struct pl_text *text, const struct shape *shape, struct pl_hosts *hosts,
			   struct pl_names *names, struct pl_err *err)
{
	struct pl_fields f;
	struct pl_word field;
	int rc = next_row(text, shape, &f) ? 1 : 0;

	if (rc > 0 && shape->corner)
		rc = pl_fields_next(&f, &field, err);
	for (size_t i = 0; rc > 0 && i < shape->n && (rc = pl_fields_next(&f, &field, err)) > 0;
	     i++)
		if (add_host(hosts, names, &field, err))
			return -1;
	return rc < 0 ? -1 : 0;
}

static int names_of_column(struct pl_text text, const struct shape *shape, struct pl_hosts *hosts,
			   struct pl_names *names, struct pl_err *err)
{
	struct pl_fields f;
	struct pl_word field;

	while (next_row(&text, shape, &f))
		if (pl_fields_next(&f, &field, err) < 0 || add_host(hosts, names, &field, err))
			return -1;
	return 0;
}

/* Leaves @text at the first row of cells. @names get what the file calls the hosts, if anything. */
static struct pl_matrix *create(struct pl_text *text, const struct shape *shape,
				struct pl_names *names, enum pl_unit unit, struct pl_err *err)
{
	struct pl_matrix *m = NULL;
	struct pl_hosts hosts = {0};
	int rc;

	if (!shape->header && !shape->column)
		return pl_matrix_numbered(shape->n, unit, err);
	if (shape->header)
		rc = names_of_header(text, shape, &hosts, names, err);
	else
		rc = names_of_column(*text, shape, &hosts, names, err);
	if (!rc)
		rc = pl_labels_check(&hosts, pl_text_after(text), err);
	if (!rc)
		m = pl_matrix_import(&hosts, unit, err);
	pl_hosts_fini(&hosts);
	return m;
}

/* Rows are called as the columns are, "name:port" included. */
static int check_row_name(struct pl_fields *f, const struct pl_names *names,
			  const struct pl_matrix *m, size_t i, struct pl_err *err)
{
	struct pl_word field;

	if (pl_fields_next(f, &field, err) < 0)
		return -1;
	if (pl_names_find(names, field.s, field.len) != (ptrdiff_t)i)
		return pl_err_at(err, field.place,
				 "rows out of order: this must be the row of \"%s\"",
				 m->hosts.v[i].name);
	return 0;
}

static int read_row(struct pl_fields *f, size_t i, struct pl_matrix *m, struct pl_err *err)
{
	double *cell = m->layer[0].cell + i * m->hosts.n;
	struct pl_word field;
	int rc = 0;

	for (size_t j = 0; j < m->hosts.n && (rc = pl_fields_next(f, &field, err)) > 0; j++)
		if (field.len > 0 && pl_cell_import(&field, i == j, &cell[j], err))
			return -1;
	return rc < 0 ? -1 : 0;
}

static int read_cells(struct pl_text *text, const struct shape *shape, const struct pl_names *names,
		      struct pl_matrix *m, struct pl_err *err)
{
	struct pl_fields f;

	for (size_t i = 0; next_row(text, shape, &f); i++) {
		if (shape->column && check_row_name(&f, names, m, i, err))
			return -1;
		if (read_row(&f, i, m, err))
			return -1;
	}
	return 0;
}

struct pl_matrix *pl_matrix_parse_csv(struct pl_text *text, enum pl_unit unit, struct pl_err *err)
{
	struct pl_names names = {0};
	struct shape shape = {0};
	struct pl_matrix *m;

	if (measure(*text, &shape, err))
		return NULL;
	m = create(text, &shape, &names, unit, err);
	if (m && read_cells(text, &shape, &names, m, err)) {
		pl_matrix_destroy(m);
		m = NULL;
	}
	pl_names_fini(&names);
	return m;
}
