/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - what was measured between every two hosts: layers and notes */
#include "config.h"

#include "base/matrix/matrix.h"

#include "base/matrix/cells.h"
#include "base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

double *pl_cells_create(size_t n)
{
	double *cell;

	if (n > PL_MATRIX_HOSTS_MAX)
		return NULL;
	cell = malloc(n ? n * n * sizeof(*cell) : 1);
	if (!cell)
		return NULL;
	for (size_t i = 0; i < n * n; i++)
		cell[i] = NAN;
	for (size_t i = 0; i < n; i++)
		cell[i * n + i] = 0;
	return cell;
}

static struct pl_matrix *create(const struct pl_hosts *hosts, bool few, struct pl_err *err)
{
	struct pl_matrix *m = NULL;

	if (hosts->n > PL_MATRIX_HOSTS_MAX) {
		pl_err_set(err, PL_EINPUT, "%zu hosts: a matrix holds at most %d", hosts->n,
			   PL_MATRIX_HOSTS_MAX);
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (m)
		m->few = few;
	if (!m || pl_hosts_copy(&m->hosts, hosts) ||
	    !pl_matrix_add_layer(m, "value", PL_RTT, PL_NS)) {
		pl_err_nomem(err);
		pl_matrix_destroy(m);
		return NULL;
	}
	return m;
}

struct pl_matrix *pl_matrix_create(const struct pl_hosts *hosts, struct pl_err *err)
{
	return create(hosts, false, err);
}

struct pl_matrix *pl_matrix_create_few(const struct pl_hosts *hosts, struct pl_err *err)
{
	return create(hosts, true, err);
}

void pl_matrix_destroy(struct pl_matrix *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_layers; i++)
		pl_layer_fini(&m->layer[i]);
	for (size_t i = 0; i < m->n_notes; i++)
		free(m->note[i].text);
	for (size_t i = 0; i < m->n_headers; i++) {
		free(m->header[i].key);
		free(m->header[i].value);
	}
	free(m->layer);
	free(m->note);
	free(m->header);
	free(m->method);
	free(m->created);
	free(m->file);
	pl_hosts_fini(&m->hosts);
	free(m);
}

struct pl_layer *pl_matrix_add_layer(struct pl_matrix *m, const char *statistic,
				     enum pl_quantity quantity, enum pl_unit unit)
{
	struct pl_layer layer = {.quantity = quantity, .unit = unit};
	struct pl_layer *grown;

	if (pl_layer_init(&layer, m, statistic))
		return NULL;
	grown = realloc(m->layer, (m->n_layers + 1) * sizeof(*grown));
	if (!grown) {
		pl_layer_fini(&layer);
		return NULL;
	}
	m->layer = grown;
	grown[m->n_layers] = layer;
	return &grown[m->n_layers++];
}

const struct pl_layer *pl_matrix_layer(const struct pl_matrix *m, const char *statistic)
{
	for (size_t i = 0; i < m->n_layers; i++)
		if (strcmp(m->layer[i].statistic, statistic) == 0)
			return &m->layer[i];
	return NULL;
}

struct pl_layer *pl_matrix_bandwidths(const struct pl_matrix *m, const char *statistic)
{
	for (size_t i = 1; i < m->n_layers; i++) {
		struct pl_layer *layer = &m->layer[i];

		if (layer->quantity == PL_BANDWIDTH &&
		    (!statistic || strcmp(layer->statistic, statistic) == 0))
			return layer;
	}
	return NULL;
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\177';
}

/* A copy that fits on a line and reads back as it is. */
static char *flat_copy(const char *s)
{
	size_t len = strlen(s);
	char *copy;

	while (len > 0 && (is_control(*s) || *s == ' ')) {
		s++;
		len--;
	}
	while (len > 0 && (is_control(s[len - 1]) || s[len - 1] == ' '))
		len--;
	copy = pl_string_copy(s, len);
	for (size_t i = 0; copy && i < len; i++)
		if (is_control(copy[i]))
			copy[i] = ' ';
	return copy;
}

