/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h - changes the ranks that launchers put into the environment */
#ifndef PLINK_SRC_EXEC_NUMBERS_H
#define PLINK_SRC_EXEC_NUMBERS_H

#include "src/exec/change.h"
#include "src/exec/options.h"
#include "src/exec/seat.h"

#include <stdbool.h>
#include <stddef.h>

/* Is there a rank in the environment, and whatever shows that it comes from the launcher of that
 * style? */
bool pl_numbers_are_there(enum pl_exec_style style);

/*
 * Changes the rank of this process, and the number that the launcher gives its host if there is
 * one, to those of the plan; DMLC_TASK_ID to the number that gets this rank from a tracker which
 * sorts such numbers as text. The numbers of processes and the rank within the host stay. 0, or -1:
 * PL_EPARTIAL if these are not those of the plan, a rank is too large, or the rank within a host of
 * several processes is not there; PL_EINPUT if one is not a number; PL_ESYSTEM.
 */
int pl_numbers_change(enum pl_exec_style style, const struct pl_seat *seat,
		      struct pl_changes *changes, struct pl_err *err);

/* Is there a host number (NODE_RANK) but no rank? The command then starts the processes of the host
 * itself. */
bool pl_numbers_are_of_host(void);

/* Is NODE_RANK one of a host of this plan? 0, or -1: PL_EPARTIAL if the plan has another number of
 * hosts, PL_EINPUT if NODE_RANK is not a number. */
int pl_numbers_check_host(const struct pl_seat *seat, struct pl_err *err);

/* Do all of these styles that have a rank agree on the rank within the host? 0, or -1: PL_EPARTIAL
 * if not, PL_EINPUT if one is not a number. */
int pl_numbers_agree(const enum pl_exec_style *style, size_t n, struct pl_err *err);

#endif
