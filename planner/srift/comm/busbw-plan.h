/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw-plan.h - bus bandwidths of a measured network, in the order a job will
 * have */
#ifndef PLINK_PLANNER_SRIFT_COMM_BUSBW_PLAN_H
#define PLINK_PLANNER_SRIFT_COMM_BUSBW_PLAN_H

#include "base/matrix/matrix.h"
#include "base/plan/plan.h"
#include "planner/srift/comm/busbw.h"
#include "predict/network.h"

#include <stddef.h>
#include <stdint.h>

/* Hosts of a plan in a network. Borrows all. */
struct pl_placed {
	const struct pl_plan *plan;
	const struct pl_network *net;
	const size_t *host_of; /* [plan->hosts.n] among the network's */
};

/* Finds the plan's hosts, by name and port, among the matrix's:
 * [plan->hosts.n], for free(). NULL with @err set: PL_EINPUT where one is not
 * there. */
size_t *pl_placed_match(const struct pl_plan *plan, const struct pl_matrix *m,
			struct pl_err *err);

enum pl_placed_order {
	PL_ORDER_GIVEN, /* hosts as the plan has them listed */
	PL_ORDER_FOUND, /* as its orders have them */
};

/*
 * Adds the plan's ranks to the table: for powers of two from 1 KiB to the one
 * that holds @bytes, and to 64 MiB at least, the time that the predictor
 * (predict.h) has for the algorithm of the plan's first all-reduce order that
 * is for that size; its hosts as listed or in its order.
 * 0, or -1 with the table as it was and @err set: PL_EINPUT for a plan without
 * an order for a size or with an algorithm that does not exist, for fewer than
 * two ranks, and for a network of which no rates are known.
 */
int pl_busbw_predict(struct pl_busbw *t, const struct pl_placed *placed,
		     enum pl_placed_order which, uint64_t bytes,
		     struct pl_err *err);

#endif
