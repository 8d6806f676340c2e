/* SPDX-License-Identifier: BSD-3-Clause */
/* deepspeed.h - DeepSpeed's launchers, which are no command to put in order */
#ifndef PLINK_SRC_EXEC_DEEPSPEED_H
#define PLINK_SRC_EXEC_DEEPSPEED_H

#include "base/err.h"

/* 0, or -1 with PL_EPARTIAL and what to do instead where the command is one
 * that logs in to all hosts, or the one that this starts on each. */
int pl_deepspeed_check(char *const *command, struct pl_err *err);

#endif
