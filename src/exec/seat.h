/* SPDX-License-Identifier: BSD-3-Clause */
/* seat.h - the ranks that a plan gives to the processes of this host */
#ifndef PLINK_SRC_EXEC_SEAT_H
#define PLINK_SRC_EXEC_SEAT_H

#include "base/plan/plan.h"

#include <stddef.h>

/* By the plan's first order; the ranks of a host are consecutive. */
struct pl_seat {
	const struct pl_plan *plan; /* borrowed */
	const struct pl_host *host; /* this one */
	size_t pos;                 /* its position, from 0 */
	int first_rank;             /* the first rank on this host */
	int n_ranks;                /* on all hosts */
	const char *leader;         /* address or name of the first host */
};

/* Finds this host in the plan. 0, or -1: PL_EPARTIAL if the plan does not have it, several of its
 * hosts could be it, or PLINK_HOST names another host of the plan than this machine is;
 * PL_ESYSTEM. */
int pl_seat_find(struct pl_seat *seat, const struct pl_plan *plan, struct pl_err *err);

#endif
