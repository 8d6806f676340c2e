/* SPDX-License-Identifier: BSD-3-Clause */
/* meanwhile.c - aborting communicators while something else is done */
#include "config.h"

#include "shim/nccl/meanwhile.h"

#include <errno.h>
#include <signal.h>

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) != 0 && errno == EINTR)
		;
}

static void abort_all(const struct pl_meanwhile *meanwhile)
{
	for (size_t i = 0; i < meanwhile->n; i++)
		PL_NCCL(CommAbort)(meanwhile->comm[i]);
}

/* Groups are a thread's own: that of this one ends when the other call is
 * over. */
static void *abort_in_group(void *data)
{
	struct pl_meanwhile *meanwhile = data;

	PL_NCCL(GroupStart)();
	abort_all(meanwhile);
	sem_post(&meanwhile->told);
	wait_for(&meanwhile->other_done);
	PL_NCCL(GroupEnd)();
	return NULL;
}

bool pl_thread_start(pthread_t *thread, void *(*run)(void *), void *data)
{
	sigset_t all, before;
	bool runs;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	runs = pthread_create(thread, NULL, run, data) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return runs;
}

void pl_meanwhile_abort(struct pl_meanwhile *meanwhile)
{
	sem_init(&meanwhile->told, 0, 0);
	sem_init(&meanwhile->other_done, 0, 0);
	meanwhile->runs = pl_thread_start(&meanwhile->thread, abort_in_group, meanwhile);
	if (meanwhile->runs) {
		wait_for(&meanwhile->told);
		return;
	}
	PL_NCCL(GroupStart)();
	abort_all(meanwhile);
	PL_NCCL(GroupEnd)();
}

void pl_meanwhile_end(struct pl_meanwhile *meanwhile)
{
	sem_post(&meanwhile->other_done);
	if (meanwhile->runs)
		pthread_join(meanwhile->thread, NULL);
	sem_destroy(&meanwhile->told);
	sem_destroy(&meanwhile->other_done);
}
