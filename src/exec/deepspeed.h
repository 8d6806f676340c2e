/* SPDX-License-Identifier: BSD-3-Clause */
/* deepspeed.h - DeepSpeed's launchers, which plink-exec cannot run */
#ifndef PLINK_SRC_EXEC_DEEPSPEED_H
#define PLINK_SRC_EXEC_DEEPSPEED_H

#include "base/err.h"

/* 0; or -1 with PL_EPARTIAL and the remedy, if the command is DeepSpeed's
 * launcher that logs in to all hosts, or the one that this starts on each
 * host. */
int pl_deepspeed_check(char *const *command, struct pl_err *err);

#endif
