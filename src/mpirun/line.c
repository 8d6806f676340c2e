/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c - the parts of the command line that a user would give to mpirun */
#include "config.h"

#include "src/mpirun/line.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char preload_name[] = "LD_PRELOAD";

/* The index of the word after that option and its arguments. */
static size_t after_option(const struct pl_mpirun_line *line, size_t at)
{
	size_t n = 1 + pl_grammar_args(line->grammar, &line->words[at]);

	for (; n > 0 && line->words[at]; n--)
		at++;
	return at;
}

static bool is_called(const struct pl_grammar_variable *v, const char *name)
{
	return strlen(name) == v->len && memcmp(name, v->name, v->len) == 0;
}

/* Options that would make the job differ from the one that is checked. */
static int check_option(struct pl_mpirun_line *line, size_t at, struct pl_err *err)
{
	const struct pl_grammar *g = line->grammar;
	const char *word = line->words[at];
	struct pl_grammar_variable v;

	if (!g->hydra && pl_grammar_is(g, word, "stdin"))
		line->has_stdin = true;
	if (pl_grammar_is(g, word, g->hydra ? "configfile" : "app"))
		return pl_err_set(
			err, PL_EUSAGE,
			"with %s mpirun takes no other option, so nothing can be preloaded: write "
			"the programs on the command line, with : between them",
			word);
	if (pl_grammar_variable(g, &line->words[at], &v) &&
	    (is_called(&v, "PLINK_PLAN") || is_called(&v, "PLINK_MPI_MODE")))
		return pl_err_set(err, PL_EUSAGE, "%s %.*s: use --plan and --mode instead", word,
				  (int)v.len, v.name);
	return 0;
}

/* Takes the part that starts at app->from. */
static int take_app(struct pl_mpirun_line *line, struct pl_line_app *app, struct pl_err *err)
{
	char *const *words = line->words;
	size_t at = app->from;

	while (words[at] && words[at][0] == '-') {
		if (strcmp(words[at], "--") == 0) {
			at++;
			break;
		}
		if (check_option(line, at, err))
			return -1;
		at = after_option(line, at);
	}
	app->program = at;
	while (words[at] && strcmp(words[at], ":") != 0)
		at++;
	app->end = at;
	if (app->program < app->end)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "no program%s%s", at ? " after " : " is given",
			  at ? words[at - 1] : "");
}

int pl_mpirun_line_parse(struct pl_mpirun_line *line, const struct pl_grammar *grammar,
			 char *const *words, struct pl_err *err)
{
	size_t from = 0;

	line->grammar = grammar;
	line->words = words;
	for (;;) {
		struct pl_line_app app = {.from = from};

		if (take_app(line, &app, err))
			goto fail;
		if (pl_array_grow((void **)&line->app, &line->room, line->n_apps,
				  sizeof(*line->app))) {
			pl_err_nomem(err);
			goto fail;
		}
		line->app[line->n_apps++] = app;
		if (!words[app.end])
			return 0;
		from = app.end + 1;
	}
fail:
	pl_mpirun_line_fini(line);
	return -1;
}

void pl_mpirun_line_fini(struct pl_mpirun_line *line)
{
	free(line->app);
	*line = (struct pl_mpirun_line){0};
}

static bool is_preload(const struct pl_mpirun_line *line, size_t at, struct pl_grammar_variable *v)
{
	return pl_grammar_variable(line->grammar, &line->words[at], v) &&
	       is_called(v, preload_name);
}

/* The last value that options of @app give to LD_PRELOAD, or else @value. */
static const char *preload_of(const struct pl_mpirun_line *line, const struct pl_line_app *app,
			      bool for_all, const char *value)
{
	struct pl_grammar_variable v;

	for (size_t at = app->from; at < app->program; at = after_option(line, at))
		if (is_preload(line, at, &v) && v.for_all == for_all && v.value)
			value = v.value;
	return value;
}

/* The value that the program would have been started with, or "". */
static const char *preloaded(const struct pl_mpirun_line *line, const struct pl_line_app *app)
{
	const char *value = getenv(preload_name);

	for (size_t i = 0; i < line->n_apps; i++)
		value = preload_of(line, &line->app[i], true, value);
	value = preload_of(line, app, false, value);
	return value ? value : "";
}

static void add_variable(const struct pl_mpirun_line *line, const char *name, const char *value,
			 struct pl_words *out)
{
	if (line->grammar->hydra) {
		pl_words_add(out, "-env");
		pl_words_add(out, name);
		pl_words_add(out, value);
	} else {
		pl_words_add(out, "-x");
		pl_words_add_pair(out, name, value);
	}
}

/* "NAME=VALUE" */
static void add_entry(const struct pl_mpirun_line *line, const char *entry, struct pl_words *out)
{
	const size_t len = strcspn(entry, "=");
	char *name = pl_string_copy(entry, len);

	if (name)
		add_variable(line, name, entry + len + 1, out);
	else
		out->failed = true;
	free(name);
}

/* A tool that wraps MPI functions comes before the library. */
static void add_preload(const struct pl_mpirun_line *line, const struct pl_line_app *app,
			const char *preload, struct pl_words *out)
{
	const char *before = preloaded(line, app);
	const size_t room = strlen(before) + strlen(preload) + 2;
	char *both = malloc(room);

	if (!both) {
		out->failed = true;
		return;
	}
	snprintf(both, room, "%s%s%s", before, *before ? ":" : "", preload);
	add_variable(line, preload_name, both, out);
	free(both);
}

static void add_options(const struct pl_mpirun_line *line, const struct pl_line_app *app,
			struct pl_words *out)
{
	struct pl_grammar_variable v;

	for (size_t at = app->from, next; at < app->program; at = next) {
		next = after_option(line, at);
		if (!is_preload(line, at, &v))
			pl_words_add_all(out, &line->words[at], next - at);
	}
}

static void add_app(const struct pl_mpirun_line *line, const struct pl_line_app *app,
		    const struct pl_mpirun_extra *extra, struct pl_words *out)
{
	for (size_t i = 0; i < extra->env->n; i++)
		add_entry(line, extra->env->v[i], out);
	if (extra->preload)
		add_preload(line, app, extra->preload, out);
	add_options(line, app, out);
	if (!extra->program)
		pl_words_add_all(out, &line->words[app->program], app->end - app->program);
	for (char *const *word = extra->program; word && *word; word++)
		pl_words_add(out, *word);
}

int pl_mpirun_line_build(const struct pl_mpirun_line *line, const char *mpirun,
			 const struct pl_mpirun_extra *extra, struct pl_words *out,
			 struct pl_err *err)
{
	char rank[16];

	pl_words_add(out, mpirun);
	if (extra->stdin_rank >= 0) {
		snprintf(rank, sizeof(rank), "%d", extra->stdin_rank);
		pl_words_add(out, "--stdin");
		pl_words_add(out, rank);
	}
	for (size_t i = 0; i < line->n_apps; i++) {
		if (i > 0)
			pl_words_add(out, ":");
		add_app(line, &line->app[i], extra, out);
	}
	return out->failed ? pl_err_nomem(err) : 0;
}
