/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - which program a command line runs */
#ifndef PLINK_SRC_EXEC_PROGRAM_H
#define PLINK_SRC_EXEC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The first word without directories; borrowed. */
const char *pl_program_name(char *const *command);

/* What an interpreter is told to run: at most one of these. */
struct pl_program_run {
	const char *text, *module, *script; /* borrowed; NULL: not that */
	size_t n;                           /* the words up to it, with it */
};

/* Is the command Python, or a shell? Fills *run; nothing is set in it if the program comes from
 * standard input. */
bool pl_program_python(char *const *command, struct pl_program_run *run);
bool pl_program_shell(char *const *command, struct pl_program_run *run);

/* Is it a file that begins with "#!" and a shell? */
bool pl_program_is_script(const char *path);

#endif
