/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-tests.c - what all_reduce_perf of nccl-tests prints */
#include "config.h"

#include "planner/srift/comm/nccl-tests.h"

#include "base/text/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define COLUMNS_MAX 32
#define SIZE_MAX_BYTES 1e15
#define BANDWIDTH_MAX 1e15
#define TIME_MAX_US 1e12
#define US_PER_S 1e6

static bool is_number(const struct pl_word *w, double max, double *out)
{
	return pl_double_parse(w->s, w->len, out) == 0 && *out >= 0 && *out <= max;
}

/* "Rank 3 Group 0 Pid ..." and, for those who write it themselves, "ranks
 * 8". */
static void take_ranks(struct pl_nccl_tests *t, struct pl_line *line, const struct pl_word *first)
{
	const bool all = pl_word_is(first, "ranks");
	struct pl_word word;
	int64_t n, group;

	if (t->has_rows || (!all && !pl_word_is(first, "Rank")) || !pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, all, PL_NCCL_RANKS_MAX - 1, &n))
		return;
	if ((size_t)(n + !all) > t->n_ranks)
		t->n_ranks = (size_t)(n + !all);
	if (all || !pl_line_next(line, &word) || !pl_word_is(&word, "Group") ||
	    !pl_line_next(line, &word) || pl_int_parse(word.s, word.len, 0, INT64_MAX, &group))
		return;
	t->n_first += group == 0;
	t->split |= group != 0;
}

size_t pl_nccl_tests_ranks(const struct pl_nccl_tests *t)
{
	return t->split ? t->n_first : t->n_ranks;
}

/* "size count type redop root time algbw busbw #wrong time ...": of columns that come twice the
 * last one, which is in place. */
static void take_columns(struct pl_nccl_tests *t, struct pl_line *line)
{
	struct pl_nccl_tests c = {.column = {1, -1, -1, -1, -1}};
	struct pl_word word;

	for (; pl_line_next(line, &word) && c.column.n < COLUMNS_MAX; c.column.n++) {
		if (pl_word_is(&word, "redop"))
			c.column.redop = c.column.n;
		else if (pl_word_is(&word, "time"))
			c.column.time = c.column.n;
		else if (pl_word_is(&word, "algbw"))
			c.column.algbw = c.column.n;
		else if (pl_word_is(&word, "busbw"))
			c.column.busbw = c.column.n;
	}
	if (c.column.time > 0 && c.column.algbw > 0 && c.column.busbw > 0)
		t->column = c.column;
}

static void take_comment(struct pl_nccl_tests *t, struct pl_line *line)
{
	struct pl_word word;

	if (!pl_line_next(line, &word) || !pl_word_is(&word, "#") || !pl_line_next(line, &word))
		return;
	if (pl_word_is(&word, "size"))
		take_columns(t, line);
	else
		take_ranks(t, line, &word);
}

/* Other collectives have other factors between the two bandwidths, which are told with two
 * decimals. */
static int check_collective(const struct pl_nccl_tests *t, const struct pl_word *word,
			    struct pl_err *err)
{
	const double n = (double)pl_nccl_tests_ranks(t);
	double algbw, busbw;

	if (t->column.redop > 0 && pl_word_is(&word[t->column.redop], "none"))
		return pl_err_at(err, word[t->column.redop].place, "this is not an all-reduce");
	if (!is_number(&word[t->column.algbw], BANDWIDTH_MAX, &algbw) ||
	    !is_number(&word[t->column.busbw], BANDWIDTH_MAX, &busbw))
		return pl_err_at(err, word[t->column.algbw].place, "these are not bandwidths");
	if (fabs(busbw - algbw * 2 * (n - 1) / n) <= 0.02 + 0.01 * busbw)
		return 0;
	return pl_err_at(err, word[t->column.busbw].place,
			 "bandwidths of %g and %g GB/s are not those of an all-reduce of %zu ranks",
			 algbw, busbw, pl_nccl_tests_ranks(t));
}

static int take_row(const struct pl_nccl_tests *t, struct pl_line *line, struct pl_nccl_row *row,
		    struct pl_err *err)
{
	struct pl_word word[COLUMNS_MAX];
	double us;
	int n = 0;

	while (n < t->column.n && pl_line_next(line, &word[n]))
		n++;
	if (n < t->column.n)
		return pl_err_at(err, pl_line_place(line), "the line ends after %d of %d columns",
				 n, t->column.n);
	if (!is_number(&word[0], SIZE_MAX_BYTES, &row->bytes))
		return pl_err_at(err, word[0].place, "this is not a size");
	if (!is_number(&word[t->column.time], TIME_MAX_US, &us) || us == 0)
		return pl_err_at(err, word[t->column.time].place, "this is not a time");
	row->seconds = us / US_PER_S;
	return check_collective(t, word, err) ? -1 : row->bytes > 0;
}

/* Where "# WORD" begins in the line; its length if nowhere. */
static size_t mark_at(const struct pl_line *line, const char *word)
{
	for (size_t i = 0; i < line->len; i++) {
		struct pl_line copy = *line;
		struct pl_word mark, next;

		copy.pos = i;
		if (line->s[i] == '#' && pl_line_next(&copy, &mark) && mark.len == 1 &&
		    pl_line_next(&copy, &next) && pl_word_is(&next, word))
			return i;
	}
	return line->len;
}

bool pl_nccl_tests_is_heading(const struct pl_line *line)
{
	return mark_at(line, "size") < line->len;
}

static char kind_of(char c)
{
	return isdigit((unsigned char)c) ? '0' : isalpha((unsigned char)c) ? 'a' : c;
}

/* Passes over the prefix of the table's lines: times differ from line to line, but not in their
 * form. */
static void skip_prefix(const struct pl_nccl_tests *t, struct pl_line *line)
{
	size_t i = 0;

	while (i < t->prefix.len && i < line->len && kind_of(line->s[i]) == kind_of(t->prefix.s[i]))
		i++;
	if (i == t->prefix.len)
		line->pos = i;
}

static void find_prefix(struct pl_nccl_tests *t, const struct pl_line *line)
{
	size_t at = mark_at(line, "size");

	if (at == line->len)
		at = mark_at(line, "Rank");
	if (at == line->len)
		return;
	t->prefix = *line;
	t->prefix.len = strspn(line->s, " \t") < at ? at : 0;
}

/* A size and a count: lines of the launcher and of NCCL, which come in between, may begin with a
 * number, too (the name of a container, an address). */
static bool is_row(struct pl_line line)
{
	struct pl_word word;
	int64_t n;

	for (int i = 0; i < 2; i++)
		if (!pl_line_next(&line, &word) || pl_int_parse(word.s, word.len, 0, INT64_MAX, &n))
			return false;
	return true;
}

int pl_nccl_tests_line(struct pl_nccl_tests *t, struct pl_line *line, struct pl_nccl_row *row,
		       struct pl_err *err)
{
	struct pl_line copy;

	find_prefix(t, line);
	skip_prefix(t, line);
	pl_line_skip(line);
	if (line->pos < line->len && line->s[line->pos] == '#') {
		take_comment(t, line);
		return 0;
	}
	copy = *line;
	if (t->column.n == 0 || !is_row(copy))
		return 0;
	if (pl_nccl_tests_ranks(t) < 2)
		return pl_err_at(
			err, pl_line_place(line),
			"of how many ranks? Add lines \"# Rank 0 ...\", or one line \"# ranks 8\"");
	t->has_rows = true;
	return take_row(t, line, row, err);
}
