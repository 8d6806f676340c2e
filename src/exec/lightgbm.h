/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.h - LightGBM's command line, whose list of machines is to follow a
 * plan */
#ifndef PLINK_SRC_EXEC_LIGHTGBM_H
#define PLINK_SRC_EXEC_LIGHTGBM_H

#include "base/text/words.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Is it LightGBM's program, by its name? Not where an MPI launcher has started
 * it: its version for MPI has no list. */
bool pl_lightgbm_is(char *const *command);

/*
 * The same with "machines=..." in the plan's order, from the list that it has,
 * in an argument or in its configuration file, itself or as a file (in @out, to
 * be empty, ends with fini). 0, or -1 with @out empty: PL_EPARTIAL where there
 * is no list, or not one of the plan's hosts; PL_EINPUT, PL_ESYSTEM where a
 * file cannot be read.
 */
int pl_lightgbm_change(char *const *command, const struct pl_seat *seat,
		       struct pl_words *out, struct pl_err *err);

#endif
