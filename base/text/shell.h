/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.h - words and commands quoted for a shell */
#ifndef PLINK_BASE_TEXT_SHELL_H
#define PLINK_BASE_TEXT_SHELL_H

/* The word as a shell takes it for one word, in quotes only where they are needed. The caller frees
 * it; NULL: out of memory. */
char *pl_shell_quote(const char *word);

/* The words of @argv, NULL behind the last, as one would type them. The caller frees the text;
 * NULL: out of memory. */
char *pl_shell_command(char *const *argv);

#endif
