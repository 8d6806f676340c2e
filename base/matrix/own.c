/* SPDX-License-Identifier: BSD-3-Clause */
/* own.c - reading plink's own matrix form (plink-matrix(5)) */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
#include "base/matrix/header.h"
#include "base/matrix/label.h"
#include "base/mem.h"
#include "base/text/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS_MAX 64

/* What a sparse file may ask for: 4096 hosts, or this for each of its bytes. A pair takes at least
 * 6 of them; hosts measured log(n) times each stay far below. */
#define SPARSE_CELLS ((size_t)4096 * 4096)
#define SPARSE_CELLS_PER_BYTE 512

/*
 * The text is read twice: once for the header and the names of the hosts, once for all that speaks
 * of hosts. Nothing of n * n cells is allocated before the text was found long enough to hold them.
 */
struct reader {
	struct pl_text *text;
	struct pl_matrix *m;
	struct pl_names names; /* labels of the hosts, borrowed from the text */
	struct pl_head head;
	bool sparse;
	bool in_layer;    /* first pass: a "# layer" was seen */
	size_t row;       /* dense: rows of this layer so far */
	size_t next_host; /* dense: "# host" may not name an earlier one */
	struct pl_err *err;
};

/* 0, 1 where the host is there already, -1 with the error set. */
static int add_host(struct reader *r, const struct pl_word *name)
{
	struct pl_hosts *hosts = &r->m->hosts;
	const int rc = pl_names_add(&r->names, name->s, name->len, hosts->n);

	if (rc < 0)
		return pl_err_nomem(r->err);
	return rc > 0 ? 1 : pl_label_add(hosts, name, r->err);
}

/* First pass over a line of values: whom does it name? */
static int collect_names(struct reader *r, struct pl_line *line)
{
	struct pl_word name;
	int rc = 0;

	if (r->sparse) {
		for (int i = 0; i < 2 && pl_line_next(line, &name); i++)
			if (add_host(r, &name) < 0)
				return -1;
		return 0;
	}
	if (!r->in_layer && pl_line_next(line, &name))
		rc = add_host(r, &name);
	if (rc > 0)
		return pl_err_at(r->err, name.place, "host \"%.*s\" is there twice", (int)name.len,
				 name.s);
	return rc;
}

/* Tabs are blanks; any other control character could not be written back. */
static int check_controls(const struct pl_line *line, struct pl_err *err)
{
	struct pl_line at = *line;

	for (at.pos = 0; at.pos < at.len; at.pos++) {
		const unsigned char c = (unsigned char)at.s[at.pos];

		if ((c < ' ' && c != '\t') || c == 127)
			return pl_err_at(err, pl_line_place(&at),
					 "control character %d in the header", c);
	}
	return 0;
}

/* First pass over a header line. */
static int collect_header(struct reader *r, struct pl_line *line)
{
	struct pl_word key, value, name;

	if (check_controls(line, r->err))
		return -1;
	while (pl_header_next(line, &key, &value)) {
		if (pl_word_is(&key, "layer"))
			r->in_layer = true;
		if (pl_head_set(&r->head, r->m, &key, value, r->err))
			return -1;
		if (r->sparse && pl_word_is(&key, "host") && pl_header_word(&value, &name) &&
		    add_host(r, &name) < 0)
			return -1;
	}
	return 0;
}

/* The form must be known before the first name is taken: find it. */
static bool is_sparse(struct pl_text text)
{
	struct pl_line line;
	struct pl_word key, value;

	while (pl_text_next(&text, &line))
		while (pl_header_next(&line, &key, &value))
			if (pl_word_is(&key, "form"))
				return pl_word_is(&value, "sparse");
	return false;
}

static int first_pass(struct reader *r)
{
	struct pl_text text = *r->text;
	struct pl_line line;

	r->sparse = is_sparse(text);
	while (pl_text_next(&text, &line))
		if (pl_header_is(&line) ? collect_header(r, &line) : collect_names(r, &line))
			return -1;
	if (pl_head_check(&r->head, r->m, text.name, r->err))
		return -1;
	if (r->m->hosts.n == 0)
		return pl_err_at(r->err, pl_text_after(&text), "a matrix without hosts");
	return 0;
}

