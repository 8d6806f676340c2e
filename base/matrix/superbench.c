/* SPDX-License-Identifier: BSD-3-Clause */
/* superbench.c - reading what SuperBench's benchmark ib-traffic measured */
/*
 * results-summary.jsonl has an object for each node, and each of its members is
 * a metric. Those of ib-traffic are called
 *   ib-traffic/[RUN/]COMMAND_BYTES_DIRECTION_LINE_PAIR:SERVER_CLIENT[:RANK]
 * with COMMAND a program of perftest and RANK the local rank of both processes.
 * Rates are in GB/s, times in us, and -1 stands for no result. In pairs, the
 * client writes and sends to the server, and reads from it.
 */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
#include "base/matrix/label.h"
#include "base/text/names.h"
#include "base/text/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BENCHMARK "ib-traffic"
#define RAILS_MAX 4096
#define VALUE_MAX 1e12
/* What a file may ask for, as a sparse matrix: cells in any case, or for each
 * of its bytes. */
#define FREE_CELLS ((size_t)4096 * 4096)
#define CELLS_PER_BYTE 512

enum kind { TIME, RATE, KINDS };

/* perftest's time of a read is that of its round trip. */
static const struct command {
	const char *name;
	enum kind kind;
	enum pl_quantity quantity;
	bool reads; /* data go from the server to the client */
} commands[] = {
	{"ib_write_lat", TIME, PL_ONE_WAY, false}, {"ib_send_lat", TIME, PL_ONE_WAY, false},
	{"ib_read_lat", TIME, PL_RTT, true},       {"ib_write_bw", RATE, PL_BANDWIDTH, false},
	{"ib_send_bw", RATE, PL_BANDWIDTH, false}, {"ib_read_bw", RATE, PL_BANDWIDTH, true},
};

/* What a metric is of; strings borrow from the text. */
struct test {
	const struct command *command; /* NULL: none */
	uint64_t bytes;                /* UINT64_MAX: all sizes */
	struct pl_word direction;      /* "gpu-to-gpu" */
};

struct metric {
	struct test test;
	struct pl_word server, client;
	int64_t rail;
	double value; /* below 0: none */
};

/* The test that is taken of each kind, and what it fills. */
struct reader {
	struct pl_names names;
	struct test taken[KINDS];
	int64_t n_rails[KINDS];
	struct pl_layer *layer[KINDS];
	struct pl_err *err;
};

/* The next string of the line, without its quotes. */
static bool next_string(struct pl_line *line, struct pl_word *string)
{
	const char *begin = memchr(line->s + line->pos, '"', line->len - line->pos);
	size_t end;

	if (!begin)
		return false;
	line->pos = (size_t)(begin - line->s) + 1;
	string->s = begin + 1;
	string->place = pl_line_place(line);
	for (end = line->pos; end < line->len && line->s[end] != '"'; end++)
		end += line->s[end] == '\\';
	if (end >= line->len)
		return false;
	string->len = end - line->pos;
	line->pos = end + 1;
	return true;
}

/* Takes what stands before @mark off the front of @from, and the mark. */
static bool cut(struct pl_word *from, char mark, struct pl_word *part)
{
	const char *at = memchr(from->s, mark, from->len);

	if (!at)
		return false;
	*part = *from;
	part->len = (size_t)(at - from->s);
	from->s = at + 1;
	from->len -= part->len + 1;
	from->place.col += (long)part->len + 1;
	return true;
}

static bool begins_with(const struct pl_word *word, const char *with)
{
	return word->len >= strlen(with) && memcmp(word->s, with, strlen(with)) == 0;
}

static bool cut_number(struct pl_word *from, char mark, uint64_t *value)
{
	struct pl_word part;

	return cut(from, mark, &part) && pl_uint_parse(part.s, part.len, INT64_MAX, value) == 0;
}

static const struct command *take_command(struct pl_word *key)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		const size_t len = strlen(commands[i].name);

		if (!begins_with(key, commands[i].name) || key->len == len || key->s[len] != '_')
			continue;
		key->s += len + 1;
		key->len -= len + 1;
		key->place.col += (long)len + 1;
		return &commands[i];
	}
	return NULL;
}

/* Letters and '-' alone: it will stand in a header line. */
static bool is_plain(const struct pl_word *word)
{
	for (size_t i = 0; i < word->len; i++)
		if (!isalpha((unsigned char)word->s[i]) && word->s[i] != '-')
			return false;
	return word->len > 0;
}

/* Is it a metric of a pair? @pair: what follows the first colon. */
static bool take_test(struct pl_word key, struct test *test, struct pl_word *pair)
{
	struct pl_word part, run;
	uint64_t number;

	if (!begins_with(&key, BENCHMARK) || !cut(&key, '/', &part))
		return false;
	run = key;
	if (cut_number(&run, '/', &number))
		key = run;
	test->command = take_command(&key);
	if (!test->command || !cut_number(&key, '_', &test->bytes) ||
	    !cut(&key, '_', &test->direction) || !is_plain(&test->direction) ||
	    !cut_number(&key, '_', &number) || !cut_number(&key, ':', &number))
		return false;
	if (test->bytes == 0)
		test->bytes = UINT64_MAX;
	*pair = key;
	return true;
}

