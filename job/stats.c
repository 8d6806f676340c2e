/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - the reader of plink-stats(5) files */
#include "config.h"

#include "job/stats.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATS_MAX ((size_t)64 << 20)

static const char mark[] = "# plink-stats ";

void pl_stats_fini(struct pl_stats *s)
{
	for (size_t g = 0; g < s->n_groups; g++)
		free(s->group[g].rank);
	free(s->group);
	free(s->member);
	free(s->message);
	free(s->row);
	memset(s, 0, sizeof(*s));
}

/* JSON is recognised by its first key. */
bool pl_stats_is(const struct pl_text *text)
{
	const char *data = text->data + text->pos;

	if (*data == '{')
		return strncmp(data + 1 + strspn(data + 1, " \t\r\n"), "\"plink_stats\"", 13) == 0;
	return strncmp(data, mark, sizeof(mark) - 1) == 0;
}

static int add(struct pl_stats *s, const struct pl_stats_line *row, struct pl_err *err)
{
	if (pl_array_grow((void **)&s->row, &s->room, s->n, sizeof(*s->row)))
		return pl_err_nomem(err);
	s->row[s->n++] = *row;
	return 0;
}

/* Begins the next communicator. */
static int begin_group(struct pl_stats *s, size_t room, struct pl_err *err)
{
	if (pl_array_grow((void **)&s->group, &s->group_room, s->n_groups, sizeof(*s->group)))
		return pl_err_nomem(err);
	s->group[s->n_groups] =
		(struct pl_stats_members){.rank = pl_array_create(room, sizeof(uint32_t))};
	if (!s->group[s->n_groups].rank)
		return pl_err_nomem(err);
	s->n_groups++;
	return 0;
}

static int refuse_group(struct pl_place place, const struct pl_stats *s, struct pl_err *err)
{
	return pl_err_at(err, place, "communicator %zu must be here, with its ranks",
			 s->n_groups + 1);
}

/* "# communicator 3 0 4 8": numbered from 1, in this order. */
static int take_group(struct pl_stats *s, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);
	struct pl_word word;
	int64_t number;

	if (!pl_line_next(line, &word) || pl_int_parse(word.s, word.len, 1, INT64_MAX, &number) ||
	    (size_t)number != s->n_groups + 1)
		return refuse_group(place, s, err);
	if (begin_group(s, line->len / 2 + 1, err))
		return -1;
	while (pl_line_next(line, &word)) {
		struct pl_stats_members *g = &s->group[s->n_groups - 1];

		if (pl_int_parse(word.s, word.len, 0, INT32_MAX, &number))
			return pl_err_at(err, word.place, "not a rank");
		g->rank[g->n++] = (uint32_t)number;
	}
	return 0;
}

static int add_member(struct pl_stats *s, const struct pl_stats_member *member, struct pl_err *err)
{
	if (pl_array_grow((void **)&s->member, &s->member_room, s->n_members, sizeof(*s->member)))
		return pl_err_nomem(err);
	s->member[s->n_members++] = *member;
	return 0;
}

static int add_sent(struct pl_stats *s, const struct pl_stats_message *sent, struct pl_err *err)
{
	if (pl_array_grow((void **)&s->message, &s->message_room, s->n_messages,
			  sizeof(*s->message)))
		return pl_err_nomem(err);
	s->message[s->n_messages++] = *sent;
	return 0;
}

/* The next numbers of the line, each from 0 on. -1: they are not there. */
static int take_numbers(struct pl_line *line, int64_t *number, size_t n)
{
	struct pl_word word;

	for (size_t i = 0; i < n; i++)
		if (!pl_line_next(line, &word) ||
		    pl_int_parse(word.s, word.len, 0, INT64_MAX, &number[i]))
			return -1;
	return 0;
}

/* "# member 1 8c5f2b60aa17d3e4 0 4 2 dp": its number, its id, the rank of this process, ranks,
 * nodes, its name. */
