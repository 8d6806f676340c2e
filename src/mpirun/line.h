/* SPDX-License-Identifier: BSD-3-Clause */
/* line.h - the parts of the command line for mpirun */
#ifndef PLINK_SRC_MPIRUN_LINE_H
#define PLINK_SRC_MPIRUN_LINE_H

#include "base/err.h"
#include "base/text/words.h"
#include "src/mpirun/grammar.h"

#include <stdbool.h>
#include <stddef.h>

/* A part between ":" words: from..program are options of mpirun, program..end the program and its
 * arguments. All are indices into the words. */
struct pl_line_app {
	size_t from, program, end;
};

/* Borrows the grammar and the words. Start with {0}, end with fini. */
struct pl_mpirun_line {
	const struct pl_grammar *grammar;
	char *const *words; /* NULL after the last */
	struct pl_line_app *app;
	size_t n_apps, room;
	bool has_stdin; /* an option says where standard input goes */
};

/* Splits the words into parts. @line must be empty. 0, or -1 with it empty: PL_EUSAGE (no program,
 * or an option that contradicts a plan), PL_ESYSTEM. */
int pl_mpirun_line_parse(struct pl_mpirun_line *line, const struct pl_grammar *grammar,
			 char *const *words, struct pl_err *err);
void pl_mpirun_line_fini(struct pl_mpirun_line *line);

/* What to add to a line. */
struct pl_mpirun_extra {
	const struct pl_words *env; /* "NAME=VALUE" for every process */
	/* preloaded after the libraries that already are; NULL: preload nothing at all */
	const char *preload;
	int stdin_rank;       /* -1: unchanged */
	char *const *program; /* replaces every program; NULL: unchanged */
};

/*
 * Makes the whole command: @mpirun, the additions, and everything else as the user gave it, except
 * -x LD_PRELOAD. The additions are repeated for each program, because -x and Hydra's -env apply to
 * one program only. @out must be empty; end with fini. 0, or -1: out of memory.
 */
int pl_mpirun_line_build(const struct pl_mpirun_line *line, const char *mpirun,
			 const struct pl_mpirun_extra *extra, struct pl_words *out,
			 struct pl_err *err);

#endif
