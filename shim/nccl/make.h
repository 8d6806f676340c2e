/* SPDX-License-Identifier: BSD-3-Clause */
/* make.h - making a hidden communicator beside one of the program's */
/*
 * All processes of a communicator must run a collective on the hidden one, or
 * none. No process knows what the others know: one may have no plan, another
 * one an older plan, a third is not in it. NCCL itself is what they have in
 * common, and of it ncclCommSplit alone needs no memory of a GPU. So:
 *
 * Every process that has this library takes part in a split of every
 * communicator of more than one rank, with the place of its host in the order
 * as key. Its color is made of the plan's text and of what it knows of the
 * ranks; a process that has nothing to follow says that it wants to be in no
 * part. Where one part has as many ranks as the whole, all processes have the
 * same plan, and that part is the hidden communicator. Where not, no part has,
 * and each process sees that of its own: it is destroyed. Where nobody has a
 * plan, or the plan is the identity, nothing is made at all, and the split is
 * one exchange of two integers.
 *
 * What a process knows of the ranks is whether its own is on its host (1) if
 * the ranks are numbered as the plan gives the hosts, (2) if they are numbered
 * as its order has them. If all say (1), the host of every rank is known, and
 * so is every root's rank in the hidden communicator. If all say (2), the ranks
 * are in order already, and the hidden communicator is destroyed. As both may
 * be true of some, there are up to three splits, each without one of the
 * answers: a process goes on to the next where its part is not the whole, so
 * all do, or none.
 *
 * Communicators on one host get none: same-host.h. Their processes say that
 * they want to be in no part.
 *
 * Hosts that are in the plan but not in the communicator do not matter: keys
 * only compare. Ranks of a host keep their order among themselves.
 *
 * What remains is a process without the library: the others wait for it, as
 * NCCL waits for a rank that does not come, and after some time they say so
 * (watch.h).
 */
#ifndef PLINK_SHIM_NCCL_MAKE_H
#define PLINK_SHIM_NCCL_MAKE_H

#include "shim/nccl/comms.h"

/*
 * For communicators of the program, all of them ready, that have come out of
 * one call; returns when all is done, also where they are nonblocking. Their
 * records are released where they get no hidden one. ncclSuccess, or what NCCL,
 * or PLINK_STRICT, has against it.
 */
ncclResult_t pl_make_all(struct pl_nccl_comm **comms, size_t n);

/* Goes on as far as that is possible without waiting. @app as a check that the
 * record is still its. As ncclCommGetAsyncError on @app, which is in progress
 * until all is done. */
ncclResult_t pl_make_advance(struct pl_nccl_comm *comm, ncclComm_t app);

/* The same until it is no more in progress. */
ncclResult_t pl_make_finish(struct pl_nccl_comm *comm, ncclComm_t app);

/* Is this thread in one of the above, or has it said that it is in the library
 * on behalf of both communicators? */
bool pl_make_is_inside(void);
void pl_make_set_inside(bool is);

static inline bool pl_make_is_done(const struct pl_nccl_comm *comm)
{
	return __atomic_load_n(&comm->making, __ATOMIC_ACQUIRE) ==
	       PL_MAKING_DONE;
}

#endif
