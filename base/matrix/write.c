/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c - plink's own matrix form, to a file or into a digest */
#include "config.h"

#include "base/matrix/matrix.h"

#include "base/matrix/header.h"
#include "base/matrix/label.h"
#include "base/mem.h"
#include "base/text/number.h"

#include <math.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* From so many hosts on, where less than one in so many cells of all layers is there, pairs are
 * written one by one. */
#define SPARSE_HOSTS 64
#define SPARSE_SHARE 4

/* Where the bytes go. */
struct sink {
	int (*put)(void *to, const char *s, size_t len);
	void *to;
	char **label; /* [hosts] */
	bool sparse;
	struct pl_err *err;
};

static int put_file(void *to, const char *s, size_t len)
{
	return fwrite(s, 1, len, to) == len ? 0 : -1;
}

static int put_hash(void *to, const char *s, size_t len)
{
	return crypto_hash_sha256_update(to, (const unsigned char *)s, len);
}

static int put(const struct sink *sink, const char *s, size_t len)
{
	if (sink->put(sink->to, s, len))
		return pl_err_errno(sink->err, "cannot write the matrix");
	return 0;
}

/* Puts these texts, NULL behind the last. */
__attribute__((sentinel)) static int put_texts(const struct sink *sink, ...)
{
	const char *s;
	va_list ap;
	int rc = 0;

	va_start(ap, sink);
	while (!rc && (s = va_arg(ap, const char *)))
		rc = put(sink, s, strlen(s));
	va_end(ap);
	return rc;
}

/* "# key value" */
static int put_header(const struct sink *sink, const char *key, const char *value)
{
	return put_texts(sink, "# ", key, value[0] ? " " : "", value, "\n", NULL);
}

/* Would this come back as it is, when read as the value of a header? */
static bool is_value(const char *s)
{
	const struct pl_line line = {.s = s, .len = strlen(s)};

	if (line.len > 0 && (pl_is_blank(s[0]) || pl_is_blank(s[line.len - 1])))
		return false;
	for (size_t i = 0; i < line.len; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == '\177' || pl_line_is_mark(&line, i))
			return false;
	return true;
}

bool pl_matrix_is_word(const char *s)
{
	if (*s == '\0')
		return false;
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || *s == '\177')
			return false;
	return true;
}

/* A word that stands where another header might. */
static bool is_key(const char *s)
{
	return pl_matrix_is_word(s) && is_value(s);
}

static int refuse(const struct sink *sink, const char *what, const char *s)
{
	return pl_err_set(sink->err, PL_EINPUT, "a matrix file cannot hold the %s \"%.80s\"", what,
			  s);
}

static int check_hosts(const struct pl_matrix *m, const struct sink *sink)
{
	for (size_t i = 0; i < m->hosts.n; i++) {
		const struct pl_host *host = &m->hosts.v[i];
		size_t at;

		if (pl_host_name_fault(host->name, strlen(host->name), &at))
			return refuse(sink, "host name", host->name);
		if (host->node && !pl_matrix_is_word(host->node))
			return refuse(sink, "node name", host->node);
		if (host->type && !pl_matrix_is_word(host->type))
			return refuse(sink, "type", host->type);
		if (host->addr && !pl_host_is_address(host->addr, strlen(host->addr)))
			return refuse(sink, "address", host->addr);
	}
	return 0;
}

static int check(const struct pl_matrix *m, const struct sink *sink)
{
	for (size_t i = 0; i < m->n_layers; i++)
		if (!is_key(m->layer[i].statistic))
			return refuse(sink, "statistic", m->layer[i].statistic);
	if (m->method && (!m->method[0] || !is_value(m->method)))
		return refuse(sink, "method", m->method);
	if (m->created && (!m->created[0] || !is_value(m->created)))
		return refuse(sink, "date", m->created);
	for (size_t i = 0; i < m->n_headers; i++) {
		const struct pl_word key = {.s = m->header[i].key, .len = strlen(m->header[i].key)};

		if (!is_key(key.s) || pl_header_known(&key))
			return refuse(sink, "header key", key.s);
		if (!is_value(m->header[i].value))
			return refuse(sink, "header value", m->header[i].value);
	}
	return check_hosts(m, sink);
}