static int take_member(struct pl_stats *s, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);
	struct pl_stats_member member = {0};
	struct pl_word id, name;
	int64_t number[4];

	if (take_numbers(line, number, 1) || !pl_line_next(line, &id) ||
	    id.len >= sizeof(member.id) || take_numbers(line, number + 1, 3) ||
	    number[0] != (int64_t)s->n_members + 1 || number[1] > INT32_MAX ||
	    number[2] > INT32_MAX)
		return pl_err_at(err, place,
				 "communicator %zu must be here, with id, rank, ranks and nodes",
				 s->n_members + 1);
	memcpy(member.id, id.s, id.len);
	member.rank = number[1];
	member.ranks = number[2];
	name = pl_line_rest(line);
	snprintf(member.name, sizeof(member.name), "%.*s", (int)name.len, name.s);
	return add_member(s, &member, err);
}

/* "# sent 1 3 20 81920": to rank 3 of communicator 1, in 20 calls. */
static int take_sent(struct pl_stats *s, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);
	int64_t n[4];

	if (take_numbers(line, n, 4) || n[0] < 1 || n[0] > (int64_t)s->n_members)
		return pl_err_at(err, place,
				 "a communicator, a rank, calls and bytes must be here");
	return add_sent(
		s,
		&(struct pl_stats_message){
			.member = (size_t)n[0] - 1, .rank = n[1], .calls = n[2], .bytes = n[3]},
		err);
}

/* Reads "# key value"; uses some of the keys. */
static int take_key(struct pl_stats *s, struct pl_line *line, struct pl_err *err)
{
	struct pl_word key, value;

	if (!pl_line_next(line, &key))
		return 0;
	if (pl_word_is(&key, "communicator"))
		return take_group(s, line, err);
	if (pl_word_is(&key, "member"))
		return take_member(s, line, err);
	if (pl_word_is(&key, "sent"))
		return take_sent(s, line, err);
	value = pl_line_rest(line);
	if (pl_word_is(&key, "by"))
		snprintf(s->by, sizeof(s->by), "%.*s", (int)value.len, value.s);
	else if (pl_word_is(&key, "mode"))
		snprintf(s->mode, sizeof(s->mode), "%.*s", (int)value.len, value.s);
	else if (pl_word_is(&key, "started"))
		snprintf(s->started, sizeof(s->started), "%.*s", (int)value.len, value.s);
	else if (pl_word_is(&key, "ranks"))
		pl_int_parse(value.s, value.len, 0, INT64_MAX, &s->ranks);
	else if (pl_word_is(&key, "rank"))
		pl_int_parse(value.s, value.len, 0, INT64_MAX, &s->rank);
	return 0;
}

/* "world", "other", or a number. 0; 1 if it is none of these. */
static int find_group(const struct pl_stats *s, const char *text, size_t len, size_t *group)
{
	int64_t number;

	*group = PL_STATS_UNKNOWN;
	if (len == 5 && memcmp(text, "world", 5) == 0)
		*group = PL_STATS_WORLD;
	else if (pl_int_parse(text, len, 1, (int64_t)(s->n_groups ? s->n_groups : s->n_members),
			      &number) == 0)
		*group = (size_t)number - 1;
	else if (len != 5 || memcmp(text, "other", 5) != 0)
		return 1;
	return 0;
}

/* A file may lack them: then the column has something else. */
static int take_seconds(struct pl_stats_line *row, const struct pl_word *word, struct pl_err *err)
{
	if (pl_double_parse(word->s, word->len, &row->seconds))
		row->seconds = NAN;
	return row->seconds < 0 || isinf(row->seconds)
		       ? pl_err_at(err, word->place, "\"%.*s\" is no number of seconds",
				   (int)(word->len < 40 ? word->len : 40), word->s)
		       : 0;
}

/* Columns: function kind ranks least most calls bytes processes
 * seconds_mean. */
static int take_column(struct pl_stats_line *row, size_t i, const struct pl_word *word,
		       struct pl_err *err)
{
	int64_t *const number[] = {NULL, NULL,        &row->ranks, NULL,
				   NULL, &row->calls, &row->bytes, &row->processes};

