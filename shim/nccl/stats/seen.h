/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.h - communicators whose calls are counted: their ranks, and their
 * order */
#ifndef PLINK_SHIM_NCCL_STATS_SEEN_H
#define PLINK_SHIM_NCCL_STATS_SEEN_H

#include "shim/nccl/real.h"
#include "shim/nccl/tell.h"

/* Why a call ran where it did. */
enum pl_nccl_route {
	PL_ROUTE_ANY,     /* of several communicators */
	PL_ROUTE_PLANNED, /* on a hidden communicator; all others did not: */
	/* because of the call, though there is a hidden one */
	PL_ROUTE_FUNCTION, /* this function never does */
	PL_ROUTE_ROOT,     /* root's host is not known, or the order is for
			    * trees */
	PL_ROUTE_OPERATOR, /* the hidden one does not have it */
	/* because of the communicator, which has none */
	PL_ROUTE_ONE_RANK,
	PL_ROUTE_ONE_HOST,
	PL_ROUTE_IN_ORDER, /* its ranks are */
	PL_ROUTE_OTHERS,   /* another process has no plan, or another one */
	PL_ROUTE_UNKNOWN,  /* was not made by what the library stands before */
	/* because of the process */
	PL_ROUTE_NO_PLAN,
	PL_ROUTE_NO_CHANGE, /* the plan is for the order as it is */
	PL_ROUTE_BAD_PLAN,  /* was said */
	PL_ROUTE_BAD_NCCL,  /* was said: cannot have two communicators */
	PL_ROUTES
};

/* "planned", "given", "any"; and why: "-", "function" ... */
const char *pl_route_order(enum pl_nccl_route route);
const char *pl_route_why(enum pl_nccl_route route);

struct pl_seen {
	int n_ranks; /* 0: not known */
	enum pl_nccl_route route;
};

/* The ranks of a communicator on which a call has succeeded, and where that ran
 * unless its function says otherwise: PL_ROUTE_OPERATOR of one that has a
 * hidden one. */
struct pl_seen pl_seen_find(ncclComm_t comm);

/* One has come about, with a hidden one or, for that reason, without. */
void pl_seen_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);
void pl_seen_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* One is about to end, whose handle others may get. True: it was the last of
 * the program's own. */
bool pl_seen_end(ncclComm_t comm);

/* The largest of the program's so far. */
struct pl_seen_largest {
	int n_ranks; /* 0: none */
	int rank;
};
struct pl_seen_largest pl_seen_largest(void);

/* In a process that was forked: none of them is its own. */
void pl_seen_forget(void);

#endif
