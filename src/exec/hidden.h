/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden.h - what in a command does not follow a plan */
#ifndef PLINK_SRC_EXEC_HIDDEN_H
#define PLINK_SRC_EXEC_HIDDEN_H

#include "src/exec/change.h"
#include "src/exec/seat.h"

/*
 * Commands that number processes by arguments and files of their own, other than torchrun or
 * LightGBM as @command itself: also those that it starts, as far as its words, a shell's text among
 * them, or a shell script's file show it. One that plink-exec starts there is right. 0, or -1 with
 * the remedy: PL_EPARTIAL, PL_EINPUT with the script's line; PL_ESYSTEM.
 */
int pl_hidden_check_launchers(char *const *command, struct pl_err *err);

/*
 * Options in these words, or in the text of a shell there, that name this host or the first one
 * otherwise than the plan does, as --node_rank=1: by a value of their own, or by a variable of the
 * environment that is not among the changes. 0, or -1 with @err set as above.
 */
int pl_hidden_check_options(char *const *words, const struct pl_seat *seat,
			    const struct pl_changes *changes, struct pl_err *err);

#endif