	if (i == 0)
		snprintf(row->function, sizeof(row->function), "%.*s", (int)word->len, word->s);
	else if (i == 1)
		snprintf(row->kind, sizeof(row->kind), "%.*s", (int)word->len, word->s);
	else if (i == 8)
		return take_seconds(row, word, err);
	/* the last class of sizes has no upper limit */
	else if (number[i] && pl_int_parse(word->s, word->len, 0, INT64_MAX, number[i]))
		return pl_err_at(err, word->place, "\"%.*s\" is not a whole number",
				 (int)(word->len < 40 ? word->len : 40), word->s);
	return 0;
}

/* The line with the names of the columns: which one is the communicator's. */
static void take_names(struct pl_line *line, size_t *group_column)
{
	struct pl_word word;

	*group_column = 0;
	for (size_t i = 1; pl_line_next(line, &word); i++)
		if (pl_word_is(&word, "communicator"))
			*group_column = i;
}

static int take_line(struct pl_stats *s, struct pl_line *line, size_t *group_column,
		     struct pl_err *err)
{
	struct pl_stats_line row = {.seconds = NAN, .group = PL_STATS_UNKNOWN};
	struct pl_word word;
	size_t i = 0;

	if (!pl_line_next(line, &word))
		return 0;
	if (word.s[0] == '#')
		return take_key(s, line, err);
	if (pl_word_is(&word, "collective")) {
		take_names(line, group_column);
		return 0;
	}
	do {
		if (i < 9 && take_column(&row, i, &word, err))
			return -1;
		if (i > 8 && i == *group_column && find_group(s, word.s, word.len, &row.group))
			return pl_err_at(
				err, word.place,
				"not \"world\", \"other\" or the number of a communicator");
		i++;
	} while (pl_line_next(line, &word));
	if (i < 8)
		return pl_err_at(
			err, pl_line_place(line),
			"a row has 8 columns at least: this is not a file of plink-stats(5)");
	return add(s, &row, err);
}

static int take_text(struct pl_stats *s, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;
	size_t group_column = 0;
	bool first = true;

	while (pl_text_next(text, &line)) {
		if (first && (line.len != 15 || memcmp(line.s, "# plink-stats 1", 15)))
			return pl_err_at(err, pl_line_place(&line),
					 "not a file of plink-stats(5), version 1");
		first = false;
		if (take_line(s, &line, &group_column, err))
			return -1;
	}
	return 0;
}

static void take_string(char *to, size_t room, const json_t *from, const char *key)
{
	const char *value = json_string_value(json_object_get(from, key));

	snprintf(to, room, "%s", value ? value : "");
}

/* A member of a row; it may be missing. False where it is no count. */
static bool take_count(int64_t *to, const json_t *row, const char *key)
{
	const json_t *value = json_object_get(row, key);

	*to = json_integer_value(value);
	return !value || (json_is_integer(value) && *to >= 0);
}

static bool take_row(struct pl_stats_line *row, const json_t *from)
{
	const json_t *seconds = json_object_get(from, "seconds_mean");

	row->seconds = json_is_number(seconds) ? json_number_value(seconds) : NAN;
	take_string(row->function, sizeof(row->function), from, "collective");
	take_string(row->kind, sizeof(row->kind), from, "kind");
	return take_count(&row->ranks, from, "ranks") && take_count(&row->calls, from, "calls") &&
	       take_count(&row->bytes, from, "bytes") &&
	       take_count(&row->processes, from, "processes") && !(row->seconds < 0);
}

/* {"1": [0, 4, 8], ...} */
static int take_groups(struct pl_stats *s, const json_t *all, struct pl_place place,
		       struct pl_err *err)
{
	const json_t *list = json_object_get(all, "communicators"), *rank;
	char key[24];
	size_t i;

	while (s->n_groups < json_object_size(list)) {
		const json_t *group;

		snprintf(key, sizeof(key), "%zu", s->n_groups + 1);
		group = json_object_get(list, key);
		if (!json_is_array(group))
			return refuse_group(place, s, err);
		if (begin_group(s, json_array_size(group) + 1, err))
			return -1;
		json_array_foreach(group, i, rank)
		{
			const json_int_t r = json_integer_value(rank);

			if (!json_is_integer(rank) || r < 0 || r > INT32_MAX)
				return refuse_group(place, s, err);
			s->group[s->n_groups - 1].rank[i] = (uint32_t)r;
		}
		s->group[s->n_groups - 1].n = json_array_size(group);
	}
	return 0;
}

