/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.h - what the user hears of a communicator */
#ifndef PLINK_SHIM_NCCL_TELL_H
#define PLINK_SHIM_NCCL_TELL_H

#include "shim/nccl/comms.h"

/* Why a communicator gets no hidden one. */
enum pl_aside {
	PL_ASIDE_ITSELF,   /* this process follows nothing */
	PL_ASIDE_OTHERS,   /* another one does not, or follows another plan */
	PL_ASIDE_IN_ORDER, /* its ranks are in order already */
	PL_ASIDE_ONE_HOST, /* they are all on one */
	PL_ASIDE_ONE_RANK, /* there is one rank */
};

/* At the first time only: with PLINK_VERBOSE, the ranks in @shadow. */
void pl_tell_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);

/* The same: what is wrong, and with PLINK_VERBOSE also where nothing is. Of
 * what concerns all processes, the communicator's rank 0 speaks; of one host or
 * rank, nobody. */
void pl_tell_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* When a communicator is made: of a library that cannot be asked, rank 0 of it,
 * which may be @rank, speaks. */
void pl_tell_init(int rank);

#endif
