/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw-read.c - bus bandwidths as nccl-tests and SimAI write them */
#include "config.h"

#include "planner/srift/comm/busbw.h"

#include "base/text/kind.h"
#include "base/text/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)
#define COLUMNS_MAX 32
#define GIGA 1e9
#define SIZE_MAX_BYTES 1e15
#define BANDWIDTH_MAX 1e15
#define TIME_MAX_US 1e12
#define US_PER_S 1e6

/* Columns of a table by nccl-tests, counted from 0; -1: it has none. */
struct columns {
	int n, size, redop, time, algbw, busbw;
};

struct reader {
	struct pl_busbw_world *world;
	size_t n_ranks; /* the number stated so far; 0: none */
	struct columns columns;
	struct pl_err *err;
};

static bool is_number(const struct pl_word *w, double max, double *out)
{
	return pl_double_parse(w->s, w->len, out) == 0 && *out >= 0 &&
	       *out <= max;
}

/* "Rank 3 Group 0 Pid ..." and, for those who write it themselves, "ranks
 * 8". */
static void take_ranks(struct reader *r, struct pl_line *line,
		       const struct pl_word *first)
{
	const bool all = pl_word_is(first, "ranks");
	struct pl_word word;
	int64_t n;

	if ((!all && !pl_word_is(first, "Rank")) ||
	    !pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, all, PL_BUSBW_RANKS_MAX - 1, &n))
		return;
	if ((size_t)(n + !all) > r->n_ranks)
		r->n_ranks = (size_t)(n + !all);
}

/* "size count type redop root time algbw busbw #wrong time ...": of columns
 * that come twice the last one, which is in place. */
static void take_columns(struct reader *r, struct pl_line *line)
{
	struct columns c = {1, 0, -1, -1, -1, -1};
	struct pl_word word;

	for (; pl_line_next(line, &word) && c.n < COLUMNS_MAX; c.n++) {
		if (pl_word_is(&word, "redop"))
			c.redop = c.n;
		else if (pl_word_is(&word, "time"))
			c.time = c.n;
		else if (pl_word_is(&word, "algbw"))
			c.algbw = c.n;
		else if (pl_word_is(&word, "busbw"))
			c.busbw = c.n;
	}
	if (c.time > 0 && c.algbw > 0 && c.busbw > 0)
		r->columns = c;
}

static void take_comment(struct reader *r, struct pl_line *line)
{
	struct pl_word word;

	if (!pl_line_next(line, &word) || !pl_word_is(&word, "#") ||
	    !pl_line_next(line, &word))
		return;
	if (pl_word_is(&word, "size"))
		take_columns(r, line);
	else
		take_ranks(r, line, &word);
}

/* Other collectives have other factors between the two bandwidths, which are
 * told with two decimals. */
static int check_collective(struct reader *r, const struct pl_word *word)
{
	const struct columns *c = &r->columns;
	const double n = (double)r->n_ranks;
	double algbw, busbw;

	if (c->redop > 0 && pl_word_is(&word[c->redop], "none"))
		return pl_err_at(r->err, word[c->redop].place,
				 "this is not an all-reduce");
	if (!is_number(&word[c->algbw], BANDWIDTH_MAX, &algbw) ||
	    !is_number(&word[c->busbw], BANDWIDTH_MAX, &busbw))
		return pl_err_at(r->err, word[c->algbw].place,
				 "these are not bandwidths");
	if (fabs(busbw - algbw * 2 * (n - 1) / n) <= 0.02 + 0.01 * busbw)
		return 0;
	return pl_err_at(r->err, word[c->busbw].place,
			 "bandwidths of %g and %g GB/s are not those of an "
			 "all-reduce of %zu ranks",
			 algbw, busbw, r->n_ranks);
}

/* A line of the table; sizes of 0 bytes are ignored. */
static int take_row(struct reader *r, struct pl_line *line)
{
	struct pl_word word[COLUMNS_MAX];
	const struct columns *c = &r->columns;
	double bytes, us;
	int n = 0;

	while (n < c->n && pl_line_next(line, &word[n]))
		n++;
	if (n < c->n)
		return pl_err_at(r->err, pl_line_place(line),
				 "the line ends after %d of %d columns", n,
				 c->n);
	if (!is_number(&word[0], SIZE_MAX_BYTES, &bytes))
		return pl_err_at(r->err, word[0].place, "this is not a size");
	if (!is_number(&word[c->time], TIME_MAX_US, &us) || us == 0)
		return pl_err_at(r->err, word[c->time].place,
				 "this is not a time");
	if (check_collective(r, word))
		return -1;
	if (bytes > 0 &&
	    pl_busbw_add_size(r->world, bytes,
			      pl_bus_bytes(bytes, r->n_ranks) / us * US_PER_S))
		return pl_err_nomem(r->err);
	return 0;
}

