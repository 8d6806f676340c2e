/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read.c - the reader of plan files (plink-plan(5)); needs libc only */
#include "config.h"

#include "src/plan.h"

#include "src/mem.h"
#include "src/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20)

/* A plan being read. */
struct reader {
	struct pl_plan *plan;
	struct pl_place *place; /* [hosts.n]: where each host stands */
	size_t place_room;
	bool versioned; /* the line that says what this file is was seen */
	struct pl_err *err;
};

/* One of the words "key=value" that a line may have, each at most once. */
struct option {
	const char *key;
	struct pl_word value; /* s is NULL where it was not said */
};

static int set_string(struct reader *r, char **to, const struct pl_word *word)
{
	if (*to)
		return pl_err_at(r->err, word->place, "said twice");
	*to = pl_string_copy(word->s, word->len);
	return *to ? 0 : pl_err_nomem(r->err);
}

static int read_version(struct reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (r->versioned)
		return pl_err_at(r->err, value.place, "said twice");
	if (!pl_word_is(&value, "1"))
		return pl_err_at(r->err, value.place,
				 "this version of the plan format is not "
				 "known, only 1 is");
	r->versioned = true;
	return 0;
}

static int read_by(struct reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (!pl_plan_is_phrase(value.s, value.len))
		return pl_err_at(r->err, value.place,
				 "the name of a program must stand here");
	return set_string(r, &r->plan->by, &value);
}

/* "DATE" or "DATE by PROGRAM VERSION". */
static int read_created(struct reader *r, struct pl_line *line)
{
	struct pl_word date = {.place = pl_line_place(line)}, by;
	int64_t unix_s;

	if (!pl_line_next(line, &date))
		return pl_err_at(r->err, date.place, "a date must stand here");
	if (set_string(r, &r->plan->created, &date))
		return -1;
	if (pl_plan_time(r->plan->created, &unix_s))
		return pl_err_at(r->err, date.place,
				 "a date looks like 2026-11-20T14:00:00Z");
	if (!pl_line_next(line, &by))
		return 0;
	if (!pl_word_is(&by, "by"))
		return pl_err_at(r->err, by.place,
				 "after the date only \"by\" and a program's "
				 "name can stand");
	return read_by(r, line);
}

static int read_matrix(struct reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (!pl_plan_is_word(value.s, value.len))
		return pl_err_at(r->err, value.place,
				 "a matrix's digest is one word");
	return set_string(r, &r->plan->matrix, &value);
}

static int read_seed(struct reader *r, struct pl_line *line)
{
	const struct pl_word value = pl_line_rest(line);

	if (r->plan->has_seed)
		return pl_err_at(r->err, value.place, "said twice");
	if (pl_uint_parse(value.s, value.len, UINT64_MAX, &r->plan->seed))
		return pl_err_at(r->err, value.place,
				 "a seed is a number from 0 to 2^64 - 1");
	r->plan->has_seed = true;
	return 0;
}

/* Whoever relies on this remark may do so: a false one is an error. */
static int check_identity(struct reader *r, const struct pl_word *word)
{
	const struct pl_plan *plan = r->plan;

	if (plan->n_orders == 0 ||
	    !pl_order_is_identity(&plan->order[plan->n_orders - 1],
				  plan->hosts.n))
		return pl_err_at(r->err, word->place,
				 "the order above is not the identity");
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct reader *r, struct pl_line *line);
} headers[] = {
	{"plink-plan", read_version},
	{"created", read_created},
	{"by", read_by},
	{"matrix", read_matrix},
	{"seed", read_seed},
};

