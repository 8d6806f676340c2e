/* SPDX-License-Identifier: BSD-3-Clause */
/* seat.h - where a plan puts the processes of this host */
#ifndef PLINK_SRC_EXEC_SEAT_H
#define PLINK_SRC_EXEC_SEAT_H

#include "base/plan/plan.h"

#include <stddef.h>

/* By the plan's first order, hosts as blocks of their slots. */
struct pl_seat {
	const struct pl_plan *plan; /* borrowed */
	const struct pl_host *host; /* this one */
	size_t pos;                 /* where it stands, from 0 */
	int first_rank;             /* of its processes */
	int n_ranks;                /* of all hosts */
	const char *leader;         /* address or name of the host in front */
};

/* 0, or -1: PL_EPARTIAL where the plan does not have this host, or has several
 * that could be it, or PLINK_HOST is of another than this machine's name;
 * PL_ESYSTEM. */
int pl_seat_find(struct pl_seat *seat, const struct pl_plan *plan,
		 struct pl_err *err);

#endif
