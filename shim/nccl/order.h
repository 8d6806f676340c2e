/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - the order that this process is to follow */
#ifndef PLINK_SHIM_NCCL_ORDER_H
#define PLINK_SHIM_NCCL_ORDER_H

#include "base/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the process' environment and its plan say; made once, never freed. */
struct pl_nccl_order {
	bool follows; /* may this process run collectives in another order? */
	bool strict, verbose; /* PLINK_STRICT, PLINK_VERBOSE */
	/* why it does not follow: PL_OK where nothing is wrong with that (no
	 * plan, or one that changes nothing) */
	struct pl_err why;
	bool is_own_fault; /* of this host, whatever the others find */

	/* Where it follows: */
	const char *path; /* of the plan */
	struct pl_plan plan;
	const struct pl_order *order; /* of the plan, that which is followed */
	size_t host, pos;  /* this process' host; its place in the order */
	uint32_t digest;   /* of the plan's text: 28 bits */
	int n_slots;       /* of all hosts */
	bool serves_rings; /* is the order for what NCCL runs along its
			    * rings? */
};

/*
 * Which order: the first for an allreduce of nccl, else the plan's first. Reads
 * PLINK_PLAN, PLINK_MAX_AGE, PLINK_STRICT, PLINK_VERBOSE and what tells a host
 * of its name, at the first call.
 */
const struct pl_nccl_order *pl_order(void);

/* With PLINK_STRICT: is there a plan to follow, or should there be one? */
bool pl_order_refuses(void);

/* The host of each of the n_slots ranks of a job whose hosts stand as the plan
 * gives them, or, @planned, as its order has them; NULL where it does not
 * follow. */
const int *pl_order_host_of(bool planned);

/*
 * To be called before the real library is opened: where there is an order to
 * follow, has NCCL launch the operations of all communicators in the sequence
 * in which the program calls them (NCCL_LAUNCH_ORDER_IMPLICIT), unless the
 * environment says otherwise.
 */
void pl_order_before_open(void);

/* The first NCCL that has ncclCommSplit, without which there is no other
 * order. */
#define PL_VERSION_SPLIT 21800

/*
 * Can that NCCL run a communicator beside another without a deadlock that was
 * not there before? @version as pl_nccl_version has it; NULL, or else why not.
 */
const char *pl_order_obstacle(int version);

#endif