/* Is there room in the text from here on for layer number @layers, and do the hosts deserve the
 * memory it takes? */
static int check_room(struct reader *r, const struct pl_text *text, size_t layers)
{
	const size_t n = r->m->hosts.n;

	if (!r->sparse)
		return pl_rows_check(*text, n, r->err);
	if (n * n * layers <= SPARSE_CELLS + SPARSE_CELLS_PER_BYTE * text->len)
		return 0;
	return pl_err_at(r->err, pl_text_after(text),
			 "%zu hosts, %zu layers: the file is too short for these", n, layers);
}

static ptrdiff_t find_host(struct reader *r, const struct pl_word *name)
{
	const ptrdiff_t i = pl_names_find(&r->names, name->s, name->len);

	if (i < 0)
		pl_err_at(r->err, name->place, "no host \"%.*s\" here", pl_word_shown(name),
			  name->s);
	return i;
}

/* "SRC DST text" */
static int take_note(struct reader *r, struct pl_word value)
{
	struct pl_word name[2] = {0};
	ptrdiff_t at[2];
	char *text;
	int rc;

	for (int i = 0; i < 2; i++) {
		if (!pl_header_word(&value, &name[i]))
			return pl_err_at(r->err, value.place, "a cell line must name two hosts");
		at[i] = find_host(r, &name[i]);
		if (at[i] < 0)
			return -1;
	}
	text = pl_string_copy(value.s, value.len);
	rc = text ? pl_matrix_add_note(r->m, (size_t)at[0], (size_t)at[1], text) : -1;
	free(text);
	return rc ? pl_err_nomem(r->err) : 0;
}

/* "NAME key=value ..." */
static int take_host(struct reader *r, struct pl_word value)
{
	struct pl_word name;
	ptrdiff_t i;

	if (!pl_header_word(&value, &name))
		return pl_err_at(r->err, value.place, "the host's name is missing");
	i = find_host(r, &name);
	if (i < 0)
		return -1;
	if (!r->sparse && (size_t)i < r->next_host)
		return pl_err_at(r->err, name.place,
				 "host \"%.*s\" again, or in another order than the rows",
				 (int)name.len, name.s);
	r->next_host = (size_t)i + 1;
	return pl_header_host(&r->m->hosts.v[i], value, r->err);
}

/* Are the rows of the layer that ends here all there? */
static int end_layer(struct reader *r, struct pl_place place)
{
	if (r->sparse || r->row == r->m->hosts.n)
		return 0;
	return pl_err_at(r->err, place, "layer \"%s\" ends after %zu of %zu rows",
			 r->m->layer[r->m->n_layers - 1].statistic, r->row, r->m->hosts.n);
}

static int take_layer(struct reader *r, const struct pl_text *text, struct pl_place place,
		      struct pl_word value)
{
	if (end_layer(r, place))
		return -1;
	r->row = 0;
	if (r->m->n_layers == LAYERS_MAX)
		return pl_err_at(r->err, place, "more than %d layers", LAYERS_MAX);
	if (check_room(r, text, r->m->n_layers + 1))
		return -1;
	return pl_header_layer(r->m, value, r->err);
}

static int take_header(struct reader *r, const struct pl_text *text, struct pl_line *line)
{
	struct pl_word key, value;
	int rc = 0;

	while (!rc && pl_header_next(line, &key, &value)) {
		if (pl_word_is(&key, "cell"))
			rc = take_note(r, value);
		else if (pl_word_is(&key, "host"))
			rc = take_host(r, value);
		else if (pl_word_is(&key, "layer"))
			rc = take_layer(r, text, key.place, value);
	}
	return rc;
}

/* A cell's value; on the diagonal only 0 or nan, both of which are 0. */
static int take_cell(const struct pl_word *word, bool diagonal, double *cell, struct pl_err *err)
{
	if (pl_cell_parse(word, cell, err))
		return -1;
	if (!diagonal)
		return 0;
	if (*cell > 0)
		return pl_err_at(err, word->place, "%.*s from a host to itself: this must be 0",
				 (int)word->len, word->s);
	*cell = 0;
	return 0;
}

