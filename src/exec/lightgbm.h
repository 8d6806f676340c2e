/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.h - puts the list of machines in LightGBM's command line in the order of a plan */
#ifndef PLINK_SRC_EXEC_LIGHTGBM_H
#define PLINK_SRC_EXEC_LIGHTGBM_H

#include "base/text/words.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Is it LightGBM's program, by its name? False if an MPI launcher has started it: its version for
 * MPI has no list. */
bool pl_lightgbm_is(char *const *command);

/*
 * Makes the command with "machines=..." in the plan's order. The list comes from an argument or
 * from LightGBM's configuration file, and may itself be in a file. @out must be empty; end with
 * fini. 0, or -1 with @out empty: PL_EPARTIAL if there is no list, or not one of the plan's hosts;
 * PL_EINPUT or PL_ESYSTEM if a file cannot be read.
 */
int pl_lightgbm_change(char *const *command, const struct pl_seat *seat, struct pl_words *out,
		       struct pl_err *err);

#endif
