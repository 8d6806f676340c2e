/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - which program a command line runs */
#ifndef PLINK_SRC_EXEC_PROGRAM_H
#define PLINK_SRC_EXEC_PROGRAM_H

#include <stddef.h>

/* Its name without directories; borrowed. */
const char *pl_program_name(char *const *command);

/* The number of words that make Python run @module ("python3 -u -m module"); 0:
 * it does not. */
size_t pl_program_module(char *const *command, const char *module);

#endif
