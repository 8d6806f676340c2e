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
};

static bool next_row(struct pl_text *text, struct pl_fields *f)
{
	f->more = pl_text_next_row(text, &f->line);
	return f->more;
}

/* Is it neither empty nor a number, and so must be a name? */
static bool is_name(const struct pl_word *field)
{
	double value;

	return field->len > 0 && pl_double_parse(field->s, field->len, &value);
}

/* What the first line holds. */
struct first {
	size_t fields;
	bool name_at_0, name_beyond;
};

static int look_at_first(struct pl_fields f, struct first *first, struct pl_err *err)
{
	struct pl_word field;
	int rc;

	while ((rc = pl_fields_next(&f, &field, err)) > 0) {
		if (first->fields++ == 0)
			first->name_at_0 = is_name(&field);
		else if (is_name(&field))
			first->name_beyond = true;
	}
	return rc;
}

static int count_fields(struct pl_fields f, size_t *n, struct pl_err *err)
{
	struct pl_word field;
	int rc;

	*n = 0;
	while ((rc = pl_fields_next(&f, &field, err)) > 0)
		++*n;
	return rc;
}

/* Which lines and fields are names follows from the counts; where they leave it open (a square),
 * from whether the first line holds a name. */
static int find_shape(const struct first *first, size_t rows, size_t width, struct pl_place end,
		      struct shape *shape, struct pl_err *err)
{
	const bool named = first->name_at_0 || first->name_beyond;

	if (rows == width && first->fields == width)
		*shape = (struct shape){.n = named ? rows - 1 : rows,
					.header = named,
					.corner = named,
					.column = named};
	else if (rows == width && first->fields + 1 == width)
		*shape = (struct shape){.n = first->fields, .header = true, .column = true};
	else if (rows == width + 1 && first->fields == width)
		*shape = (struct shape){.n = width, .header = true};
	else if (rows + 1 == width && first->fields == width)
		*shape = (struct shape){.n = rows, .column = true};
	else
		return pl_err_at(err, end,
				 "%zu lines of %zu values: neither a square nor one with names",
				 rows, width);
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
	struct first first = {0};
	struct pl_fields f;
	size_t rows = 0, width = 0, n;

	for (; next_row(&text, &f); rows++) {
		if (rows == 0 && look_at_first(f, &first, err))
			return -1;
		if (count_fields(f, &n, err))
			return -1;
		if (rows <= 1)
			width = n;
		if (n != width)
			return pl_err_at(err, pl_line_place(&f.line),
					 "%zu values in this line, %zu in the one before", n,
					 width);
	}
	return find_shape(&first, rows, width, pl_text_after(&text), shape, err);
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
	int rc = next_row(text, &f) ? 1 : 0;

	if (rc > 0 && shape->corner)
		rc = pl_fields_next(&f, &field, err);
	while (rc > 0 && (rc = pl_fields_next(&f, &field, err)) > 0)
		if (add_host(hosts, names, &field, err))
			return -1;
	return rc;
}

static int names_of_column(struct pl_text text, struct pl_hosts *hosts, struct pl_names *names,
			   struct pl_err *err)
{
	struct pl_fields f;
	struct pl_word field;

	while (next_row(&text, &f))
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
		rc = names_of_column(*text, &hosts, names, err);
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
	int rc;

	for (size_t j = 0; (rc = pl_fields_next(f, &field, err)) > 0; j++)
		if (field.len > 0 && pl_cell_import(&field, i == j, &cell[j], err))
			return -1;
	return rc;
}

static int read_cells(struct pl_text *text, const struct shape *shape, const struct pl_names *names,
		      struct pl_matrix *m, struct pl_err *err)
{
	struct pl_fields f;

	for (size_t i = 0; next_row(text, &f); i++) {
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
	struct shape shape;
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
