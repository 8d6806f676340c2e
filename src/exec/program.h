/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - which program a command line runs */
#ifndef PLINK_SRC_EXEC_PROGRAM_H
#define PLINK_SRC_EXEC_PROGRAM_H

#include "base/err.h"

#include <stddef.h>

/* Its name without directories; borrowed. */
const char *pl_program_name(char *const *command);

/* The number of words that make Python run @module ("python3 -u -m module"); 0:
 * it does not. */
size_t pl_program_module(char *const *command, const char *module);

/* 0; or -1 with PL_EPARTIAL and the remedy, if the command is DeepSpeed's
 * launcher that logs in to all hosts, or the one that this starts on each
 * host. */
int pl_deepspeed_check(char *const *command, struct pl_err *err);

#endif