/* One "key value" of a header line; what no key of ours starts is a remark. */
static int read_header(struct reader *r, struct pl_line *part)
{
	struct pl_word key;

	if (!pl_line_next(part, &key))
		return 0;
	if (!r->versioned && !pl_word_is(&key, "plink-plan"))
		return pl_err_at(r->err, key.place,
				 "a plan starts with \"# plink-plan 1\"");
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (pl_word_is(&key, headers[i].key))
			return headers[i].read(r, part);
	if (pl_word_is(&key, "identity") && pl_line_rest(part).len == 0)
		return check_identity(r, &key);
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Where the next "#" that stands alone is, or the end of the line. */
static size_t next_mark(const struct pl_line *line, size_t from)
{
	for (size_t i = from + 1; i < line->len; i++)
		if (line->s[i] == '#' && is_blank(line->s[i - 1]) &&
		    (i + 1 == line->len || is_blank(line->s[i + 1])))
			return i;
	return line->len;
}

/* "# key value   # key value": @line stands at the first mark. */
static int read_headers(struct reader *r, const struct pl_line *line)
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
static int take_option(struct reader *r, const struct pl_word *word,
		       struct option *option, size_t n)
{
	const char *equals = memchr(word->s, '=', word->len);
	const size_t len = equals ? (size_t)(equals - word->s) : 0;

	for (size_t i = 0; i < n && equals; i++) {
		if (strlen(option[i].key) != len ||
		    memcmp(option[i].key, word->s, len) != 0)
			continue;
		if (option[i].value.s)
			return pl_err_at(r->err, word->place, "said twice");
		option[i].value.s = equals + 1;
		option[i].value.len = word->len - len - 1;
		option[i].value.place = word->place;
		option[i].value.place.col += (long)len + 1;
		return 0;
	}
	return pl_err_at(r->err, word->place, "this word is not known here");
}

static int read_int(struct reader *r, const struct pl_word *word, int max,
		    int *to)
{
	int64_t value;

	if (!word->s)
		return 0;
	if (pl_int_parse(word->s, word->len, 1, max, &value))
		return pl_err_at(r->err, word->place,
				 "a number from 1 to %d must stand here", max);
	*to = (int)value;
	return 0;
}

static int read_word(struct reader *r, const struct pl_word *word, char **to)
{
	if (!word->s)
		return 0;
	if (!pl_plan_is_word(word->s, word->len))
		return pl_err_at(r->err, word->place,
				 "a word of printable characters must stand "
				 "here");
	return set_string(r, to, word);
}

/* Hosts are numbered as they come: the number is a check, not a choice. */
static int read_host_name(struct reader *r, struct pl_line *line, char **name,
			  struct pl_place *place)
{
	struct pl_word word = {.place = pl_line_place(line)};
	const char *fault;
	int64_t number;
	size_t at;

	if (!pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, 0, PL_HOSTS_MAX - 1, &number) ||
	    (size_t)number != r->plan->hosts.n)
		return pl_err_at(r->err, word.place,
				 "host number %zu must stand here",
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

static int add_host(struct reader *r, const struct pl_host *host,
		    struct pl_place place)
{
	if (pl_array_grow((void **)&r->place, &r->place_room, r->plan->hosts.n,
			  sizeof(*r->place)) ||
	    pl_hosts_add(&r->plan->hosts, host))
		return pl_err_nomem(r->err);
	r->place[r->plan->hosts.n - 1] = place;
	return 0;
}

/* host NUMBER NAME [slots=N] [port=N] [node=NAME] [addr=ADDRESS] */
static int read_host(struct reader *r, struct pl_line *line)
{
	struct option option[] = {{.key = "slots"},
				  {.key = "port"},
				  {.key = "node"},
				  {.key = "addr"}};
	struct pl_host host = {.slots = 1};
	struct pl_place place = {0};
	struct pl_word word;
	int rc = -1;

	if (r->plan->n_orders)
		return pl_err_at(r->err, pl_line_place(line),
				 "hosts stand before the first order");
	if (read_host_name(r, line, &host.name, &place))
		goto out;
	while (pl_line_next(line, &word))
		if (take_option(r, &word, option, 4))
			goto out;
	if (read_int(r, &option[0].value, PL_HOST_SLOTS_MAX, &host.slots) ||
	    read_int(r, &option[1].value, 65535, &host.port) ||
	    read_word(r, &option[2].value, &host.node) ||
	    read_word(r, &option[3].value, &host.addr))
		goto out;
	rc = add_host(r, &host, place);
out:
	free(host.name);
	free(host.node);
	free(host.addr);
	return rc;
}

static int read_cost(struct reader *r, const struct pl_word *word, double *to)
{
	*to = NAN;
	if (word->s && pl_double_parse(word->s, word->len, to))
		return pl_err_at(r->err, word->place,
				 "a cost must stand here: a finite number");
	return 0;
}

/* "LO-HI", or "LO-" where there is no limit. */
static int read_sizes(struct reader *r, struct pl_line *line,
		      struct pl_order *order)
{
	struct pl_word word = {.place = pl_line_place(line), .s = ""};
	const char *dash;
	size_t len;

	pl_line_next(line, &word);
	dash = word.len ? memchr(word.s, '-', word.len) : NULL;
	if (!dash)
		goto fail;
	len = (size_t)(dash - word.s);
	order->size_max = UINT64_MAX;
	if (pl_uint_parse(word.s, len, UINT64_MAX, &order->size_min))
		goto fail;
	if (len + 1 < word.len && pl_uint_parse(dash + 1, word.len - len - 1,
						UINT64_MAX, &order->size_max))
		goto fail;
	if (order->size_min <= order->size_max)
		return 0;
fail:
	return pl_err_at(r->err, word.place,
			 "sizes in bytes must stand here, as in 0-65535 or "
			 "65536-");
}

static int read_name(struct reader *r, struct pl_line *line, char **to)
{
	struct pl_word word = {.place = pl_line_place(line), .s = ""};

	pl_line_next(line, &word);
	return read_word(r, &word, to);
}

/* The words between the sizes and the colon. */
static int read_costs(struct reader *r, struct pl_line *line,
		      struct pl_order *order)
{
	struct option option[] = {
		{.key = "cost"}, {.key = "given"}, {.key = "bound"}};
	struct pl_word word;
	bool colon = false;

	while (!colon && pl_line_next(line, &word)) {
		colon = pl_word_is(&word, ":");
		if (!colon && take_option(r, &word, option, 3))
			return -1;
	}
	if (!colon)
		return pl_err_at(r->err, pl_line_place(line),
				 "\":\" and the hosts' numbers are missing");
	return read_cost(r, &option[0].value, &order->cost) ||
			       read_cost(r, &option[1].value, &order->given) ||
			       read_cost(r, &option[2].value, &order->bound)
		       ? -1
		       : 0;
}

/* Host numbers by position; seen[] and host_at[] are for n hosts, zeroed. */
static int read_positions(struct reader *r, struct pl_line *line,
			  size_t *host_at, bool *seen)
{
	const size_t n = r->plan->hosts.n;
	struct pl_word word;
	size_t pos = 0;
	int64_t host;

	while (pl_line_next(line, &word)) {
		if (pos == n)
			return pl_err_at(r->err, word.place,
					 "more than %zu hosts in this order",
					 n);
		if (pl_int_parse(word.s, word.len, 0, (int64_t)n - 1, &host))
			return pl_err_at(r->err, word.place,
					 "a host's number from 0 to %zu must "
					 "stand here",
					 n - 1);
		if (seen[host])
			return pl_err_at(r->err, word.place,
					 "host %zu comes twice", (size_t)host);
		seen[host] = true;
		host_at[pos++] = (size_t)host;
	}
	if (pos < n)
		return pl_err_at(r->err, pl_line_place(line),
				 "%zu hosts in this order, %zu in the plan",
				 pos, n);
	return 0;
}

/* Hosts are complete when the first order comes. */
static int check_hosts(struct reader *r, struct pl_place place)
{
	const struct pl_hosts *hosts = &r->plan->hosts;
	size_t first, again;

	if (hosts->n == 0)
		return pl_err_at(r->err, place, "an order before any host");
	if (r->plan->n_orders)
		return 0;
	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(r->err);
	if (again == hosts->n)
		return 0;
	return pl_err_at(r->err, r->place[again],
			 "duplicate host \"%s\" (first in line %ld)",
			 hosts->v[again].name, r->place[first].line);
}

/* order COLLECTIVE ALGORITHM IMPL LO-HI [cost=X] [given=X] [bound=X] : N N ...
 */
static int read_order(struct reader *r, struct pl_line *line)
{
	struct pl_order order = {0};
	bool *seen = NULL;
	int rc = -1;

	if (check_hosts(r, pl_line_place(line)))
		return -1;
	seen = pl_array_create(r->plan->hosts.n, sizeof(*seen));
	order.host_at =
		pl_array_create(r->plan->hosts.n, sizeof(*order.host_at));
	if (!seen || !order.host_at) {
		pl_err_nomem(r->err);
		goto out;
	}
	if (read_name(r, line, &order.collective) ||
	    read_name(r, line, &order.algorithm) ||
	    read_name(r, line, &order.impl) || read_sizes(r, line, &order) ||
	    read_costs(r, line, &order) ||
	    read_positions(r, line, order.host_at, seen))
		goto out;
	rc = pl_plan_add(r->plan, &order, r->err);
out:
	free(order.collective);
	free(order.algorithm);
	free(order.impl);
	free(order.host_at);
	free(seen);
	return rc;
}

static int read_line(struct reader *r, struct pl_line *line)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	if (word.s[0] == '#') {
		line->pos = (size_t)(word.s - line->s);
		return read_headers(r, line);
	}
	if (!r->versioned)
		return pl_err_at(r->err, word.place,
				 "a plan starts with \"# plink-plan 1\"");
	if (pl_word_is(&word, "host"))
		return read_host(r, line);
	if (pl_word_is(&word, "order"))
		return read_order(r, line);
	return pl_err_at(r->err, word.place,
			 "a line of a plan starts with \"host\", \"order\" or "
			 "\"#\"");
}

int pl_plan_parse(struct pl_plan *plan, struct pl_text *text,
		  struct pl_err *err)
{
	struct reader r = {.plan = plan, .err = err};
	struct pl_line line;
	int rc = 0;

	while (rc == 0 && pl_text_next(text, &line))
		rc = read_line(&r, &line);
	if (rc == 0 && plan->n_orders == 0)
		rc = pl_err_at(err, (struct pl_place){.file = text->name},
			       "no order in this plan");
	free(r.place);
	if (rc)
		pl_plan_fini(plan);
	return rc;
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