int pl_matrix_add_note(struct pl_matrix *m, size_t src, size_t dst, const char *text)
{
	struct pl_cell_note note = {.src = src, .dst = dst};

	if (pl_array_grow((void **)&m->note, &m->notes_room, m->n_notes, sizeof(*m->note)))
		return -1;
	note.text = flat_copy(text);
	if (!note.text)
		return -1;
	m->note[m->n_notes++] = note;
	return 0;
}

int pl_matrix_add_header(struct pl_matrix *m, const char *key, const char *value)
{
	struct pl_header header = {0};

	if (pl_array_grow((void **)&m->header, &m->headers_room, m->n_headers, sizeof(*m->header)))
		return -1;
	header.key = flat_copy(key);
	header.value = flat_copy(value);
	if (!header.key || !header.value) {
		free(header.key);
		free(header.value);
		return -1;
	}
	m->header[m->n_headers++] = header;
	return 0;
}

int pl_matrix_print_header(struct pl_matrix *m, const char *key, const char *fmt, ...)
{
	char value[PL_HEADER_MAX + 1];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	return pl_matrix_add_header(m, key, value);
}

const char *pl_matrix_header(const struct pl_matrix *m, const char *key)
{
	for (size_t i = 0; i < m->n_headers; i++)
		if (strcmp(m->header[i].key, key) == 0)
			return m->header[i].value;
	return NULL;
}

int pl_matrix_place_header(struct pl_matrix *m, struct pl_place place)
{
	struct pl_header *last = &m->header[m->n_headers - 1];

	if (!m->file)
		m->file = pl_string_copy(place.file, strlen(place.file));
	last->line = place.line;
	last->col = place.col;
	return m->file ? 0 : -1;
}

struct pl_place pl_header_place(const struct pl_matrix *m, const struct pl_header *header)
{
	return (struct pl_place){
		.file = header->line ? m->file : NULL,
		.line = header->line,
		.col = header->col,
	};
}

void pl_matrix_drop_header(struct pl_matrix *m)
{
	const struct pl_header *last = &m->header[--m->n_headers];

	free(last->key);
	free(last->value);
}

void pl_matrix_drop_headers(struct pl_matrix *m, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_headers; i++) {
		if (strcmp(m->header[i].key, key) != 0) {
			m->header[kept++] = m->header[i];
			continue;
		}
		free(m->header[i].key);
		free(m->header[i].value);
	}
	m->n_headers = kept;
}

size_t pl_matrix_missing(const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;

	return n * (n - (n > 0)) - pl_layer_known(&m->layer[0]);
}

/* Halving before adding keeps the sum finite; equal values stay what they
 * are. */
static double mean_of(double a, double b)
{
	return a == b ? a : a / 2 + b / 2;
}

static double join(double a, double b, enum pl_symmetrize how)
{
	if (isnan(a))
		return b;
	if (isnan(b))
		return a;
	if (how == PL_SYM_MEAN)
		return mean_of(a, b);
	return a > b ? a : b;
}

/* Rows and columns are walked in squares of this many cells, so that both triangles stay in the
 * cache. */
#define TILE 32

static void join_tile(double *c, size_t n, size_t i0, size_t j0, enum pl_symmetrize how)
{
	for (size_t i = i0; i < n && i < i0 + TILE; i++)
		for (size_t j = i > j0 ? i : j0; j < n && j < j0 + TILE; j++)
			c[i * n + j] = c[j * n + i] = join(c[i * n + j], c[j * n + i], how);
}

void pl_matrix_costs(const struct pl_matrix *m, enum pl_symmetrize how, double *c)
{
	const size_t n = m->hosts.n;

	memcpy(c, m->layer[0].cell, n * n * sizeof(*c));
	if (how == PL_SYM_NONE)
		return;
	for (size_t i = 0; i < n; i += TILE)
		for (size_t j = i; j < n; j += TILE)
			join_tile(c, n, i, j, how);
}
