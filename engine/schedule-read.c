/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-read.c - the reader of schedules (plink-schedule(5)); needs libc only */
#include "config.h"

#include "engine/schedule.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct pl_schedules *s;
	size_t n_ranks;
	uint32_t round; /* of the next line of the slice */
	struct pl_slice slice;
	bool in_slice;
};

/* The slice that is being read goes to its schedule. */
static int end_slice(struct reader *r, struct pl_err *err)
{
	struct pl_slices *slices;

	if (!r->in_slice)
		return 0;
	slices = &r->s->schedule[r->s->n - 1].slices;
	r->in_slice = false;
	if (pl_slices_add_take(slices, &r->slice, PL_SLICE_ALL) == 0) {
		r->slice = (struct pl_slice){0};
		return 0;
	}
	pl_slice_fini(&r->slice);
	return pl_err_nomem(err);
}

/* "LO-HI", or "LO-" where there is no limit. */
static bool parse_sizes(const struct pl_word *word, struct pl_schedule *s)
{
	const char *dash = word->len ? memchr(word->s, '-', word->len) : NULL;
	const size_t len = dash ? (size_t)(dash - word->s) : 0;

	s->size_max = UINT64_MAX;
	if (!dash || pl_uint_parse(word->s, len, UINT64_MAX, &s->size_min))
		return false;
	if (len + 1 < word->len &&
	    pl_uint_parse(dash + 1, word->len - len - 1, UINT64_MAX, &s->size_max))
		return false;
	return s->size_min <= s->size_max;
}

/* A word "@key=N", from @min to 2^31 - 1. */
static int read_number(struct pl_line *line, const char *key, int64_t min, size_t *to,
		       struct pl_err *err)
{
	struct pl_word word = {.place = pl_line_place(line)}, value;
	int64_t number;

	if (!pl_line_next(line, &word) || !pl_word_value(&word, key, &value) ||
	    pl_int_parse(value.s, value.len, min, INT_MAX, &number))
		return pl_err_at(err, word.place, "%s=N must stand here, from %lld to %d", key,
				 (long long)min, INT_MAX);
	*to = (size_t)number;
	return 0;
}

/* [merge=arrival], and the end of the line. */
static int read_merge(struct pl_line *line, bool *any_order, struct pl_err *err)
{
	struct pl_word word, value;

	if (!pl_line_next(line, &word))
		return 0;
	if (!pl_word_value(&word, "merge", &value) || !pl_word_is(&value, "arrival"))
		return pl_err_at(err, word.place, "only merge=arrival may stand here");
	*any_order = true;
	return pl_line_end(line, err);
}

/* schedule ALGORITHM LO-HI chunk=N window=N [merge=arrival] */
static int read_schedule(struct reader *r, struct pl_line *line, struct pl_err *err)
{
	struct pl_word name = {.place = pl_line_place(line)}, sizes;
	struct pl_schedule s = {0};

	if (!pl_line_next(line, &name) || !pl_plan_is_word(name.s, name.len))
		return pl_err_at(err, name.place, "the name of an algorithm must stand here");
	sizes = (struct pl_word){.place = pl_line_place(line)};
	if (!pl_line_next(line, &sizes) || !parse_sizes(&sizes, &s))
		return pl_err_at(err, sizes.place,
				 "sizes in bytes must stand here, as in 65536- or 0-65535");
	if (read_number(line, "chunk", 1, &s.chunk_bytes, err) ||
	    read_number(line, "window", 0, &s.window, err) || read_merge(line, &s.any_order, err) ||
	    end_slice(r, err))
		return -1;
	s.algorithm = pl_string_copy(name.s, name.len);
	if (s.algorithm && pl_schedules_add_take(r->s, &s) == 0)
		return 0;
	free(s.algorithm);
	return pl_err_nomem(err);
}

/* connections N */
static int read_connections(struct reader *r, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word = {.place = pl_line_place(line)};
	int64_t number;

	if (r->s->n > 0 || r->s->n_connections > 0)
		return pl_err_at(err, word.place,
				 "connections stand once, before the first schedule");
	if (!pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, 1, PL_CONNECTIONS_MAX, &number))
		return pl_err_at(err, word.place, "a number from 1 to %d must stand here",
				 PL_CONNECTIONS_MAX);
	r->s->n_connections = (size_t)number;
	return pl_line_end(line, err);
}