static int put_headers(const struct pl_matrix *m, const struct sink *sink)
{
	const struct pl_layer *layer = &m->layer[0];

	if (put_header(sink, "plink-matrix", "1") ||
	    put_header(sink, "quantity", pl_quantity_name(layer->quantity)) ||
	    put_header(sink, "unit", pl_unit_name(layer->unit)) ||
	    put_header(sink, "statistic", layer->statistic) ||
	    (m->method && put_header(sink, "method", m->method)) ||
	    put_header(sink, "symmetrize", pl_symmetrize_name(m->symmetrize)) ||
	    (m->created && put_header(sink, "created", m->created)) ||
	    (sink->sparse && put_header(sink, "form", "sparse")))
		return -1;
	for (size_t i = 0; i < m->n_headers; i++)
		if (put_header(sink, m->header[i].key, m->header[i].value))
			return -1;
	return 0;
}

static int put_host(const struct pl_host *host, const char *label, const struct sink *sink)
{
	const int has_port = host->port && !pl_label_has_port(label, host);
	char slots[32] = "", port[32] = "";

	/* a sparse form has no rows to say that a host is there */
	if (!sink->sparse && !host->node && !host->addr && !host->type && host->slots == 1 &&
	    !has_port)
		return 0;
	if (host->slots != 1)
		snprintf(slots, sizeof(slots), " slots=%d", host->slots);
	if (has_port)
		snprintf(port, sizeof(port), " port=%d", host->port);
	return put_texts(sink, "# host ", label, host->node ? " node=" : "",
			 host->node ? host->node : "", host->addr ? " addr=" : "",
			 host->addr ? host->addr : "", host->type ? " type=" : "",
			 host->type ? host->type : "", slots, port, "\n", NULL);
}

/* Writes " value" at @at; NULL where no cell may hold this. */
static char *add_cell(char *at, double value)
{
	size_t len;

	if (!isnan(value) && (value < 0 || isinf(value)))
		return NULL;
	*at++ = ' ';
	pl_double_format(at, value == 0 ? 0 : value);
	len = strlen(at);
	return at + len;
}

static int refuse_cell(const struct pl_matrix *m, size_t i, size_t j, double value,
		       const struct sink *sink)
{
	return pl_err_set(sink->err, PL_EINPUT, "%g is no value of a cell (from \"%s\" to \"%s\")",
			  value, m->hosts.v[i].name, m->hosts.v[j].name);
}

/* @row has room for n values. */
static int put_row(const struct pl_matrix *m, const struct pl_layer *layer, size_t i, char *row,
		   const struct sink *sink)
{
	const size_t n = m->hosts.n;
	char *end = row;

	for (size_t j = 0; j < n; j++) {
		const double value = pl_layer_get(layer, i * n + j);

		end = i == j && value != 0 ? NULL : add_cell(end, value);
		if (!end)
			return refuse_cell(m, i, j, value, sink);
	}
	*end++ = '\n';
	if (put_texts(sink, sink->label[i], NULL))
		return -1;
	return put(sink, row, (size_t)(end - row));
}

/* A line for a cell that is there. */
static int put_pair(const struct pl_matrix *m, const struct pl_layer *layer, size_t at, char *row,
		    const struct sink *sink)
{
	const size_t i = at / m->hosts.n, j = at % m->hosts.n;
	const double value = pl_layer_get(layer, at);
	char *end = add_cell(row, value);

	if (!end)
		return refuse_cell(m, i, j, value, sink);
	*end++ = '\n';
	if (put_texts(sink, sink->label[i], " ", sink->label[j], NULL))
		return -1;
	return put(sink, row, (size_t)(end - row));
}

static int put_pairs(const struct pl_matrix *m, const struct pl_layer *layer, char *row,
		     const struct sink *sink)
{
	size_t n, k = 0;
	uint32_t *at = pl_layer_list(layer, &n);

	if (!at)
		return pl_err_nomem(sink->err);
	while (k < n && !put_pair(m, layer, at[k], row, sink))
		k++;
	free(at);
	return k < n ? -1 : 0;
}

