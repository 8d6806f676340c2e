/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c - what the page's script knows: every pair's numbers */
#include "config.h"

#include "report/page.h"

#include "base/mem.h"
#include "report/escape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Notes that differ, and notes at all. */
#define TEXTS_MAX 256
#define NOTES_MAX 50000

static void write_names(const struct pl_report *r, FILE *out)
{
	fputs("\"hosts\":[", out);
	for (size_t i = 0; i < r->n; i++) {
		if (i > 0)
			fputc(',', out);
		pl_escape_json(r->label[i], out);
	}
	fputs("],\n\"racks\":[", out);
	for (size_t i = 0; i < r->n; i++)
		fprintf(out, "%s%zu", i > 0 ? "," : "", r->rack[i]);
	fputs("],\n", out);
}

static void write_order(const size_t *host_at, size_t n, FILE *out)
{
	fputc('[', out);
	for (size_t k = 0; k < n; k++)
		fprintf(out, "%s%zu", k > 0 ? "," : "", host_at ? host_at[k] : k);
	fputc(']', out);
}

static void write_orders(const struct pl_report *r, FILE *out)
{
	fputs("\"orders\":[", out);
	write_order(NULL, r->n, out);
	for (size_t i = 0; i < r->n_orders; i++) {
		fputc(',', out);
		write_order(r->order[i].host_at, r->order[i].n, out);
	}
	fputs("],\n", out);
}

/* Single precision, least byte first; of what is missing NaN. */
static int write_cells(const struct pl_report *r, const double *cell, FILE *out)
{
	const size_t n = r->n, n_all = r->from.matrix->hosts.n;
	unsigned char *data = pl_array_create(n, n * 4), *to = data;

	if (!data)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++, to += 4) {
			const float x =
				(float)cell[r->from.cell_of[i] * n_all + r->from.cell_of[j]];
			uint32_t bits;

			memcpy(&bits, &x, sizeof(bits));
			for (int b = 0; b < 4; b++)
				to[b] = (unsigned char)(bits >> (8 * b));
		}
	pl_escape_base64(data, n * n * 4, out);
	free(data);
	return 0;
}

static int write_layer(const struct pl_report *r, const struct pl_layer *layer, FILE *out)
{
	fputs("{\"statistic\":", out);
	pl_escape_json(layer->statistic, out);
	fprintf(out, ",\"quantity\":\"%s\",\"unit\":\"%s\",\"cells\":\"",
		pl_quantity_name(layer->quantity),
		r->from.traffic ? "bytes" : pl_unit_name(layer->unit));
	if (write_cells(r, layer->cell, out))
		return -1;
	fputs("\"}", out);
	return 0;
}

/* The first layer, and of the others as many as there is room for: *left
 * out. */
static int write_layers(const struct pl_report *r, size_t *left_out, FILE *out)
{
	const struct pl_matrix *m = r->from.matrix;
	const size_t size = r->n * r->n * 4 / 3 * 4;
	size_t room = PL_PAGE_NUMBERS;

	*left_out = 0;
	fputs("\"layers\":[", out);
	for (size_t k = 0; k < m->n_layers; k++) {
		if (k > 0 && size > room) {
			*left_out += 1;
			continue;
		}
		room -= size < room ? size : room;
		if (k > 0)
			fputs(",\n", out);
		if (write_layer(r, &m->layer[k], out))
			return -1;
	}
	fputs("],\n", out);
	return 0;
}

/* The number of the text among those seen; TEXTS_MAX: there are too many. */
static size_t text_number(const char **text, size_t *n, const char *s)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(text[i], s) == 0)
			return i;
	if (*n < TEXTS_MAX)
		text[(*n)++] = s;
	else
		return TEXTS_MAX;
	return *n - 1;
}

/* "notes": source, destination, number of a text, and so on. Hosts of the matrix that are not in
 * the report have none; one that is there twice has them once. */
static int write_notes(const struct pl_report *r, FILE *out)
{
	const struct pl_matrix *m = r->from.matrix;
	size_t *number = pl_array_create(m->hosts.n, sizeof(*number));
	const char *text[TEXTS_MAX], *comma = "";
	size_t n_texts = 0, n_notes = 0;

	if (!number)
		return -1;
	for (size_t i = 0; i < r->n; i++)
		number[r->from.cell_of[i]] = i + 1;
	fputs("\"notes\":[", out);
	for (size_t k = 0; k < m->n_notes && n_notes < NOTES_MAX; k++) {
		const size_t src = number[m->note[k].src];
		const size_t dst = number[m->note[k].dst];
		size_t t;

		if (src == 0 || dst == 0)
			continue;
		t = text_number(text, &n_texts, m->note[k].text);
		if (t == TEXTS_MAX)
			continue;
		fprintf(out, "%s%zu,%zu,%zu", comma, src - 1, dst - 1, t);
		comma = ",";
		n_notes++;
	}
	fputs("],\n\"texts\":[", out);
	for (size_t t = 0; t < n_texts; t++) {
		if (t > 0)
			fputc(',', out);
		pl_escape_json(text[t], out);
	}
	fputs("],\n", out);
	free(number);
	return 0;
}

int pl_page_data(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	size_t left_out;

	fputs("{", out);
	write_names(r, out);
	write_orders(r, out);
	if (write_notes(r, out) || write_layers(r, &left_out, out))
		return pl_err_nomem(err);
	fprintf(out, "\"left_out\":%zu}", left_out);
	return 0;
}
