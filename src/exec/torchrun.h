/* SPDX-License-Identifier: BSD-3-Clause */
/* torchrun.h - puts the node number of a plan into torchrun's command line */
#ifndef PLINK_SRC_EXEC_TORCHRUN_H
#define PLINK_SRC_EXEC_TORCHRUN_H

#include "base/text/words.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Is it torchrun, or Python with torch.distributed.run or launch? */
bool pl_torchrun_is(char *const *command);

/* Is it one of these modules? */
bool pl_torchrun_is_module(const char *module);

/*
 * Makes the command with the node number and the first host's address by the plan, as static
 * rendezvous needs them. @out must be empty; end with fini. *rest: the words from the script on, in
 * @command. 0, or -1 with @out empty: PL_EPARTIAL if torchrun would number the hosts by itself or
 * runs on another number of hosts than the plan has; PL_EUSAGE if an option is not known or could
 * be several; PL_ESYSTEM.
 */
int pl_torchrun_change(char *const *command, const struct pl_seat *seat, struct pl_words *out,
		       char *const **rest, struct pl_err *err);

/* The same for a torchrun that another command may start, and that only its variables (PET_...)
 * tell anything about. */
int pl_torchrun_check_variables(const struct pl_seat *seat, struct pl_err *err);

#endif
