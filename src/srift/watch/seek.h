/* SPDX-License-Identifier: BSD-3-Clause */
/* seek.h - finds machines for a watched job, by the search of plink-srift
 * recommend */
#ifndef PLINK_SRC_SRIFT_WATCH_SEEK_H
#define PLINK_SRC_SRIFT_WATCH_SEEK_H

#include "planner/srift/watch/replan.h"
#include "src/srift/recommend.h"

/*
 * Finds machines for the question @base (profile, prices, network, objective,
 * availability) within the limits that @q leaves. Of a type that ran out, only
 * the machines that are up are available. Searches once among the machines that
 * are up, which need no launch, and once among all machines. Takes the better
 * result by the objective, including the time of a launch and what all machines
 * cost meanwhile. @fleet must be empty. 0, or -1 with it empty and @err set:
 * PL_EPARTIAL with the limit that binds.
 */
int srift_seek(const struct srift_question *base, const struct pl_replan *q,
	       struct pl_srift_fleet *fleet, struct pl_err *err);

#endif
