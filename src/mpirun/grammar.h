/* SPDX-License-Identifier: BSD-3-Clause */
/* grammar.h - which options mpirun has, and how many words follow each */
#ifndef PLINK_SRC_MPIRUN_GRAMMAR_H
#define PLINK_SRC_MPIRUN_GRAMMAR_H

#include "src/err.h"

#include <signal.h>
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
};

/* Asks `@mpirun --help full`, as Open MPI's understands it. 0, or -1: it does not
 * answer, or not with a list of options; *stop came first. */
int pl_grammar_ask(struct pl_grammar *g, const char *mpirun,
		   const volatile sig_atomic_t *stop, struct pl_err *err);

/* The same from the answer. @g must be empty. */
int pl_grammar_parse(struct pl_grammar *g, const char *help, size_t len,
		     struct pl_err *err);

/* How many words follow @word, which starts with '-'; none where mpirun does not
 * know it, and will say so. */
size_t pl_grammar_args(const struct pl_grammar *g, const char *word);

/* The word without the one or two '-' at its start. */
const char *pl_grammar_bare(const char *word);

void pl_grammar_fini(struct pl_grammar *g);

#endif
