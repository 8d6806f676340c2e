/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.h - messages to the user about communicators */
#ifndef PLINK_SHIM_NCCL_TELL_H
#define PLINK_SHIM_NCCL_TELL_H

#include "shim/nccl/comms.h"

/* Why a communicator gets no hidden ones. */
enum pl_aside {
	PL_ASIDE_ITSELF,   /* this process follows nothing */
	PL_ASIDE_OTHERS,   /* another process does not, or follows another plan */
	PL_ASIDE_IN_ORDER, /* its ranks are in order already */
	PL_ASIDE_ONE_HOST, /* its ranks are all on one host */
	PL_ASIDE_ONE_RANK, /* it has one rank */
	/* with a schedule of two levels: */
	PL_ASIDE_GROUPS,      /* its ranks are one group, or each is one */
	PL_ASIDE_UNEVEN,      /* not all ranks agree (two-level.h) */
	PL_ASIDE_NONBLOCKING, /* it does not block */
};

/* With PLINK_VERBOSE, for the first communicator only, prints the ranks in @shadow. */
void pl_tell_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);

/* The same for one that gets those of two levels. */
void pl_tell_two_level(const struct pl_nccl_comm *comm);

/* Prints why a communicator has no hidden ones, each reason once in a process: faults always, the
 * rest only with PLINK_VERBOSE, and nothing for PL_ASIDE_ONE_HOST and PL_ASIDE_ONE_RANK. Rank 0 of
 * the communicator prints; a fault of its own host is printed by any rank. */
void pl_tell_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* Call this when a communicator is made in which this process has @rank. If NCCL is too old for
 * hidden communicators, or its settings rule them out, rank 0 says so once. Without ncclCommSplit,
 * where pl_tell_aside() is never called, also prints what that would print for PL_ASIDE_ITSELF. */
void pl_tell_init(int rank);

#endif