/* SERVER_CLIENT[:RANK[:...]] */
static int take_pair(struct pl_word pair, struct metric *m, struct pl_err *err)
{
	struct pl_word hosts = pair, rail = {.s = "0", .len = 1};

	if (cut(&pair, ':', &hosts) && !cut(&pair, ':', &rail))
		rail = pair;
	if (pl_int_parse(rail.s, rail.len, 0, RAILS_MAX - 1, &m->rail))
		return pl_err_at(err, rail.place, "a local rank below %d must stand here",
				 RAILS_MAX);
	m->client = hosts;
	if (!cut(&m->client, '_', &m->server) || memchr(m->client.s, '_', m->client.len))
		return pl_err_at(err, hosts.place,
				 "\"%.*s\" must be SERVER_CLIENT, two names "
				 "without '_'",
				 pl_word_shown(&hosts), hosts.s);
	return 0;
}

/* The number behind the colon, if there is one. */
static int take_value(struct pl_line *line, double *value, struct pl_err *err)
{
	struct pl_word word;

	pl_line_skip(line);
	if (line->pos == line->len || line->s[line->pos] != ':')
		return 0;
	line->pos++;
	pl_line_skip(line);
	word.place = pl_line_place(line);
	word.s = line->s + line->pos;
	for (word.len = 0; line->pos + word.len < line->len; word.len++)
		if (strchr(" \t,}", word.s[word.len]))
			break;
	line->pos += word.len;
	if (pl_double_parse(word.s, word.len, value))
		return pl_err_at(err, word.place, "\"%.*s\" is not a number", pl_word_shown(&word),
				 word.s);
	if (*value > VALUE_MAX)
		return pl_err_at(err, word.place, "\"%.*s\" is too large", pl_word_shown(&word),
				 word.s);
	if (isnan(*value))
		*value = -1;
	return 1;
}

/* The next metric of a pair. 1; 0 at the end; -1 with @err set. */
static int next_metric(struct pl_text *text, struct pl_line *line, struct metric *m,
		       struct pl_err *err)
{
	struct pl_word key, pair;
	int rc;

	for (;;) {
		while (!next_string(line, &key))
			if (!pl_text_next(text, line))
				return 0;
		if (!take_test(key, &m->test, &pair))
			continue;
		rc = take_value(line, &m->value, err);
		if (rc > 0 && take_pair(pair, m, err))
			return -1;
		if (rc != 0)
			return rc;
	}
}

/* Of times those of the shortest messages, of rates those of the longest; of
 * several such tests the first. */
static void choose(struct reader *r, const struct metric *m)
{
	const enum kind kind = m->test.command->kind;
	struct test *taken = &r->taken[kind];

	if (!taken->command ||
	    (kind == TIME ? m->test.bytes < taken->bytes : m->test.bytes > taken->bytes))
		*taken = m->test;
}

static bool is_taken(const struct reader *r, const struct test *test)
{
	const struct test *taken = &r->taken[test->command->kind];

	return test->command == taken->command && test->bytes == taken->bytes &&
	       test->direction.len == taken->direction.len &&
	       memcmp(test->direction.s, taken->direction.s, taken->direction.len) == 0;
}

static int add_host(struct reader *r, struct pl_hosts *hosts, const struct pl_word *name)
{
	const int rc = pl_names_add(&r->names, name->s, name->len, hosts->n);

	if (rc < 0)
		return pl_err_nomem(r->err);
	return rc > 0 ? 0 : pl_label_add(hosts, name, r->err);
}

