/* SPDX-License-Identifier: BSD-3-Clause */
/* grammar.c - which options mpirun has, and how many words follow each */
/*
 * Open MPI's mpirun takes "-np", "--np" and the like alike, and its help has a
 * line for each option that starts so:
 *
 *     -c|-np|--np <arg0>
 *     --mca <arg0> <arg1>
 */
#include "config.h"

#include "src/mpirun/grammar.h"

#include "src/child.h"
#include "src/mem.h"
#include "src/text.h"

#include <stdlib.h>
#include <string.h>

#define HELP_NS (15 * (int64_t)1000000000)
#define INDENT_MAX 4   /* what stands further to the right are explanations */
#define OPTIONS_MIN 20 /* a help with fewer is none that we know */

const char *pl_grammar_bare(const char *word)
{
	if (*word == '-')
		word++;
	if (*word == '-')
		word++;
	return word;
}

static int add(struct pl_grammar *g, const char *s, size_t len, size_t n_args,
	       struct pl_err *err)
{
	char *word = pl_string_copy(s, len), *name;

	if (!word)
		return pl_err_nomem(err);
	name = pl_string_copy(pl_grammar_bare(word),
			      strlen(pl_grammar_bare(word)));
	free(word);
	if (!name || pl_array_grow((void **)&g->option, &g->room, g->n,
				   sizeof(*g->option))) {
		free(name);
		return pl_err_nomem(err);
	}
	g->option[g->n++] = (struct pl_grammar_option){name, n_args};
	return 0;
}

/* "<arg0> <arg1>" */
static size_t count_args(struct pl_line *line)
{
	struct pl_word word;
	size_t n = 0;

	while (pl_line_next(line, &word) && word.len > 4 &&
	       memcmp(word.s, "<arg", 4) == 0)
		n++;
	return n;
}

/* "-c|-np|--np" */
static int take_line(struct pl_grammar *g, struct pl_line *line,
		     struct pl_err *err)
{
	struct pl_word names;
	const char *end;
	size_t n_args;

	if (!pl_line_next(line, &names) || names.s[0] != '-' ||
	    names.s - line->s > INDENT_MAX)
		return 0;
	n_args = count_args(line);
	end = names.s + names.len;
	for (const char *s = names.s; s < end;) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		const char *to = bar ? bar : end;

		if (add(g, s, (size_t)(to - s), n_args, err))
			return -1;
		s = bar ? bar + 1 : end;
	}
	return 0;
}

int pl_grammar_parse(struct pl_grammar *g, const char *help, size_t len,
		     struct pl_err *err)
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
		rc = pl_err_set(err, PL_EINPUT,
				"mpirun --help full does not list its options");
	if (rc)
		pl_grammar_fini(g);
	return rc;
}

int pl_grammar_ask(struct pl_grammar *g, const char *mpirun,
		   const volatile sig_atomic_t *stop, struct pl_err *err)
{
	/* root gets no help otherwise */
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

size_t pl_grammar_args(const struct pl_grammar *g, const char *word)
{
	const char *name = pl_grammar_bare(word);

	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->option[i].name, name) == 0)
			return g->option[i].n_args;
	return 0;
}

void pl_grammar_fini(struct pl_grammar *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->option[i].name);
	free(g->option);
	*g = (struct pl_grammar){0};
}
