/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h - the numbers that launchers leave in the environment */
#ifndef PLINK_SRC_EXEC_NUMBERS_H
#define PLINK_SRC_EXEC_NUMBERS_H

#include "src/exec/change.h"
#include "src/exec/options.h"
#include "src/exec/seat.h"

#include <stdbool.h>
#include <stddef.h>

/* Does the launcher of that style leave a rank, and is it there, with what
 * tells that it is this launcher's? */
bool pl_numbers_are_there(enum pl_exec_style style);

/*
 * The rank of this process, and the number of its host where there is one: the
 * number of processes and the number within the host stay as they are. 0, or
 * -1: PL_EPARTIAL where they are not what the plan says (or the one within the
 * host is not there, and there are several), or a rank is beyond it; PL_EINPUT
 * where one is no number, PL_ESYSTEM.
 */
int pl_numbers_change(enum pl_exec_style style, const struct pl_seat *seat,
		      struct pl_changes *changes, struct pl_err *err);

/* Is there the number of a host, and none of a process on it? The command then
 * starts those itself. */
bool pl_numbers_are_of_host(void);

/* That number, NODE_RANK. 0, or -1: PL_EPARTIAL where the plan has other hosts,
 * PL_EINPUT where it is no number, PL_ESYSTEM. */
int pl_numbers_change_host(const struct pl_seat *seat,
			   struct pl_changes *changes, struct pl_err *err);

/* Do all of these styles (of those with a rank that is there) have the same
 * number within the host? 0, or -1: PL_EPARTIAL, PL_EINPUT where one is no
 * number. */
int pl_numbers_agree(const enum pl_exec_style *style, size_t n,
		     struct pl_err *err);

#endif
