/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers-lines.c - racks and rates as header lines of a matrix */
/*
 *   # rack HOST GROUP       the host is in that rack
 *   # within GROUP GROUP    the first group is part of the second
 *   # card HOST OUT IN      rates of the host's card
 *   # uplink GROUP OUT IN   rates of what joins the group to all others
 */
#include "config.h"

#include "base/matrix/tiers.h"

#include "base/matrix/label.h"
#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/size.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 3
#define WORD_CHARS (PL_HOST_NAME_MAX + 16)

static const char *const keys[] = {"rack", "within", "card", "uplink"};
#define N_KEYS (sizeof(keys) / sizeof(*keys))

/* What is read: numbers of groups as the lines have them come first. */
struct reading {
	struct pl_tiers *t;
	const struct pl_matrix *m;
	char **label;                     /* [n hosts] */
	size_t *number_of;                /* [PL_MATRIX_HOSTS_MAX] our group */
	char word[WORDS_MAX][WORD_CHARS]; /* of the line */
	struct pl_err *err;
};

static int bad_line(const struct reading *r, const struct pl_header *line, const char *why)
{
	return pl_err_at(r->err, pl_header_place(r->m, line), "\"# %s %s\": %s", line->key,
			 line->value, why);
}

/* Cuts a value into exactly @n words. 0, or -1. */
static int cut(struct reading *r, const char *value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t len = strcspn(value, " \t");

		if (len == 0 || len >= WORD_CHARS)
			return -1;
		memcpy(r->word[i], value, len);
		r->word[i][len] = '\0';
		value += len;
		value += strspn(value, " \t");
	}
	return *value ? -1 : 0;
}

static size_t find_host(const struct reading *r, const char *word)
{
	const ptrdiff_t host = pl_hosts_find(&r->m->hosts, word);

	if (host >= 0 && !strcmp(r->label[host], word))
		return (size_t)host;
	for (size_t h = 0; h < r->t->n; h++)
		if (!strcmp(r->label[h], word))
			return h;
	return PL_NO_GROUP;
}

static int parse_number(const char *word, int64_t *number)
{
	return pl_int_parse(word, strlen(word), 0, PL_MATRIX_HOSTS_MAX - 1, number);
}

/* Our number of the group of that number. */
static int find_group(struct reading *r, const char *word, size_t *group)
{
	int64_t number;

	if (parse_number(word, &number) || r->number_of[number] == PL_NO_GROUP)
		return -1;
	*group = r->number_of[number];
	return 0;
}

/* "-": not known. */
static int parse_rate(const char *word, double *bps)
{
	*bps = 0;
	return strcmp(word, "-") == 0 ? 0 : pl_rate_parse(word, bps);
}

static int take_rate(struct reading *r, const struct pl_header *line, struct pl_link_rate *rate)
{
	if (rate->out_bps > 0 || rate->in_bps > 0)
		return bad_line(r, line, "given twice");
	if (parse_rate(r->word[1], &rate->out_bps) || parse_rate(r->word[2], &rate->in_bps))
		return bad_line(
			r, line,
			"a rate is a number and kbit, Mbit or Gbit, or - where it is not known");
	return 0;
}

static int take_rack(struct reading *r, const struct pl_header *line)
{
	size_t host, group;

	if (cut(r, line->value, 2) || (host = find_host(r, r->word[0])) == PL_NO_GROUP ||
	    find_group(r, r->word[1], &group))
		return bad_line(r, line, "not a host and a number");
	if (r->t->rack[host] != PL_NO_GROUP && r->t->rack[host] != group)
		return bad_line(r, line, "a second rack of that host");
	r->t->rack[host] = group;
	return 0;
}

static int take_within(struct reading *r, const struct pl_header *line)
{
	struct pl_tiers *t = r->t;
	size_t inner, outer;

	if (cut(r, line->value, 2) || find_group(r, r->word[0], &inner) ||
	    find_group(r, r->word[1], &outer))
		return bad_line(r, line, "not two numbers of groups");
	if (t->within[inner] != PL_NO_GROUP && t->within[inner] != outer)
		return bad_line(r, line, "a second group around it");
	for (size_t g = outer; g != PL_NO_GROUP; g = t->within[g])
		if (g == inner)
			return bad_line(r, line, "a group within itself");
	t->within[inner] = outer;
	return 0;
}

static int take_card(struct reading *r, const struct pl_header *line)
{
	size_t host;

	if (cut(r, line->value, 3) || (host = find_host(r, r->word[0])) == PL_NO_GROUP)
		return bad_line(r, line, "not a host and two rates");
	return take_rate(r, line, &r->t->card[host]);
}

static int take_uplink(struct reading *r, const struct pl_header *line)
{
	size_t group;

	if (cut(r, line->value, 3) || find_group(r, r->word[0], &group))
		return bad_line(r, line, "not a group and two rates");
	return take_rate(r, line, &r->t->uplink[group]);
}

static int take_lines(struct reading *r, const char *key,
		      int (*take)(struct reading *, const struct pl_header *))
{
	for (size_t i = 0; i < r->m->n_headers; i++)
		if (!strcmp(r->m->header[i].key, key) && take(r, &r->m->header[i]))
			return -1;
	return 0;
}

/* A number that a line has for a group: in "rack" the second, in "within"
 * both. */
static void note_number(struct reading *r, const char *word)
{
	int64_t number;

	if (parse_number(word, &number) == 0)
		r->number_of[number] = 0;
}

