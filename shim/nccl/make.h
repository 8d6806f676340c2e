/* SPDX-License-Identifier: BSD-3-Clause */
/* make.h - making a hidden communicator beside one of the program's */
/*
 * All processes of a communicator must run a collective on the hidden one, or none. No process
 * knows what the others know: one may have no plan, another an older plan, and the host of a third
 * may not be in it. All that they have in common is NCCL, and of NCCL's calls only ncclCommSplit
 * needs no memory of a GPU. So:
 *
 * Every process that has this library takes part in a split of every communicator of more than one
 * rank. Its key is the place of its host in the order. Its color is made of the plan's text and of
 * what the process knows about the ranks; a process that has nothing to follow passes
 * NCCL_SPLIT_NOCOLOR and gets no part. If one part has as many ranks as the whole, all processes
 * have the same plan, and that part is the hidden communicator. If not, no part has; each process
 * sees that in its own part and destroys it. If no process has a plan, or the plan is the identity,
 * no part is made at all, and the split is one exchange of two integers.
 *
 * What a process knows about the ranks is whether its own rank is on its host (1) if the ranks are
 * numbered in the order of the plan's host lines, (2) if the ranks are numbered in the order that
 * is followed. If all say (1), the host of every rank is known, and so is every root's rank in the
 * hidden communicator. If all say (2), the ranks are in order already, and the hidden communicator
 * is destroyed. Both may be true for some processes, so there are up to three splits. In the first
 * a process says (1) if that is true, otherwise (2) if that is true, otherwise nothing; in the
 * second (2) or nothing; in the third nothing. A process goes on to the next split if its part is
 * not the whole: so all do, or none.
 *
 * If the file is a schedule, the splits are others, up to four (two-level.h), and the same holds: a
 * process goes on to the next unless its part is the whole, at most to the third, after which all
 * agree or none.
 *
 * A communicator whose ranks are all on one host gets no hidden one (same-host.h): its processes
 * pass NCCL_SPLIT_NOCOLOR.
 *
 * Hosts of the plan that are not in the communicator do not matter, because keys are only compared.
 * Ranks of a host keep their order among themselves.
 *
 * One case remains: a process without the library. The others wait for it, as NCCL waits for a rank
 * that does not come, and after some time they say so (watch.h).
 */
#ifndef PLINK_SHIM_NCCL_MAKE_H
#define PLINK_SHIM_NCCL_MAKE_H

#include "shim/nccl/comms.h"

/*
 * Makes the hidden communicators of communicators that one call of the program has made, all of
 * them ready. Returns when all is done, even if they are nonblocking. Releases the record of each
 * that gets no hidden one, unless all its ranks are on one host; after an error, all records.
 * ncclSuccess, an error of NCCL or of memory, or ncclInvalidUsage: PLINK_STRICT refuses a
 * communicator.
 */
ncclResult_t pl_make_all(struct pl_nccl_comm **comms, size_t n);

/* Continues to make the hidden communicator as far as that is possible without waiting; does
 * nothing if the record no longer belongs to @app. Returns what ncclCommGetAsyncError should report
 * for @app: ncclInProgress until all is done. */
ncclResult_t pl_make_advance(struct pl_nccl_comm *comm, ncclComm_t app);

/* The same, but waits until the result is not ncclInProgress. */
ncclResult_t pl_make_finish(struct pl_nccl_comm *comm, ncclComm_t app);

/* Is this thread in one of the functions above, or between pl_make_set_inside(true) and (false),
 * because it is calling the real library for both communicators? */
bool pl_make_is_inside(void);
void pl_make_set_inside(bool is);

static inline bool pl_make_is_done(const struct pl_nccl_comm *comm)
{
	return __atomic_load_n(&comm->making, __ATOMIC_ACQUIRE) == PL_MAKING_DONE;
}

#endif
