/* SPDX-License-Identifier: BSD-3-Clause */
/* torchrun.h - puts the node number of a plan into torchrun's command line */
#ifndef PLINK_SRC_EXEC_TORCHRUN_H
#define PLINK_SRC_EXEC_TORCHRUN_H

#include "base/text/words.h"
#include "src/exec/change.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Is it torchrun, or Python with torch.distributed.run or launch? */
bool pl_torchrun_is(char *const *command);

/*
 * Makes the command with the node number and the first host's address by the
 * plan, as static rendezvous needs them, and changes the PET_ variables that
 * state them. @out must be empty; end with fini. 0, or -1 with @out empty:
 * PL_EPARTIAL if torchrun would number the hosts by itself or runs on another
 * number of hosts than the plan has; PL_ESYSTEM.
 */
int pl_torchrun_change(char *const *command, const struct pl_seat *seat, struct pl_changes *changes,
		       struct pl_words *out, struct pl_err *err);

#endif