/* aggregator NAME */
static int read_aggregator(struct reader *r, struct pl_line *line, struct pl_err *err)
{
	struct pl_schedules *s = r->s;
	struct pl_word name = {.place = pl_line_place(line)};
	void *array = s->aggregator;

	if (s->n > 0)
		return pl_err_at(err, name.place, "aggregators stand before the first schedule");
	if (!pl_line_next(line, &name) || !pl_plan_is_word(name.s, name.len))
		return pl_err_at(err, name.place, "the name of a host must stand here");
	for (size_t i = 0; i < s->n_aggregators; i++)
		if (pl_word_is(&name, s->aggregator[i]))
			return pl_err_at(err, name.place, "aggregator \"%s\" stands here twice",
					 s->aggregator[i]);
	if (pl_array_grow(&array, &s->aggregators_room, s->n_aggregators, sizeof(*s->aggregator)))
		return pl_err_nomem(err);
	s->aggregator = array;
	s->aggregator[s->n_aggregators] = pl_string_copy(name.s, name.len);
	if (!s->aggregator[s->n_aggregators])
		return pl_err_nomem(err);
	s->n_aggregators++;
	return pl_line_end(line, err);
}

/* tune [change=PCT] */
static int read_tune(struct reader *r, const struct pl_word *word, struct pl_line *line,
		     struct pl_err *err)
{
	struct pl_word change, value;
	int64_t percent = 0;

	if (r->s->n > 0)
		return pl_err_at(err, word->place, "\"tune\" stands before the first schedule");
	if (pl_line_next(line, &change) &&
	    (!pl_word_value(&change, "change", &value) ||
	     pl_int_parse(value.s, value.len, 1, PL_TUNE_PERCENT_MAX, &percent)))
		return pl_err_at(err, change.place, "only change=PCT may stand here, from 1 to %d",
				 PL_TUNE_PERCENT_MAX);
	r->s->is_tuned = true;
	r->s->tune_percent = (unsigned)percent;
	return pl_line_end(line, err);
}

/* Counts the words that are left in a line; a plain value. */
static size_t count_words(struct pl_line line)
{
	struct pl_word word;
	size_t n = 0;

	while (pl_line_next(&line, &word))
		n++;
	return n;
}

/* Has every group a member? */
static int check_groups(const struct pl_schedule *s, size_t n_ranks, const struct pl_word *word,
			struct pl_err *err)
{
	for (size_t g = n_ranks; g < s->n_nodes; g++) {
		size_t v = 0;

		while (v < g && s->parent[v] != g)
			v++;
		if (v == g)
			return pl_err_at(err, word->place, "nothing is in group %zu", g);
	}
	return 0;
}

/* tree GROUP... */
static int read_tree(struct reader *r, const struct pl_word *word, struct pl_line *line,
		     struct pl_err *err)
{
	struct pl_schedule *s = r->s->n > 0 ? &r->s->schedule[r->s->n - 1] : NULL;
	const size_t n = count_words(*line);
	struct pl_word group;

	if (!s || r->in_slice || s->slices.n > 0 || s->n_nodes > 0)
		return pl_err_at(err, word->place,
				 "a tree stands between a schedule and its first slice");
	if (n < r->n_ranks || n > 2 * r->n_ranks)
		return pl_err_at(err, word->place,
				 "%zu groups of %zu processes and of groups: from one for each "
				 "process to twice as many must stand here",
				 n, r->n_ranks);
	s->parent = pl_array_create(n, sizeof(*s->parent));
	if (!s->parent)
		return pl_err_nomem(err);
	s->n_nodes = n + 1;
	for (size_t v = 0; v < n && pl_line_next(line, &group); v++) {
		const size_t least = v < r->n_ranks ? r->n_ranks : v + 1;
		int64_t number;

		if (pl_int_parse(group.s, group.len, (int64_t)least, (int64_t)n, &number))
			return pl_err_at(err, group.place,
					 "a group must stand here, from %zu to %zu", least, n);
		s->parent[v] = (uint32_t)number;
	}
	return check_groups(s, r->n_ranks, word, err);
}