/* Groups in the order of their numbers, of those that hosts are in somehow. */
static int number_groups(struct reading *r)
{
	for (size_t i = 0; i < PL_MATRIX_HOSTS_MAX; i++)
		r->number_of[i] = PL_NO_GROUP;
	for (size_t i = 0; i < r->m->n_headers; i++) {
		const struct pl_header *line = &r->m->header[i];
		const bool within = !strcmp(line->key, "within");

		if ((!within && strcmp(line->key, "rack") != 0) || cut(r, line->value, 2))
			continue;
		note_number(r, r->word[1]);
		if (within)
			note_number(r, r->word[0]);
	}
	for (size_t i = 0; i < PL_MATRIX_HOSTS_MAX; i++) {
		if (r->number_of[i] == PL_NO_GROUP)
			continue;
		r->number_of[i] = pl_tiers_add_group(r->t);
		if (r->number_of[i] == PL_NO_GROUP)
			return pl_err_nomem(r->err);
	}
	return 0;
}

/* All hosts have racks, or none; no group is empty. */
static int check_racks(const struct reading *r)
{
	const struct pl_tiers *t = r->t;
	bool *used;
	size_t n_without = 0, without = 0, empty = 0;

	for (size_t h = t->n; h-- > 0;)
		if (t->rack[h] == PL_NO_GROUP) {
			n_without++;
			without = h;
		}
	if (n_without > 0 && (n_without < t->n || t->n_groups > 0))
		return pl_err_at(r->err, (struct pl_place){.file = r->m->file},
				 "no rack for host %s: \"# rack %s NUMBER\" is missing",
				 r->label[without], r->label[without]);
	used = pl_array_create(t->n_groups, sizeof(*used));
	if (!used)
		return pl_err_nomem(r->err);
	for (size_t h = 0; n_without == 0 && h < t->n; h++)
		for (size_t g = t->rack[h]; g != PL_NO_GROUP; g = t->within[g])
			used[g] = true;
	for (size_t g = 0; g < t->n_groups; g++)
		empty += !used[g];
	free(used);
	if (empty > 0)
		return pl_err_at(r->err, (struct pl_place){.file = r->m->file},
				 "\"# within\": %zu groups without hosts", empty);
	return 0;
}

static int read_lines(struct reading *r)
{
	if (number_groups(r) || take_lines(r, "rack", take_rack) ||
	    take_lines(r, "within", take_within) || take_lines(r, "card", take_card) ||
	    take_lines(r, "uplink", take_uplink))
		return -1;
	return check_racks(r);
}

int pl_tiers_read(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err)
{
	struct reading r = {.t = t, .m = m, .err = err};
	int rc = -1;

	if (pl_tiers_init(t, m->hosts.n, err))
		return -1;
	r.label = pl_labels_create(&m->hosts, err);
	r.number_of = pl_array_create(PL_MATRIX_HOSTS_MAX, sizeof(*r.number_of));
	if (r.label && !r.number_of)
		pl_err_nomem(err);
	else if (r.label)
		rc = read_lines(&r);
	free(r.number_of);
	pl_labels_destroy(r.label, m->hosts.n);
	if (rc)
		pl_tiers_fini(t);
	return rc;
}

static int add_rates(struct pl_matrix *m, const char *key, const char *what,
		     const struct pl_link_rate *rate)
{
	char out[PL_RATE_CHARS] = "-", in[PL_RATE_CHARS] = "-";

	if (rate->out_bps <= 0 && rate->in_bps <= 0)
		return 0;
	if (rate->out_bps > 0)
		pl_rate_format(out, rate->out_bps);
	if (rate->in_bps > 0)
		pl_rate_format(in, rate->in_bps);
	return pl_matrix_print_header(m, key, "%s %s %s", what, out, in);
}

static int add_hosts(struct pl_matrix *m, const struct pl_tiers *t, char *const *label)
{
	for (size_t h = 0; h < t->n; h++)
		if (t->rack[h] != PL_NO_GROUP &&
		    pl_matrix_print_header(m, "rack", "%s %zu", label[h], t->rack[h]))
			return -1;
	for (size_t h = 0; h < t->n; h++)
		if (add_rates(m, "card", label[h], &t->card[h]))
			return -1;
	return 0;
}

static int add_groups(struct pl_matrix *m, const struct pl_tiers *t)
{
	char value[64];

	for (size_t g = 0; g < t->n_groups; g++)
		if (t->within[g] != PL_NO_GROUP &&
		    pl_matrix_print_header(m, "within", "%zu %zu", g, t->within[g]))
			return -1;
	for (size_t g = 0; g < t->n_groups; g++) {
		snprintf(value, sizeof(value), "%zu", g);
		if (add_rates(m, "uplink", value, &t->uplink[g]))
			return -1;
	}
	return 0;
}

int pl_tiers_write(const struct pl_tiers *t, struct pl_matrix *m, struct pl_err *err)
{
	char **label = pl_labels_create(&m->hosts, err);
	int rc;

	if (!label)
		return -1;
	for (size_t i = 0; i < N_KEYS; i++)
		pl_matrix_drop_headers(m, keys[i]);
	rc = add_hosts(m, t, label) || add_groups(m, t);
	pl_labels_destroy(label, m->hosts.n);
	return rc ? pl_err_nomem(err) : 0;
}

int pl_tiers_copy_lines(struct pl_matrix *to, const struct pl_matrix *from)
{
	for (size_t k = 0; k < from->n_headers; k++)
		for (size_t i = 0; i < N_KEYS; i++)
			if (!strcmp(from->header[k].key, keys[i]) &&
			    pl_matrix_add_header(to, keys[i], from->header[k].value))
				return -1;
	return 0;
}
