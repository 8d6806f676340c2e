/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw-plan.h - bus bandwidths predicted for a measured network and the order of a plan */
#ifndef PLINK_PLANNER_SRIFT_COMM_BUSBW_PLAN_H
#define PLINK_PLANNER_SRIFT_COMM_BUSBW_PLAN_H

#include "base/matrix/matrix.h"
#include "base/plan/plan.h"
#include "planner/srift/comm/busbw.h"
#include "predict/network.h"

#include <stddef.h>
#include <stdint.h>

/* The hosts of a plan within a network. Borrows all. */
struct pl_placed {
	const struct pl_plan *plan;
	const struct pl_network *net;
	const size_t *host_of; /* [plan->hosts.n] index in the network */
};

/* Finds the hosts of the plan, by name and port, in the matrix. Returns their indexes
 * [plan->hosts.n]; release with free(). NULL with @err set: PL_EINPUT if a host is not in the
 * matrix. */
size_t *pl_placed_match(const struct pl_plan *plan, const struct pl_matrix *m, struct pl_err *err);

enum pl_placed_order {
	PL_ORDER_GIVEN, /* hosts as listed in the plan */
	PL_ORDER_FOUND, /* hosts as in the orders of the plan */
};

/*
 * Adds to the table the bus bandwidths of the ranks of the plan, for powers of
 * two from 1 KiB up to the first that is @bytes or more, and at least up to 64
 * MiB. The time of each size is predicted (predict.h) with the algorithm of the
 * first all-reduce order of the plan for that size; @which selects the hosts as
 * listed or in that order.
 * 0, or -1 with the table as it was and @err set: PL_EINPUT if the plan has no
 * order for a size, names an unknown algorithm or has fewer than two ranks, or
 * if no rates of the network are known.
 */
int pl_busbw_predict(struct pl_busbw *t, const struct pl_placed *placed, enum pl_placed_order which,
		     uint64_t bytes, struct pl_err *err);

#endif