/* A host has nothing to itself, in whichever form. */
static int check_diagonal(const struct pl_matrix *m, const struct pl_layer *layer,
			  const struct sink *sink)
{
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n; i++) {
		const double value = pl_layer_get(layer, i * n + i);

		if (value != 0)
			return refuse_cell(m, i, i, value, sink);
	}
	return 0;
}

static int put_layer(const struct pl_matrix *m, const struct pl_layer *layer, char *row,
		     const struct sink *sink)
{
	if (sink->sparse)
		return check_diagonal(m, layer, sink) || put_pairs(m, layer, row, sink) ? -1 : 0;
	for (size_t i = 0; i < m->hosts.n; i++)
		if (put_row(m, layer, i, row, sink))
			return -1;
	return 0;
}

static int put_note(const struct pl_cell_note *note, const struct sink *sink)
{
	return put_texts(sink, "# cell ", sink->label[note->src], " ", sink->label[note->dst],
			 note->text[0] ? " " : "", note->text, "\n", NULL);
}

static int put_layer_title(const struct pl_layer *layer, const struct sink *sink)
{
	return put_texts(sink, "# layer ", layer->statistic, " ", pl_quantity_name(layer->quantity),
			 " ", pl_unit_name(layer->unit), "\n", NULL);
}

/* @row is scratch for put_row. */
static int put_all(const struct pl_matrix *m, char *row, const struct sink *sink)
{
	if (put_headers(m, sink))
		return -1;
	for (size_t i = 0; i < m->hosts.n; i++)
		if (put_host(&m->hosts.v[i], sink->label[i], sink))
			return -1;
	if (put_layer(m, &m->layer[0], row, sink))
		return -1;
	for (size_t i = 0; i < m->n_notes; i++)
		if (put_note(&m->note[i], sink))
			return -1;
	for (size_t i = 1; i < m->n_layers; i++)
		if (put_layer_title(&m->layer[i], sink) || put_layer(m, &m->layer[i], row, sink))
			return -1;
	return 0;
}

/* Are most cells missing? That depends on the matrix alone, so that equal ones stay equal files. */
static bool is_sparse(const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;
	size_t there = 0;

	for (size_t k = 0; k < m->n_layers; k++)
		there += n + pl_layer_known(&m->layer[k]);
	return n >= SPARSE_HOSTS && there / m->n_layers < n * n / SPARSE_SHARE;
}

static int write_all(const struct pl_matrix *m, struct sink *sink)
{
	char *row;
	int rc;

	if (check(m, sink))
		return -1;
	sink->sparse = is_sparse(m);
	sink->label = pl_labels_create(&m->hosts, sink->err);
	if (!sink->label)
		return -1;
	row = pl_array_create(m->hosts.n + 1, PL_DOUBLE_CHARS + 1);
	rc = row ? put_all(m, row, sink) : pl_err_nomem(sink->err);
	free(row);
	pl_labels_destroy(sink->label, m->hosts.n);
	return rc;
}

int pl_matrix_write(const struct pl_matrix *m, FILE *out, struct pl_err *err)
{
	struct sink sink = {.put = put_file, .to = out, .err = err};

	return write_all(m, &sink);
}

int pl_matrix_digest(const struct pl_matrix *m, char digest[PL_DIGEST_CHARS], struct pl_err *err)
{
	static const char prefix[] = "sha256:";
	unsigned char hash[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state;
	struct sink sink = {.put = put_hash, .to = &state, .err = err};

	if (sodium_init() < 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "cannot start libsodium: this machine gives no random numbers");
	crypto_hash_sha256_init(&state);
	if (write_all(m, &sink))
		return -1;
	crypto_hash_sha256_final(&state, hash);
	memcpy(digest, prefix, sizeof(prefix));
	sodium_bin2hex(digest + sizeof(prefix) - 1, PL_DIGEST_CHARS - sizeof(prefix) + 1, hash,
		       sizeof(hash));
	return 0;
}
