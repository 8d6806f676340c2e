/* SPDX-License-Identifier: BSD-3-Clause */
/* seek.h - machines for a job that is watched, by plink-srift recommend's
 * search */
#ifndef PLINK_SRC_SRIFT_WATCH_SEEK_H
#define PLINK_SRC_SRIFT_WATCH_SEEK_H

#include "planner/srift/watch/replan.h"
#include "src/srift/recommend.h"

/*
 * Finds machines by what @base asks (profile, prices, network, objective, what
 * is available) within what @q leaves. Of a type that ran out only those that
 * are up are available. It looks among the machines that are up alone, which
 * cost no launch, and among all; of both the better one by the objective
 * counts, the time of a launch and what all machines cost meanwhile among it.
 * @fleet must be empty. 0, or -1 with it empty and @err set: PL_EPARTIAL says
 * which limit binds.
 */
int srift_seek(const struct srift_question *base, const struct pl_replan *q,
	       struct pl_srift_fleet *fleet, struct pl_err *err);

#endif
