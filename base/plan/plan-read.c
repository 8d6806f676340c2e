/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read.c - the reader of plan files (plink-plan(5)); needs libc only */
#include "config.h"

#include "base/plan/plan-read.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"

#include <stdlib.h>

#define TEXT_MAX ((size_t)256 << 20)

/* Copies the word into *to, which must be NULL: a second one is an error. */
static int set_string(struct pl_plan_reader *r, char **to, const struct pl_word *word)
{
	if (*to)
		return pl_err_at(r->err, word->place, "given twice");
	*to = pl_string_copy(word->s, word->len);
	return *to ? 0 : pl_err_nomem(r->err);
}

static const char *type_of(const struct pl_plan_reader *r)
{
	return r->kin ? r->kin->type : "plink-plan";
}

static int not_ours(struct pl_plan_reader *r, struct pl_place place)
{
	if (r->kin)
		return pl_err_at(r->err, place, "this file does not start with \"# %s 1\"",
				 type_of(r));
	return pl_err_at(r->err, place, "a plan starts with \"# plink-plan 1\"");
}

static int read_version(struct pl_plan_reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (r->versioned)
		return pl_err_at(r->err, value.place, "given twice");
	if (!pl_word_is(&value, "1"))
		return pl_err_at(r->err, value.place,
				 "unknown version of %s: only version 1 can be read", type_of(r));
	r->versioned = true;
	return 0;
}

static int read_by(struct pl_plan_reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (!pl_plan_is_phrase(value.s, value.len))
		return pl_err_at(r->err, value.place, "the name of a program must stand here");
	return set_string(r, &r->plan->by, &value);
}

/* "DATE" or "DATE by PROGRAM VERSION". */
static int read_created(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_word date = {.place = pl_line_place(line)}, by;
	int64_t unix_s;

	if (!pl_line_next(line, &date))
		return pl_err_at(r->err, date.place, "a date must stand here");
	if (set_string(r, &r->plan->created, &date))
		return -1;
	if (pl_plan_time(r->plan->created, &unix_s))
		return pl_err_at(r->err, date.place, "a date looks like 2026-11-20T14:00:00Z");
	if (!pl_line_next(line, &by))
		return 0;
	if (!pl_word_is(&by, "by"))
		return pl_err_at(r->err, by.place,
				 "after the date only \"by\" and a program's name can stand");
	return read_by(r, line);
}

static int read_matrix(struct pl_plan_reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (!pl_plan_is_word(value.s, value.len))
		return pl_err_at(r->err, value.place, "a matrix's digest is one word");
	return set_string(r, &r->plan->matrix, &value);
}

static int read_seed(struct pl_plan_reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (r->plan->has_seed)
		return pl_err_at(r->err, value.place, "given twice");
	if (pl_uint_parse(value.s, value.len, UINT64_MAX, &r->plan->seed))
		return pl_err_at(r->err, value.place, "a seed is a number from 0 to 2^64 - 1");
	r->plan->has_seed = true;
	return 0;
}

/* Whoever relies on this remark may do so: a false one is an error. */
static int check_identity(struct pl_plan_reader *r, const struct pl_word *word)
{
	const struct pl_plan *plan = r->plan;

	if (plan->n_orders == 0 ||
	    !pl_order_is_identity(&plan->order[plan->n_orders - 1], plan->hosts.n))
		return pl_err_at(r->err, word->place, "the order above is not the identity");
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct pl_plan_reader *r, struct pl_line *line);
} headers[] = {
	{"created", read_created},
	{"by", read_by},
	{"matrix", read_matrix},
	{"seed", read_seed},
};

/* One "key value" of a header line; what no key of ours starts is a remark. */
static int read_header(struct pl_plan_reader *r, struct pl_line *part)
{
	struct pl_word key;

	if (!pl_line_next(part, &key))
		return 0;
	if (pl_word_is(&key, type_of(r)))
		return read_version(r, part);
	if (!r->versioned)
		return not_ours(r, key.place);
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (pl_word_is(&key, headers[i].key))
			return headers[i].read(r, part);
	if (pl_word_is(&key, "identity") && pl_line_rest(part).len == 0)
		return check_identity(r, &key);
	return 0;
}

/* Where the next "#" that stands alone is, or the end of the line. */
static size_t next_mark(const struct pl_line *line, size_t from)
{
	for (size_t i = from + 1; i < line->len; i++)
		if (pl_line_is_mark(line, i))
			return i;
	return line->len;
}

/* "# key value   # key value": @line stands at the first mark. */
static int read_headers(struct pl_plan_reader *r, const struct pl_line *line)
{
	size_t from = line->pos;

	while (from < line->len) {
		struct pl_line part = *line;

		part.pos = from + 1;
		part.len = next_mark(line, from);
		from = part.len;
		if (read_header(r, &part))
			return -1;
	}
	return 0;
}

/* Takes a word "key=value" if @option has its key. */
int pl_plan_take_option(struct pl_plan_reader *r, const struct pl_word *word,
			struct pl_plan_option *option, size_t n)
{
	struct pl_word value;

	for (size_t i = 0; i < n; i++) {
		if (!pl_word_value(word, option[i].key, &value))
			continue;
		if (option[i].value.s)
			return pl_err_at(r->err, word->place, "given twice");
		option[i].value = value;
		return 0;
	}
	return pl_err_at(r->err, word->place, "this word is not known here");
}

static int read_int(struct pl_plan_reader *r, const struct pl_word *word, int max, int *to)
{
	int64_t value;

	if (!word->s)
		return 0;
	if (pl_int_parse(word->s, word->len, 1, max, &value))
		return pl_err_at(r->err, word->place, "a number from 1 to %d must stand here", max);
	*to = (int)value;
	return 0;
}

