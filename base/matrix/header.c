/* SPDX-License-Identifier: BSD-3-Clause */
/* header.c - the "# key value" lines of plink's own matrix form */
#include "config.h"

#include "base/matrix/header.h"

#include "base/matrix/cells.h"
#include "base/mem.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

/* The only word of the value. */
static int one_word(struct pl_word value, struct pl_word *word, const char *what,
		    struct pl_err *err)
{
	struct pl_word extra;

	if (!pl_header_word(&value, word))
		return pl_err_at(err, value.place, "%s is missing", what);
	if (pl_header_word(&value, &extra))
		return pl_err_at(err, extra.place, "one word too many for %s", what);
	return 0;
}

static int set_string(char **to, const struct pl_word *word, struct pl_err *err)
{
	char *copy = pl_string_copy(word->s, word->len);

	if (!copy)
		return pl_err_nomem(err);
	for (size_t i = 0; i < word->len; i++)
		if (copy[i] == '\t')
			copy[i] = ' ';
	free(*to);
	*to = copy;
	return 0;
}

static int set_version(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	(void)m;
	if (!pl_word_is(word, "1"))
		return pl_err_at(err, word->place,
				 "unknown version \"%.*s\": only version 1 can be read",
				 pl_word_shown(word), word->s);
	return 0;
}

static int quantity_of(const struct pl_word *word, enum pl_quantity *quantity, struct pl_err *err)
{
	if (pl_quantity_parse(word->s, word->len, quantity))
		return pl_err_at(
			err, word->place,
			"unknown quantity \"%.*s\": rtt, one-way, bandwidth or, for layers, count",
			pl_word_shown(word), word->s);
	return 0;
}

static int unit_of(const struct pl_word *word, enum pl_unit *unit, struct pl_err *err)
{
	if (pl_unit_parse(word->s, word->len, unit))
		return pl_err_at(
			err, word->place,
			"unknown unit \"%.*s\": ns, us, ms, s, bytes-per-s or, for counts, probes",
			pl_word_shown(word), word->s);
	return 0;
}

static int check_unit(enum pl_quantity quantity, enum pl_unit unit, struct pl_place place,
		      struct pl_err *err)
{
	if (pl_unit_fits(quantity, unit))
		return 0;
	return pl_err_at(
		err, place,
		"%s cannot be in %s: times are in ns, us, ms or s, bandwidths in bytes-per-s",
		pl_quantity_name(quantity), pl_unit_name(unit));
}

static int set_quantity(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	if (quantity_of(word, &m->layer[0].quantity, err))
		return -1;
	if (m->layer[0].quantity == PL_COUNT)
		return pl_err_at(err, word->place, "only further layers may hold counts");
	return 0;
}

static int set_unit(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	return unit_of(word, &m->layer[0].unit, err);
}

static int set_statistic(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	return set_string(&m->layer[0].statistic, word, err);
}

static int set_symmetrize(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	if (pl_symmetrize_parse(word->s, word->len, &m->symmetrize))
		return pl_err_at(err, word->place,
				 "cannot symmetrize by \"%.*s\": none, max or mean",
				 pl_word_shown(word), word->s);
	return 0;
}

static int set_method(struct pl_matrix *m, const struct pl_word *value, struct pl_err *err)
{
	return set_string(&m->method, value, err);
}

static int set_created(struct pl_matrix *m, const struct pl_word *value, struct pl_err *err)
{
	return set_string(&m->created, value, err);
}

static int set_form(struct pl_matrix *m, const struct pl_word *word, struct pl_err *err)
{
	(void)m;
	if (!pl_word_is(word, "dense") && !pl_word_is(word, "sparse"))
		return pl_err_at(err, word->place, "unknown form \"%.*s\": dense or sparse",
				 pl_word_shown(word), word->s);
	return 0;
}

/* Keys without a function speak of hosts and are the reader's. */
static const struct field {
	const char *key, *what; /* what: for messages */
	bool long_value;        /* of several words */
	int (*set)(struct pl_matrix *m, const struct pl_word *value, struct pl_err *err);
} fields[] = {
	{"plink-matrix", "the version", false, set_version},
	{"quantity", "the quantity", false, set_quantity},
	{"unit", "the unit", false, set_unit},
	{"statistic", "the statistic", false, set_statistic},
	{"symmetrize", "the symmetry", false, set_symmetrize},
	{"method", "the method", true, set_method},
	{"created", "the date", true, set_created},
	{"form", "the form", false, set_form},
	{.key = "host"},
	{.key = "cell"},
	{.key = "layer"},
};

enum { FIELD_QUANTITY = 1, FIELD_UNIT = 2 };

#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static size_t find_field(const struct pl_word *key)
{
	size_t i = 0;

	while (i < N_FIELDS && !pl_word_is(key, fields[i].key))
		i++;
	return i;
}

bool pl_header_known(const struct pl_word *key)
{
	return find_field(key) < N_FIELDS;
}

static int keep_unknown(struct pl_matrix *m, const struct pl_word *key, const struct pl_word *value,
			struct pl_err *err)
{
	char *k = pl_string_copy(key->s, key->len);
	char *v = pl_string_copy(value->s, value->len);
	bool bad = true;