/* Lines of others (the launcher, NCCL) between those of the table are
 * ignored. */
static int take_line(struct reader *r, struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	if (!pl_line_next(&copy, &word))
		return 0;
	if (word.s[0] == '#') {
		take_comment(r, line);
		return 0;
	}
	if (word.s[0] < '0' || word.s[0] > '9' || r->columns.n == 0)
		return 0;
	if (r->n_ranks < 2)
		return pl_err_at(r->err, word.place,
				 "of how many ranks? Add lines \"# Rank 0 "
				 "...\", or one line \"# ranks 8\"");
	return take_row(r, line);
}

static int parse_nccl_tests(struct pl_busbw_world *world, struct pl_text *text,
			    struct pl_err *err)
{
	struct reader r = {.world = world, .err = err};
	const struct pl_place whole = {.file = text->name};
	struct pl_line line;

	while (pl_text_next(text, &line))
		if (take_line(&r, &line))
			return -1;
	if (world->n == 0)
		return pl_err_at(err, whole,
				 "the file has no row of an nccl-tests table");
	world->n_ranks = r.n_ranks;
	return 0;
}

/* Is the word this one and a colon, perhaps with a comma before it? */
static bool is_key(const struct pl_word *word, const char *key)
{
	const size_t len = strlen(key);
	size_t n = word->len;

	if (n == 0 || word->s[n - 1] != ':')
		return false;
	n -= n > 1 && word->s[n - 2] == ',' ? 2 : 1;
	return n == len && memcmp(word->s, key, len) == 0;
}

/* "allreduce,: 300", of whatever size and number of ranks. */
static int take_bandwidth(struct pl_busbw_world *world,
			  const struct pl_word *key, struct pl_line *line,
			  struct pl_err *err)
{
	struct pl_word word;
	double gb;

	if (!pl_line_next(line, &word) || pl_word_is(&word, "null"))
		return pl_err_at(err, key->place,
				 "no bandwidth of all-reduces in this section");
	if (!is_number(&word, BANDWIDTH_MAX / GIGA, &gb) || gb == 0)
		return pl_err_at(err, word.place, "this is not a bandwidth");
	if (pl_busbw_add_size(world, 1, gb * GIGA))
		return pl_err_nomem(err);
	return 0;
}

static int parse_simai(struct pl_busbw_world *world, struct pl_text *text,
		       const char *section, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_line line;
	struct pl_word word, more;
	bool here = false;

	while (world->n == 0 && pl_text_next(text, &line)) {
		struct pl_line rest;

		if (!pl_line_next(&line, &word))
			continue;
		rest = line;
		if (!pl_line_next(&rest, &more) && word.s[word.len - 1] == ':')
			here = is_key(&word, section);
		else if (here && is_key(&word, "allreduce") &&
			 take_bandwidth(world, &word, &line, err))
			return -1;
	}
	if (world->n)
		return 0;
	return pl_err_at(err, whole,
			 "no bandwidth of all-reduces in a section \"%s:\"",
			 section);
}

/* Does any line look like the heading of a table of nccl-tests? */
static bool is_nccl_tests(struct pl_text *text)
{
	const size_t pos = text->pos;
	struct pl_line line;
	struct pl_word word;
	bool found = false;

	while (!found && pl_text_next(text, &line))
		found = pl_line_next(&line, &word) && pl_word_is(&word, "#") &&
			pl_line_next(&line, &word) && pl_word_is(&word, "size");
	text->pos = pos;
	text->line = 0;
	return found;
}

int pl_busbw_parse(struct pl_busbw *t, struct pl_text *text,
		   const char *section, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_busbw_world world = {0};
	struct pl_err why = {0};
	int rc = is_nccl_tests(text) ? parse_nccl_tests(&world, text, err)
				     : parse_simai(&world, text, section, err);

	if (rc == 0 && pl_busbw_take(t, &world, &why))
		rc = why.code == PL_EINPUT
			     ? pl_err_at(err, whole, "%s", why.text)
			     : pl_err_nomem(err);
	if (rc)
		pl_busbw_world_fini(&world);
	return rc;
}

int pl_busbw_read(struct pl_busbw *t, const char *path, const char *section,
		  struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_busbw_parse(t, &text, section, err);
	if (rc)
		pl_kind_blame(&text, "a table of bus bandwidths", err);
	pl_text_fini(&text);
	return rc;
}
