/* SPDX-License-Identifier: BSD-3-Clause */
/* torchrun.h - torchrun's command line, whose node number is to follow a
 * plan */
#ifndef PLINK_SRC_EXEC_TORCHRUN_H
#define PLINK_SRC_EXEC_TORCHRUN_H

#include "base/text/words.h"
#include "src/exec/change.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Is it torchrun, or Python with torch.distributed.run or launch? */
bool pl_torchrun_is(char *const *command);

/*
 * The same with the node number and the first host's address that the plan
 * says, as static rendezvous wants them (in @out, to be empty, ends with fini),
 * and what PET_ variables say of them. 0, or -1 with @out empty: PL_EPARTIAL
 * where torchrun would number hosts by itself, or does not run on as many as
 * the plan has; PL_ESYSTEM.
 */
int pl_torchrun_change(char *const *command, const struct pl_seat *seat,
		       struct pl_changes *changes, struct pl_words *out,
		       struct pl_err *err);

#endif