	if (k && v)
		bad = pl_matrix_add_header(m, k, v) || pl_matrix_place_header(m, value->place);
	free(k);
	free(v);
	return bad ? pl_err_nomem(err) : 0;
}

int pl_head_set(struct pl_head *head, struct pl_matrix *m, const struct pl_word *key,
		struct pl_word value, struct pl_err *err)
{
	const size_t i = find_field(key);
	struct pl_word word = value;

	if (i == N_FIELDS)
		return keep_unknown(m, key, &value, err);
	if (!fields[i].set)
		return 0;
	if (head->seen & 1u << i)
		return pl_err_at(err, key->place, "\"%s\" is given twice", fields[i].key);
	head->seen |= 1u << i;
	if (fields[i].long_value && value.len == 0)
		return pl_err_at(err, value.place, "%s is missing", fields[i].what);
	if (!fields[i].long_value && one_word(value, &word, fields[i].what, err))
		return -1;
	return fields[i].set(m, &word, err);
}

int pl_head_check(const struct pl_head *head, const struct pl_matrix *m, const char *file,
		  struct pl_err *err)
{
	const struct pl_place top = {.file = file, .line = 1, .col = 1};
	const struct pl_layer *layer = &m->layer[0];

	if (!(head->seen & 1u << FIELD_QUANTITY))
		return pl_err_at(err, top, "no line \"# quantity ...\"");
	if (!(head->seen & 1u << FIELD_UNIT))
		return pl_err_at(err, top, "no line \"# unit ...\"");
	return check_unit(layer->quantity, layer->unit, top, err);
}

static bool has_layer(const struct pl_matrix *m, const struct pl_word *word,
		      enum pl_quantity quantity)
{
	for (size_t i = 0; i < m->n_layers; i++)
		if (m->layer[i].quantity == quantity && pl_word_is(word, m->layer[i].statistic))
			return true;
	return false;
}

int pl_header_layer(struct pl_matrix *m, struct pl_word value, struct pl_err *err)
{
	struct pl_word name, quantity_word, unit_word;
	enum pl_quantity quantity;
	enum pl_unit unit;
	char *statistic;
	int rc = 0;

	if (!pl_header_word(&value, &name) || !pl_header_word(&value, &quantity_word))
		return pl_err_at(err, value.place,
				 "a layer line needs a statistic, a quantity and a unit");
	if (one_word(value, &unit_word, "the unit", err) ||
	    quantity_of(&quantity_word, &quantity, err) || unit_of(&unit_word, &unit, err) ||
	    check_unit(quantity, unit, unit_word.place, err))
		return -1;
	if (has_layer(m, &name, quantity))
		return pl_err_at(err, name.place, "a second layer \"%.*s\"", pl_word_shown(&name),
				 name.s);
	statistic = pl_string_copy(name.s, name.len);
	if (!statistic || !pl_matrix_add_layer(m, statistic, quantity, unit))
		rc = pl_err_nomem(err);
	free(statistic);
	return rc;
}

static int set_host_string(char **to, const struct pl_word *word, struct pl_err *err)
{
	if (word->len == 0)
		return pl_err_at(err, word->place, "nothing after the \"=\"");
	if (*to)
		return pl_err_at(err, word->place, "this is given twice");
	return set_string(to, word, err);
}

static int set_host_address(struct pl_host *host, const struct pl_word *word, struct pl_err *err)
{
	if (word->len > 0 && !pl_host_is_address(word->s, word->len))
		return pl_err_at(err, word->place, "\"%.*s\" is not a numeric address",
				 pl_word_shown(word), word->s);
	return set_host_string(&host->addr, word, err);
}

static int set_host_number(int *to, const struct pl_word *word, int max, struct pl_err *err)
{
	int64_t value;

	if (pl_int_parse(word->s, word->len, 1, max, &value))
		return pl_err_at(err, word->place, "\"%.*s\" is not a number from 1 to %d",
				 pl_word_shown(word), word->s, max);
	*to = (int)value;
	return 0;
}

int pl_header_host(struct pl_host *host, struct pl_word value, struct pl_err *err)
{
	struct pl_word word, x;
	int rc = 0;

	while (!rc && pl_header_word(&value, &word)) {
		if (pl_word_value(&word, "node", &x))
			rc = set_host_string(&host->node, &x, err);
		else if (pl_word_value(&word, "addr", &x))
			rc = set_host_address(host, &x, err);
		else if (pl_word_value(&word, "type", &x))
			rc = set_host_string(&host->type, &x, err);
		else if (pl_word_value(&word, "slots", &x))
			rc = set_host_number(&host->slots, &x, PL_HOST_SLOTS_MAX, err);
		else if (pl_word_value(&word, "port", &x))
			rc = host->port ? pl_err_at(err, word.place, "a second port")
					: set_host_number(&host->port, &x, 65535, err);
		else
			rc = pl_err_at(err, word.place,
				       "\"%.*s\": a host has node=, addr=, type=, slots= and port=",
				       pl_word_shown(&word), word.s);
	}
	return rc;
}
