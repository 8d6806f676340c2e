/* SPDX-License-Identifier: BSD-3-Clause */
/* meanwhile.h - aborting communicators while something else is done */
/*
 * ncclCommAbort tells the communicator's kernels to stop and waits for them. They may be in a
 * stream behind kernels of another communicator. The caller stops those only later, by a call that
 * waits as well and cannot be in the same group. So the abort runs in a thread of its own.
 */
#ifndef PLINK_SHIM_NCCL_MEANWHILE_H
#define PLINK_SHIM_NCCL_MEANWHILE_H

#include "shim/nccl/comms.h"

#include <pthread.h>
#include <semaphore.h>

struct pl_meanwhile {
	ncclComm_t comm[PL_HIDDEN_MAX]; /* to be aborted */
	size_t n;
	bool runs; /* is there a thread? */
	pthread_t thread;
	sem_t told, other_done;
};

/* Starts a thread that takes none of the program's signals, which are for its own threads. False:
 * there can be none. */
bool pl_thread_start(pthread_t *thread, void *(*run)(void *), void *data);

/* Returns when the kernels of meanwhile->comm[n] have been told to stop; if there can be no thread,
 * when they have stopped. */
void pl_meanwhile_abort(struct pl_meanwhile *meanwhile);

/* Returns when they have stopped and the communicators have ended. */
void pl_meanwhile_end(struct pl_meanwhile *meanwhile);

#endif