/* First pass: the tests, then the hosts of those that are taken. */
static int look(struct reader *r, const struct pl_text *text, struct pl_hosts *hosts)
{
	struct metric m;
	int rc;

	for (int pass = 0; pass < 2; pass++) {
		struct pl_text copy = *text;
		struct pl_line line = {.s = "", .file = text->name};

		while ((rc = next_metric(&copy, &line, &m, r->err)) > 0) {
			const enum kind kind = m.test.command->kind;

			if (pass == 0)
				choose(r, &m);
			else if (is_taken(r, &m.test) &&
				 (add_host(r, hosts, &m.server) || add_host(r, hosts, &m.client)))
				return -1;
			if (pass == 1 && is_taken(r, &m.test) && m.rail >= r->n_rails[kind])
				r->n_rails[kind] = m.rail + 1;
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* A pair's slowest rail and run, and without a result if one of them is. */
static int keep(struct reader *r, struct pl_matrix *matrix, const struct metric *m)
{
	const struct command *command = m->test.command;
	struct pl_layer *layer = r->layer[command->kind];
	const struct pl_word *from = command->reads ? &m->server : &m->client;
	const struct pl_word *to = command->reads ? &m->client : &m->server;
	const size_t src = (size_t)pl_names_find(&r->names, from->s, from->len);
	const size_t dst = (size_t)pl_names_find(&r->names, to->s, to->len);
	double *cell = &layer->cell[src * matrix->hosts.n + dst];
	const double none = command->kind == TIME ? INFINITY : -1;

	if (src == dst || *cell == none)
		return 0;
	if (m->value < 0) {
		*cell = none;
		return layer == &matrix->layer[0] &&
				       pl_matrix_add_note(matrix, src, dst,
							  "no result (-1) of SuperBench")
			       ? pl_err_nomem(r->err)
			       : 0;
	}
	if (isnan(*cell) || (command->kind == TIME ? m->value > *cell : m->value < *cell))
		*cell = m->value;
	return 0;
}

/* What stood for no result is missing; rates of all rails in bytes. */
static void finish(const struct reader *r, struct pl_matrix *m)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; r->layer[kind] && i < m->hosts.n * m->hosts.n; i++) {
			double *cell = &r->layer[kind]->cell[i];

			if (isinf(*cell) || *cell < 0)
				*cell = NAN;
			else if (kind == RATE)
				*cell *= 1e9 * (double)r->n_rails[kind];
		}
}

static int describe(struct pl_matrix *m, const struct test *test, int64_t rails)
{
	char bytes[32] = "all";

	if (test->bytes != UINT64_MAX)
		snprintf(bytes, sizeof(bytes), "%" PRIu64, test->bytes);
	return pl_matrix_print_header(m, "superbench", "%s bytes=%s %.*s rails=%" PRId64,
				      test->command->name, bytes, pl_word_shown(&test->direction),
				      test->direction.s, rails);
}

/* The layers: times, if there are any, and rates. */
static int lay(struct reader *r, struct pl_matrix *m)
{
	const enum kind first = r->taken[TIME].command ? TIME : RATE;

	m->symmetrize = PL_SYM_MEAN;
	m->layer[0].quantity = r->taken[first].command->quantity;
	m->layer[0].unit = first == TIME ? PL_US : PL_BYTES_PER_S;
	if (pl_matrix_set_method(m, r->taken[first].command->name) ||
	    (first == TIME && r->taken[RATE].command &&
	     !pl_matrix_add_layer(m, "value", PL_BANDWIDTH, PL_BYTES_PER_S)))
		return pl_err_nomem(r->err);
	r->layer[first] = &m->layer[0];
	if (m->n_layers > 1)
		r->layer[RATE] = &m->layer[1];
	for (int kind = 0; kind < KINDS; kind++)
		if (r->taken[kind].command && describe(m, &r->taken[kind], r->n_rails[kind]))
			return pl_err_nomem(r->err);
	return 0;
}

/* Second pass: the values. */
static int fill(struct reader *r, struct pl_text *text, struct pl_matrix *m)
{
	struct pl_line line = {.s = "", .file = text->name};
	struct metric metric;
	int rc;

	if (lay(r, m))
		return -1;
	while ((rc = next_metric(text, &line, &metric, r->err)) > 0)
		if (is_taken(r, &metric.test) && keep(r, m, &metric))
			return -1;
	finish(r, m);
	return rc;
}

/* An object ends the file: a part of one that was cut off does not count. */
static int check_end(const struct pl_text *text, struct pl_err *err)
{
	size_t end = text->len;
	struct pl_text all = *text;
	struct pl_line line = {.s = "", .file = text->name};

	while (end > 0 && strchr(" \t\r\n", text->data[end - 1]))
		end--;
	if (end > 0 && text->data[end - 1] == '}')
		return 0;
	while (pl_text_next(&all, &line))
		line.pos = line.len;
	return pl_err_at(err, pl_line_place(&line), "the file is cut off here: '}' is missing");
}

static int check(const struct reader *r, const struct pl_text *text, size_t n)
{
	const struct pl_place start = {.file = text->name, .line = 1, .col = 1};

	if (n == 0)
		return pl_err_at(r->err, start,
				 "no result of " BENCHMARK " for a pair of "
				 "hosts");
	if (n > PL_MATRIX_HOSTS_MAX || (n * n > FREE_CELLS && n * n / CELLS_PER_BYTE > text->len))
		return pl_err_at(r->err, start, "%zu hosts with too few results", n);
	return 0;
}

bool pl_superbench_is(const struct pl_text *text)
{
	return memmem(text->data, text->len, "\"" BENCHMARK, sizeof(BENCHMARK)) != NULL;
}

struct pl_matrix *pl_superbench_parse(struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.err = err};
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;

	if (check_end(text, err) == 0 && look(&r, text, &hosts) == 0 &&
	    check(&r, text, hosts.n) == 0)
		m = pl_matrix_create(&hosts, err);
	if (m && fill(&r, text, m)) {
		pl_matrix_destroy(m);
		m = NULL;
	}
	pl_names_fini(&r.names);
	pl_hosts_fini(&hosts);
	return m;
}
