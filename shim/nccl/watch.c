/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - saying why a process waits */
#include "config.h"

#include "shim/nccl/watch.h"

#include "shim/say.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define LIMIT_S 30

static void *wait_and_say(void *data)
{
	struct pl_watch *watch = data;
	struct timespec limit;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += LIMIT_S;
	pthread_mutex_lock(&watch->lock);
	while (!watch->is_over && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&watch->ended, &watch->lock,
					    &limit);
	if (!watch->is_over)
		pl_shim_say("waiting for the other ranks of a communicator "
			    "since %d s: have all of them loaded this library?",
			    LIMIT_S);
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

void pl_watch_start(struct pl_watch *watch)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	memset(watch, 0, sizeof(*watch));
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* the program's signals are for its own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	watch->runs =
		pthread_create(&watch->thread, NULL, wait_and_say, watch) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pl_watch_stop(struct pl_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	watch->is_over = true;
	pthread_cond_signal(&watch->ended);
	pthread_mutex_unlock(&watch->lock);
	if (watch->runs)
		pthread_join(watch->thread, NULL);
	pthread_cond_destroy(&watch->ended);
	pthread_mutex_destroy(&watch->lock);
}
