/* SPDX-License-Identifier: BSD-3-Clause */
/* grammar.c - which options mpirun has, and how many words follow each */
/*
 * Open MPI's mpirun up to 4 takes "-np", "--np" and the like alike, and its help has a line for
 * each option that starts so:
 *
 *     -c|-np|--np <arg0>
 *     --mca <arg0> <arg1>
 */
#include "config.h"

#include "src/mpirun/grammar.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HELP_NS (15 * (int64_t)1000000000)
#define INDENT_MAX 4 /* further to the right are explanations */
#define OPTIONS_MIN                                                                                \
	20 /* with fewer options, the help is in a form that is not                                \
	    * known */

static const char *bare(const char *word)
{
	if (*word == '-')
		word++;
	if (*word == '-')
		word++;
	return word;
}

static int add_option(struct pl_grammar *g, const char *name, size_t len, size_t n_args,
		      struct pl_err *err)
{
	char *copy = pl_string_copy(name, len);

	if (!copy || pl_array_grow((void **)&g->option, &g->room, g->n, sizeof(*g->option))) {
		free(copy);
		return pl_err_nomem(err);
	}
	g->option[g->n++] = (struct pl_grammar_option){copy, n_args};
	return 0;
}

int pl_grammar_add_known(struct pl_grammar *g, const struct pl_grammar_known *known, size_t n,
			 struct pl_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (add_option(g, known[i].name, strlen(known[i].name), known[i].n_args, err)) {
			pl_grammar_fini(g);
			return -1;
		}
	}
	return 0;
}

/* "<arg0> <arg1>" */
static size_t count_args(struct pl_line *line)
{
	struct pl_word word;
	size_t n = 0;

	while (pl_line_next(line, &word) && word.len > 4 && memcmp(word.s, "<arg", 4) == 0)
		n++;
	return n;
}

/* "-c|-np|--np" */
static int take_line(struct pl_grammar *g, struct pl_line *line, struct pl_err *err)
{
	struct pl_word names;
	const char *end;
	size_t n_args;

	if (!pl_line_next(line, &names) || names.s[0] != '-' || names.s - line->s > INDENT_MAX)
		return 0;
	n_args = count_args(line);
	end = names.s + names.len;
	for (const char *s = names.s; s < end;) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		const char *to = bar ? bar : end, *name = bare(s);

		if (name < to && add_option(g, name, (size_t)(to - name), n_args, err))
			return -1;
		s = bar ? bar + 1 : end;
	}
	return 0;
}

int pl_grammar_parse(struct pl_grammar *g, const char *help, size_t len, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	if (pl_text_copy(&text, "mpirun --help full", help, len, err))
		return -1;
	while (rc == 0 && pl_text_next(&text, &line))
		rc = take_line(g, &line, err);
	pl_text_fini(&text);
	if (rc == 0 && g->n < OPTIONS_MIN)
		rc = pl_err_set(err, PL_EINPUT, "mpirun --help full does not list its options");
	if (rc)
		pl_grammar_fini(g);
	return rc;
}

int pl_grammar_ask(struct pl_grammar *g, const char *mpirun, const volatile sig_atomic_t *stop,
		   struct pl_err *err)
{
	/* as root, mpirun prints no help otherwise */
	char root[] = "--allow-run-as-root", help[] = "--help", full[] = "full";
	char *const argv[] = {(char *)mpirun, root, help, full, NULL};
	const struct pl_child_options child = {
		.argv = argv,
		.err_to = PL_CHILD_STDERR_DROPPED,
		.timeout_ns = HELP_NS,
		.stop = stop,
	};
	char *out;
	size_t len;
	int status, rc;

	if (pl_child_run(&child, &out, &len, &status, err))
		return -1;
	rc = pl_grammar_parse(g, out, len, err);
	free(out);
	return rc;
}

/* Hydra takes capitals, too. */
static bool is_name(const struct pl_grammar *g, const char *name, const char *word)
{
	const size_t len = g->equals ? strcspn(word, "=") : strlen(word);

	if (strlen(name) != len)
		return false;
	return g->hydra ? strncasecmp(name, word, len) == 0 : memcmp(name, word, len) == 0;
}

bool pl_grammar_is(const struct pl_grammar *g, const char *word, const char *name)
{
	return word[0] == '-' && is_name(g, name, bare(word));
}

size_t pl_grammar_args(const struct pl_grammar *g, char *const *word)
{
	const char *name = bare(word[0]);
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (is_name(g, g->option[i].name, name))
			n = g->option[i].n_args;
	if (g->equals && n > 0 && strchr(name, '='))
		n--;
	/* -env NAME VALUE, or NAME=VALUE */
	return g->hydra && n == 2 && word[1] && strchr(word[1], '=') ? 1 : n;
}

bool pl_grammar_variable(const struct pl_grammar *g, char *const *word,
			 struct pl_grammar_variable *v)
{
	const char *equals;

	v->for_all = g->hydra && pl_grammar_is(g, word[0], "genv");
	if (!word[1] || !(v->for_all || pl_grammar_is(g, word[0], g->hydra ? "env" : "x")))
		return false;
	equals = strchr(word[1], '=');
	v->name = word[1];
	v->len = strcspn(word[1], "=");
	v->value = equals ? equals + 1 : g->hydra ? word[2] : NULL;
	return true;
}

void pl_grammar_fini(struct pl_grammar *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->option[i].name);
	free(g->option);
	*g = (struct pl_grammar){0};
}
