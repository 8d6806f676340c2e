/* SPDX-License-Identifier: BSD-3-Clause */
/* line.h - the parts of what the user would give to mpirun */
#ifndef PLINK_SRC_MPIRUN_LINE_H
#define PLINK_SRC_MPIRUN_LINE_H

#include "base/err.h"
#include "base/text/words.h"
#include "src/mpirun/grammar.h"

#include <stdbool.h>
#include <stddef.h>

/* A part between ":"s: from..program are mpirun's options, program..end the
 * program and its arguments. Indices into the words. */
struct pl_line_app {
	size_t from, program, end;
};

/* Borrows the grammar and the words. Start with {0}, end with fini. */
struct pl_mpirun_line {
	const struct pl_grammar *grammar;
	char *const *words; /* NULL after the last */
	struct pl_line_app *app;
	size_t n_apps, room;
	bool has_stdin; /* they say where standard input goes */
};

/* @line must be empty. 0, or -1 with it empty: PL_EUSAGE (no program, or what
 * contradicts a plan), PL_ESYSTEM. */
int pl_mpirun_line_parse(struct pl_mpirun_line *line,
			 const struct pl_grammar *grammar, char *const *words,
			 struct pl_err *err);
void pl_mpirun_line_fini(struct pl_mpirun_line *line);

/* What is to be added to a line. */
struct pl_mpirun_extra {
	const struct pl_words *env; /* "NAME=VALUE" for every process */
	const char *preload;  /* after what is preloaded already; NULL: nothing
				is preloaded at all */
	int stdin_rank;       /* -1: as it is */
	char *const *program; /* instead of every program; NULL: as they are */
};

/*
 * The whole command: @mpirun, what is to be added, and all else as the user
 * gave it, -x LD_PRELOAD apart. For each of the programs anew, as -x and
 * Hydra's -env are for one of them. 0, or -1: out of memory; @out, to be empty,
 * ends with fini.
 */
int pl_mpirun_line_build(const struct pl_mpirun_line *line, const char *mpirun,
			 const struct pl_mpirun_extra *extra,
			 struct pl_words *out, struct pl_err *err);

#endif