/* slice WEIGHT */
static int read_slice(struct reader *r, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word = {.place = pl_line_place(line)};
	uint64_t weight;

	if (r->s->n == 0)
		return pl_err_at(err, word.place, "a slice before any schedule");
	if (!pl_line_next(line, &word) || pl_uint_parse(word.s, word.len, INT64_MAX, &weight) ||
	    weight == 0)
		return pl_err_at(err, word.place,
				 "a weight must stand here: a whole number from 1 on");
	if (pl_line_end(line, err) || end_slice(r, err))
		return -1;
	r->slice = (struct pl_slice){.weight = weight};
	r->round = 0;
	r->in_slice = true;
	return 0;
}

/* "SRC>DST" */
static bool parse_ranks(const struct reader *r, const struct pl_word *word,
			struct pl_slice_transfer *t)
{
	const char *to = memchr(word->s, '>', word->len);
	const size_t len = to ? (size_t)(to - word->s) : 0;
	const int64_t last = (int64_t)(r->n_ranks + r->s->n_aggregators) - 1;
	int64_t src, dst;

	if (!to || pl_int_parse(word->s, len, 0, last, &src) ||
	    pl_int_parse(to + 1, word->len - len - 1, 0, last, &dst) || src == dst)
		return false;
	t->src = (uint32_t)src;
	t->dst = (uint32_t)dst;
	return true;
}

/* round [add SRC>DST ...] [store SRC>DST ...]; without transfers it is none */
static int read_round(struct reader *r, struct pl_line *line, struct pl_err *err)
{
	struct pl_slice_transfer t = {.round = r->round};
	const size_t n_before = r->slice.n_transfers;
	struct pl_word word = {.place = pl_line_place(line)};
	bool named = false;

	if (!r->in_slice)
		return pl_err_at(err, word.place, "a round before any slice");
	while (pl_line_next(line, &word)) {
		if (pl_word_is(&word, "add") || pl_word_is(&word, "store")) {
			t.adds = word.s[0] == 'a';
			named = true;
			continue;
		}
		if (!named)
			return pl_err_at(err, word.place, "\"add\" or \"store\" must stand here");
		if (!parse_ranks(r, &word, &t))
			return pl_err_at(err, word.place,
					 "two processes must stand here, from 0 to %zu: 0>1",
					 r->n_ranks + r->s->n_aggregators - 1);
		if (pl_slice_append(&r->slice, t))
			return pl_err_nomem(err);
	}
	if (r->slice.n_transfers > n_before)
		r->round++;
	return 0;
}

static int read_line(void *with, const struct pl_word *word, struct pl_line *line,
		     struct pl_err *err)
{
	struct reader *r = with;

	r->n_ranks = pl_hosts_ranks(&r->s->job.hosts);
	if (pl_word_is(word, "aggregator"))
		return read_aggregator(r, line, err);
	if (pl_word_is(word, "connections"))
		return read_connections(r, line, err);
	if (pl_word_is(word, "tune"))
		return read_tune(r, word, line, err);
	if (pl_word_is(word, "schedule"))
		return read_schedule(r, line, err);
	if (pl_word_is(word, "tree"))
		return read_tree(r, word, line, err);
	if (pl_word_is(word, "slice"))
		return read_slice(r, line, err);
	if (pl_word_is(word, "round"))
		return read_round(r, line, err);
	return pl_err_at(
		err, word->place,
		"a line of a schedule starts with \"host\", \"aggregator\", \"connections\", "
		"\"tune\", \"schedule\", \"tree\", \"slice\", \"round\" or \"#\"");
}

static int check_complete(const struct pl_schedules *s, const char *file, struct pl_err *err)
{
	if (s->n == 0)
		return pl_err_at(err, (struct pl_place){.file = file}, "no schedule in this file");
	for (size_t i = 0; i < s->n; i++)
		if (s->schedule[i].slices.n == 0)
			return pl_err_at(err, (struct pl_place){.file = file},
					 "schedule %zu has no slice", i + 1);
	return 0;
}

int pl_schedules_parse(struct pl_schedules *s, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.s = s};
	const struct pl_plan_kin kin = {.type = "plink-schedule", .read = read_line, .with = &r};
	int rc = pl_plan_parse_kin(&s->job, text, &kin, err);

	if (rc == 0)
		rc = end_slice(&r, err);
	if (rc == 0)
		rc = check_complete(s, text->name, err);
	pl_slice_fini(&r.slice);
	if (s->n_connections == 0)
		s->n_connections = 1;
	if (rc)
		pl_schedules_fini(s);
	return rc;
}