/* [[3, 20, 81920], ...]: to rank 3, in 20 calls. */
static int take_json_messages(struct pl_stats *s, const json_t *list, struct pl_place place,
			      struct pl_err *err)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		struct pl_stats_message sent = {
			.member = s->n_members - 1,
			.rank = json_integer_value(json_array_get(one, 0)),
			.calls = json_integer_value(json_array_get(one, 1)),
			.bytes = json_integer_value(json_array_get(one, 2)),
		};

		if (json_array_size(one) != 3 || sent.rank < 0 || sent.calls < 0 || sent.bytes < 0)
			return pl_err_at(err, place,
					 "member %zu: \"sent\" must have a rank, calls and bytes",
					 s->n_members);
		if (add_sent(s, &sent, err))
			return -1;
	}
	return 0;
}

static int take_members(struct pl_stats *s, const json_t *all, struct pl_place place,
			struct pl_err *err)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(all, "members"), i, one)
	{
		struct pl_stats_member member;

		take_string(member.id, sizeof(member.id), one, "id");
		take_string(member.name, sizeof(member.name), one, "name");
		if (!take_count(&member.rank, one, "rank") ||
		    !take_count(&member.ranks, one, "ranks") || member.rank > INT32_MAX ||
		    member.ranks > INT32_MAX)
			return pl_err_at(err, place, "member %zu: no rank, or no ranks", i + 1);
		if (add_member(s, &member, err) ||
		    take_json_messages(s, json_object_get(one, "sent"), place, err))
			return -1;
	}
	return 0;
}

static int take_rows(struct pl_stats *s, const json_t *all, struct pl_place place,
		     struct pl_err *err)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(all, "rows"), i, row)
	{
		struct pl_stats_line found;
		const char *group;

		if (!take_row(&found, row))
			return pl_err_at(
				err, place,
				"row %zu: its numbers must be counts, and seconds_mean not below 0",
				i + 1);
		group = json_string_value(json_object_get(row, "communicator"));
		found.group = PL_STATS_UNKNOWN;
		if (group && find_group(s, group, strlen(group), &found.group))
			return pl_err_at(err, place, "row %zu: no such communicator", i + 1);
		if (add(s, &found, err))
			return -1;
	}
	return 0;
}

static int take_json(struct pl_stats *s, const struct pl_text *text, struct pl_err *err)
{
	json_error_t why;
	json_t *all = json_loadb(text->data, text->len, 0, &why);
	struct pl_place place = {.file = text->name};
	int rc;

	if (!all) {
		place.line = why.line;
		place.col = why.column;
		return pl_err_at(err, place, "%s", why.text);
	}
	take_string(s->by, sizeof(s->by), all, "by");
	take_string(s->mode, sizeof(s->mode), all, "mode");
	take_string(s->started, sizeof(s->started), all, "started");
	s->ranks = json_integer_value(json_object_get(all, "ranks"));
	if (json_is_integer(json_object_get(all, "rank")))
		s->rank = json_integer_value(json_object_get(all, "rank"));
	if (!json_is_array(json_object_get(all, "rows")) ||
	    json_integer_value(json_object_get(all, "plink_stats")) != 1)
		rc = pl_err_at(err, place, "not a file of plink-stats(5), version 1");
	else
		rc = take_groups(s, all, place, err) || take_members(s, all, place, err) ||
				     take_rows(s, all, place, err)
			     ? -1
			     : 0;
	json_decref(all);
	return rc;
}

int pl_stats_parse(struct pl_stats *s, struct pl_text *text, struct pl_err *err)
{
	int rc;

	s->rank = -1;
	rc = text->len > 0 && text->data[text->pos] == '{' ? take_json(s, text, err)
							   : take_text(s, text, err);
	if (rc)
		pl_stats_fini(s);
	return rc;
}

int pl_stats_read(struct pl_stats *s, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, STATS_MAX, err))
		return -1;
	rc = pl_stats_parse(s, &text, err);
	if (rc)
		pl_kind_blame(&text, PL_KIND_STATS, err);
	pl_text_fini(&text);
	return rc;
}
