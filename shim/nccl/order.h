/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - the order or schedule that this process is to follow */
#ifndef PLINK_SHIM_NCCL_ORDER_H
#define PLINK_SHIM_NCCL_ORDER_H

#include "base/plan/plan.h"
#include "engine/schedule.h"
#include "shim/nccl/groups.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the process' environment and its plan say; made once, never freed. */
struct pl_nccl_order {
	/* may this process run collectives in another order, or in two
	 * levels? */
	bool follows;
	bool strict, verbose; /* PLINK_STRICT, PLINK_VERBOSE */
	/* why it does not follow an order; PL_OK if nothing is wrong (no plan, or a plan that
	 * changes nothing) */
	struct pl_err why;
	bool is_own_fault; /* only this host is at fault: the plan has no such
			      host, several, or another machine of its name */

	/* Where it follows: */
	const char *path;    /* of the plan or schedule */
	struct pl_plan plan; /* of a schedule, the hosts */
	size_t host, pos;    /* this process' host; its place in the order */
	uint32_t digest;     /* of the file's text: 28 bits */
	int n_slots;         /* of all hosts */

	/* Of a plan, the order that is followed; otherwise NULL. */
	const struct pl_order *order;
	bool serves_rings; /* is it for a ring, so that broadcasts and reduces
			      follow it, too? */

	/* Of a file of schedules, the one of two levels; otherwise NULL. */
	const struct pl_schedule *two_level;
	struct pl_schedules schedules; /* without slices and hosts */
	struct pl_nccl_groups groups;
};

/*
 * What this process follows: the plan's first order for an allreduce of nccl, or if there is none,
 * the plan's first order; of a file of schedules, the first of two levels. The first call reads
 * PLINK_PLAN, PLINK_MAX_AGE, PLINK_STRICT, PLINK_VERBOSE, PLINK_HOST, and the names and addresses
 * of the host.
 */
const struct pl_nccl_order *pl_order(void);

/* Must a communicator without a hidden one be refused? With PLINK_STRICT, if there is an order to
 * follow or a fault prevents that. */
bool pl_order_refuses(void);

/* [n_slots]: the host of each rank if the hosts stand in the order of the plan's host lines or,
 * with @planned, in the order that is followed. Borrowed. NULL if this process follows no order of
 * a plan. */
const int *pl_order_host_of(bool planned);

/*
 * Call this before the real library is opened. If there is an order to follow, sets
 * NCCL_LAUNCH_ORDER_IMPLICIT=1, unless the variable has a value already: NCCL then launches the
 * operations of all communicators in the sequence in which the program calls them.
 */
void pl_order_before_open(void);

/* The first NCCL that has ncclCommSplit, which hidden communicators need. */
#define PL_VERSION_SPLIT 21800

/*
 * Why NCCL @version (as from pl_nccl_version()) cannot run a hidden communicator beside the
 * program's without a new danger of deadlock. NULL if it can.
 */
const char *pl_order_obstacle(int version);

#endif