static int take_row(struct reader *r, struct pl_line *line)
{
	const struct pl_hosts *hosts = &r->m->hosts;
	const size_t n = hosts->n, i = r->row;
	double *cell = r->m->layer[r->m->n_layers - 1].cell + i * n;
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	if (i == n)
		return pl_err_at(r->err, word.place, "row %zu of %zu hosts", i + 1, n);
	if (pl_names_find(&r->names, word.s, word.len) != (ptrdiff_t)i)
		return pl_err_at(r->err, word.place,
				 "rows out of order: this must be the row of \"%s\"",
				 hosts->v[i].name);
	for (size_t j = 0; j < n; j++) {
		if (!pl_line_next(line, &word))
			return pl_err_at(r->err, pl_line_place(line),
					 "%zu values in this row, %zu hosts", j, n);
		if (take_cell(&word, i == j, &cell[j], r->err))
			return -1;
	}
	if (pl_line_next(line, &word))
		return pl_err_at(r->err, word.place, "more values in this row than hosts (%zu)", n);
	r->row++;
	return 0;
}

/* "SRC DST VALUE" */
static int take_triple(struct reader *r, struct pl_line *line)
{
	struct pl_word word;
	ptrdiff_t at[2];
	double *cell, value;

	for (int i = 0; i < 2; i++) {
		if (!pl_line_next(line, &word)) {
			if (i == 0)
				return 0;
			return pl_err_at(r->err, pl_line_place(line),
					 "a sparse line must be two hosts and a value");
		}
		at[i] = find_host(r, &word);
		if (at[i] < 0)
			return -1;
	}
	if (!pl_line_next(line, &word))
		return pl_err_at(r->err, pl_line_place(line), "the value is missing");
	if (take_cell(&word, at[0] == at[1], &value, r->err))
		return -1;
	cell = r->m->layer[r->m->n_layers - 1].cell + (size_t)at[0] * r->m->hosts.n + at[1];
	if (at[0] != at[1] && !isnan(*cell))
		return pl_err_at(r->err, word.place, "a second value for this pair");
	*cell = value;
	if (pl_line_next(line, &word))
		return pl_err_at(r->err, word.place, "a sparse line must be two hosts and a value");
	return 0;
}

/* Rows end in a host's number to itself; a sparse file cut within its last number would go
 * unnoticed. */
static int check_end(struct reader *r)
{
	const struct pl_text *text = r->text;

	if (!r->sparse || text->data[text->len - 1] == '\n')
		return 0;
	return pl_err_at(r->err, pl_text_after(text),
			 "the file is cut short: its last line does not end");
}

static int second_pass(struct reader *r)
{
	struct pl_text *text = r->text;
	struct pl_line line;
	int rc = 0;

	while (!rc && pl_text_next(text, &line)) {
		if (pl_header_is(&line))
			rc = take_header(r, text, &line);
		else
			rc = r->sparse ? take_triple(r, &line) : take_row(r, &line);
	}
	if (rc || end_layer(r, pl_text_after(text)) || check_end(r))
		return -1;
	return pl_labels_check(&r->m->hosts, pl_text_after(text), r->err);
}

/* Layer 0 gets its cells once the hosts are known. */
static int allocate(struct reader *r)
{
	struct pl_matrix *m = r->m;

	if (check_room(r, r->text, 1))
		return -1;
	free(m->layer[0].cell);
	m->layer[0].n = m->hosts.n;
	m->layer[0].cell = pl_cells_create(m->hosts.n);
	return m->layer[0].cell ? 0 : pl_err_nomem(r->err);
}

struct pl_matrix *pl_matrix_parse_own(struct pl_text *text, struct pl_err *err)
{
	const struct pl_hosts none = {0};
	struct reader r = {.text = text, .err = err};

	r.m = pl_matrix_create(&none, err);
	if (!r.m)
		return NULL;
	if (first_pass(&r) || allocate(&r) || second_pass(&r)) {
		pl_matrix_destroy(r.m);
		r.m = NULL;
	}
	pl_names_fini(&r.names);
	return r.m;
}
