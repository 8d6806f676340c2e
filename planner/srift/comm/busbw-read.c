/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw-read.c - bus bandwidths as nccl-tests and SimAI write them */
#include "config.h"

#include "planner/srift/comm/busbw.h"

#include "base/text/kind.h"
#include "base/text/number.h"
#include "planner/srift/comm/nccl-tests.h"

#include <stdbool.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)
#define GIGA 1e9
#define BANDWIDTH_MAX 1e15

static int parse_nccl_tests(struct pl_busbw_world *world, struct pl_text *text, struct pl_err *err)
{
	struct pl_nccl_tests tests = {.n_ranks = 0};
	const struct pl_place whole = {.file = text->name};
	struct pl_nccl_row row;
	struct pl_line line;
	int rc;

	while (pl_text_next(text, &line)) {
		rc = pl_nccl_tests_line(&tests, &line, &row, err);
		if (rc < 0)
			return -1;
		if (rc > 0 &&
		    pl_busbw_add_size(world, row.bytes,
				      pl_bus_bytes(row.bytes, pl_nccl_tests_ranks(&tests)) /
					      row.seconds))
			return pl_err_nomem(err);
	}
	if (world->n == 0)
		return pl_err_at(err, whole, "the file has no row of an nccl-tests table");
	world->n_ranks = pl_nccl_tests_ranks(&tests);
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
static int take_bandwidth(struct pl_busbw_world *world, const struct pl_word *key,
			  struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;
	double gb;

	if (!pl_line_next(line, &word) || pl_word_is(&word, "null"))
		return pl_err_at(err, key->place, "no bandwidth of all-reduces in this section");
	if (pl_double_parse(word.s, word.len, &gb) || !(gb > 0 && gb <= BANDWIDTH_MAX / GIGA))
		return pl_err_at(err, word.place, "this is not a bandwidth");
	if (pl_busbw_add_size(world, 1, gb * GIGA))
		return pl_err_nomem(err);
	return 0;
}

static int parse_simai(struct pl_busbw_world *world, struct pl_text *text, const char *section,
		       struct pl_err *err)
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
	return pl_err_at(err, whole, "no bandwidth of all-reduces in a section \"%s:\"", section);
}

static bool is_simai(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	return pl_line_next(&copy, &word) && is_key(&word, "allreduce");
}

/* Does any line look like that? */
static bool has_line(const struct pl_text *text, bool (*is)(const struct pl_line *line))
{
	struct pl_text copy = *text;
	struct pl_line line;

	while (pl_text_next(&copy, &line))
		if (is(&line))
			return true;
	return false;
}

static int refuse(const struct pl_text *text, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	const char first = text->data[strspn(text->data, " \t\r\n")];

	if (first == '{' || first == '[')
		return pl_err_at(
			err, whole,
			"JSON is not read here: give the table that all_reduce_perf prints "
			"beside it (-J), or prints without it");
	return pl_err_at(
		err, whole,
		"neither the table of all_reduce_perf (nccl-tests; its heading is \"# size "
		"count type ...\") nor SimAI's busbw.yaml");
}

int pl_busbw_parse(struct pl_busbw *t, struct pl_text *text, const char *section,
		   struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_busbw_world world = {0};
	struct pl_err why = {0};
	int rc;

	if (has_line(text, pl_nccl_tests_is_heading))
		rc = parse_nccl_tests(&world, text, err);
	else if (has_line(text, is_simai))
		rc = parse_simai(&world, text, section, err);
	else
		rc = refuse(text, err);
	if (rc == 0 && pl_busbw_take(t, &world, &why))
		rc = why.code == PL_EINPUT ? pl_err_at(err, whole, "%s", why.text)
					   : pl_err_nomem(err);
	if (rc)
		pl_busbw_world_fini(&world);
	return rc;
}

int pl_busbw_read(struct pl_busbw *t, const char *path, const char *section, struct pl_err *err)
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
