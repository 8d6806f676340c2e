/* SPDX-License-Identifier: BSD-3-Clause */
/* grammar.h - the options of mpirun, and the number of words after each */
#ifndef PLINK_SRC_MPIRUN_GRAMMAR_H
#define PLINK_SRC_MPIRUN_GRAMMAR_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* An option by its bare name: "np" of -np and --np. */
struct pl_grammar_option {
	char *name;
	size_t n_args;
};

/* Start with {0}, end with fini. */
struct pl_grammar {
	struct pl_grammar_option *option;
	size_t n, room;
	bool hydra;  /* else Open MPI */
	bool equals; /* "--name=value" may be one word */
};

/* A row of the options of a launcher whose help does not list them. */
struct pl_grammar_known {
	const char *name;
	size_t n_args;
};

/* Runs `@mpirun --help full` of Open MPI up to 4. 0, or -1 with @err set: it does not answer, or
 * not with a list of options; *stop was set first. */
int pl_grammar_ask(struct pl_grammar *g, const char *mpirun, const volatile sig_atomic_t *stop,
		   struct pl_err *err);

/* The same from that output. @g must be empty. */
int pl_grammar_parse(struct pl_grammar *g, const char *help, size_t len, struct pl_err *err);

/* The options of MPICH's Hydra and of Open MPI 5, whose help does not list them in this form. @g
 * must be empty. 0, or -1: out of memory. */
int pl_grammar_hydra(struct pl_grammar *g, struct pl_err *err);
int pl_grammar_prrte(struct pl_grammar *g, struct pl_err *err);

/* Adds @n rows. 0, or -1 with @g empty: out of memory. */
int pl_grammar_add_known(struct pl_grammar *g, const struct pl_grammar_known *known, size_t n,
			 struct pl_err *err);

/* The number of words that belong to the option word[0], which starts with '-';
 * 0 if mpirun does not know it, and will report it. NULL follows the last
 * word. */
size_t pl_grammar_args(const struct pl_grammar *g, char *const *word);

/* Is @word the option with that bare name? */
bool pl_grammar_is(const struct pl_grammar *g, const char *word, const char *name);

/* A variable that an option sets for the processes. */
struct pl_grammar_variable {
	const char *name;  /* len bytes */
	const char *value; /* NULL: its value in the environment */
	size_t len;
	bool for_all; /* for all programs of the line */
};

/* Is word[0] an option that sets a variable? */
bool pl_grammar_variable(const struct pl_grammar *g, char *const *word,
			 struct pl_grammar_variable *v);

void pl_grammar_fini(struct pl_grammar *g);

#endif