int pl_plan_read_word(struct pl_plan_reader *r, const struct pl_word *word, char **to)
{
	if (!word->s)
		return 0;
	if (!pl_plan_is_word(word->s, word->len))
		return pl_err_at(r->err, word->place,
				 "a word of printable characters must stand here");
	return set_string(r, to, word);
}

/* Hosts are numbered as they come: the number is a check, not a choice. */
static int read_host_name(struct pl_plan_reader *r, struct pl_line *line, char **name,
			  struct pl_place *place)
{
	struct pl_word word = {.place = pl_line_place(line)};
	const char *fault;
	int64_t number;
	size_t at;

	if (!pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, 0, PL_HOSTS_MAX - 1, &number) ||
	    (size_t)number != r->plan->hosts.n)
		return pl_err_at(r->err, word.place, "host number %zu must stand here",
				 r->plan->hosts.n);
	word = (struct pl_word){.place = pl_line_place(line)};
	pl_line_next(line, &word);
	fault = pl_host_name_fault(word.s, word.len, &at);
	word.place.col += fault ? (long)at : 0;
	if (fault)
		return pl_err_at(r->err, word.place, "%s", fault);
	*place = word.place;
	return set_string(r, name, &word);
}

static int add_host(struct pl_plan_reader *r, const struct pl_host *host, struct pl_place place)
{
	if (pl_array_grow((void **)&r->place, &r->place_room, r->plan->hosts.n,
			  sizeof(*r->place)) ||
	    pl_hosts_add(&r->plan->hosts, host))
		return pl_err_nomem(r->err);
	r->place[r->plan->hosts.n - 1] = place;
	return 0;
}

/* host NUMBER NAME [slots=N] [port=N] [node=NAME] [addr=ADDRESS]
 * [type=NAME] */
static int read_host(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_plan_option option[] = {{.key = "slots"},
					  {.key = "port"},
					  {.key = "node"},
					  {.key = "addr"},
					  {.key = "type"}};
	struct pl_host host = {.slots = 1};
	struct pl_place place = {0};
	struct pl_word word;
	int rc = -1;

	if (r->checked)
		return pl_err_at(r->err, pl_line_place(line), "hosts stand before the first %s",
				 r->kin || r->n_costs ? "line of another kind" : "order");
	if (read_host_name(r, line, &host.name, &place))
		goto out;
	while (pl_line_next(line, &word))
		if (pl_plan_take_option(r, &word, option, sizeof(option) / sizeof(option[0])))
			goto out;
	if (read_int(r, &option[0].value, PL_HOST_SLOTS_MAX, &host.slots) ||
	    read_int(r, &option[1].value, 65535, &host.port) ||
	    pl_plan_read_word(r, &option[2].value, &host.node) ||
	    pl_plan_read_word(r, &option[3].value, &host.addr) ||
	    pl_plan_read_word(r, &option[4].value, &host.type))
		goto out;
	rc = add_host(r, &host, place);
out:
	free(host.name);
	free(host.node);
	free(host.addr);
	free(host.type);
	return rc;
}

static int read_line(struct pl_plan_reader *r, struct pl_line *line)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	if (word.s[0] == '#') {
		line->pos = (size_t)(word.s - line->s);
		return read_headers(r, line);
	}
	if (!r->versioned)
		return not_ours(r, word.place);
	if (pl_word_is(&word, "host"))
		return read_host(r, line);
	if (r->kin)
		return pl_plan_check_hosts(r, word.place) ||
				       r->kin->read(r->kin->with, &word, line, r->err)
			       ? -1
			       : 0;
	if (pl_word_is(&word, "order"))
		return pl_plan_read_order(r, line);
	if (pl_word_is(&word, "costs"))
		return pl_plan_read_costs(r, line);
	return pl_err_at(r->err, word.place,
			 "a line of a plan starts with \"host\", \"costs\", \"order\" or \"#\"");
}

static int parse(struct pl_plan_reader *r, struct pl_text *text)
{
	struct pl_line line;
	int rc = 0;

	while (rc == 0 && pl_text_next(text, &line))
		rc = read_line(r, &line);
	if (rc == 0 && r->kin && r->plan->hosts.n == 0)
		rc = pl_err_at(r->err, (struct pl_place){.file = text->name},
			       "no host in this file");
	if (rc == 0 && !r->kin && r->plan->n_orders == 0)
		rc = pl_err_at(r->err, (struct pl_place){.file = text->name},
			       "no order in this plan");
	if (rc == 0)
		rc = pl_plan_check_costs(r, (struct pl_place){.file = text->name});
	free(r->place);
	if (rc) {
		pl_plan_fini(r->plan);
		pl_kind_blame(text, r->kin ? PL_KIND_SCHEDULE : PL_KIND_PLAN, r->err);
	}
	return rc;
}

int pl_plan_parse(struct pl_plan *plan, struct pl_text *text, struct pl_err *err)
{
	return parse(&(struct pl_plan_reader){.plan = plan, .err = err}, text);
}

int pl_plan_parse_kin(struct pl_plan *plan, struct pl_text *text, const struct pl_plan_kin *kin,
		      struct pl_err *err)
{
	return parse(&(struct pl_plan_reader){.plan = plan, .kin = kin, .err = err}, text);
}

int pl_plan_read(struct pl_plan *plan, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_plan_parse(plan, &text, err);
	pl_text_fini(&text);
	return rc;
}
