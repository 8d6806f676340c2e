/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.h - communicators whose calls are counted: their ranks, and their
 * order */
#ifndef PLINK_SHIM_NCCL_STATS_SEEN_H
#define PLINK_SHIM_NCCL_STATS_SEEN_H

#include "shim/nccl/real.h"
#include "shim/nccl/tell.h"

/* Why a call ran where it did. */
enum pl_nccl_route {
	PL_ROUTE_ANY,       /* end of a group; any communicators */
	PL_ROUTE_PLANNED,   /* on a hidden one */
	PL_ROUTE_TWO_LEVEL, /* on those of two levels; all below: on none */
	/* because of the call */
	PL_ROUTE_FUNCTION, /* never on a hidden communicator */
	PL_ROUTE_ROOT,     /* root's host is not known, or the order is for
			    * trees */
	PL_ROUTE_OPERATOR, /* the hidden one lacks the operator */
	PL_ROUTE_SCHEDULE, /* its size or operator is not for two levels */
	/* because of the communicator, which has no hidden one */
	PL_ROUTE_ONE_RANK,
	PL_ROUTE_ONE_HOST,
	PL_ROUTE_IN_ORDER, /* its ranks are in order already */
	PL_ROUTE_OTHERS,   /* another process has no plan, or another one */
	PL_ROUTE_GROUPS,   /* its ranks are one group, or each is one */
	PL_ROUTE_UNEVEN,   /* its groups do not fit the schedule, or others */
	PL_ROUTE_NONBLOCKING,
	PL_ROUTE_UNKNOWN, /* was not made through this library */
	/* because of the process */
	PL_ROUTE_NO_PLAN,
	PL_ROUTE_NO_CHANGE, /* the plan is for the order as it is */
	PL_ROUTE_BAD_PLAN,  /* a message has said why */
	PL_ROUTE_BAD_NCCL,  /* a message has said why: pl_order_obstacle() */
	PL_ROUTES
};

/* The words for it in the file: "planned", "given", "any"; and why: "-", "function" ... */
const char *pl_route_order(enum pl_nccl_route route);
const char *pl_route_why(enum pl_nccl_route route);

struct pl_seen {
	int n_ranks; /* 0: not known */
	enum pl_nccl_route route;
};

/* The number of ranks of a communicator on which a call has succeeded, and the route of an
 * all-reduce on it. For a communicator of the program that has a hidden one, this is
 * PL_ROUTE_OPERATOR: with any other operator, the call would have been on the hidden one. Likewise
 * PL_ROUTE_SCHEDULE for one that has those of two levels. */
struct pl_seen pl_seen_find(ncclComm_t comm);

/* A communicator of the program has been made: with the hidden one @shadow, with those of two
 * levels (NULL), or without any, for the reason @why. */
void pl_seen_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);
void pl_seen_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* A communicator is about to end, and NCCL may use its handle again. True: it was the last of the
 * program's own. */
bool pl_seen_end(ncclComm_t comm);

/* The largest communicator of the program so far. */
struct pl_seen_largest {
	int n_ranks; /* 0: none */
	int rank;
};
struct pl_seen_largest pl_seen_largest(void);

/* For a process that was just forked: forgets all, because no communicator is its own. */
void pl_seen_forget(void);

#endif
