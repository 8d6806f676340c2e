/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - saying why a process waits */
#include "config.h"

#include "shim/nccl/watch.h"

#include "base/text/size.h"
#include "shim/nccl/meanwhile.h"
#include "shim/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_S 30
#define PATIENCE_MAX_NS 1e18

/* PLINK_NCCL_PATIENCE; 0: for ever. */
static int64_t patience_s(void)
{
	static bool said;
	const char *s = getenv("PLINK_NCCL_PATIENCE");
	double ns = 0;

	if (s && *s && !pl_time_parse(s, 1e9, &ns) && ns <= PATIENCE_MAX_NS)
		return (int64_t)(ns / 1e9);
	if (s && *s && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		pl_shim_say("PLINK_NCCL_PATIENCE must be a time, as 30 or 2m, not \"%s\"; using %d",
			    s, PATIENCE_S);
	return PATIENCE_S;
}

static void say(int64_t waited_s)
{
	pl_shim_say("waited %lld s for the other ranks of a communicator: have all of them loaded "
		    "this library?",
		    (long long)waited_s);
}

static void *wait_and_say(void *data)
{
	struct pl_nccl_watch *watch = data;
	struct timespec limit;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += (time_t)watch->patience_s;
	pthread_mutex_lock(&watch->lock);
	while (!watch->is_over && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&watch->ended, &watch->lock, &limit);
	if (!watch->is_over)
		say(watch->patience_s);
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

void pl_watch_start(struct pl_nccl_watch *watch)
{
	pthread_condattr_t monotonic;

	memset(watch, 0, sizeof(*watch));
	watch->patience_s = patience_s();
	if (!watch->patience_s)
		return;
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	watch->runs = pl_thread_start(&watch->thread, wait_and_say, watch);
}

void pl_watch_stop(struct pl_nccl_watch *watch)
{
	if (!watch->patience_s)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->is_over = true;
	pthread_cond_signal(&watch->ended);
	pthread_mutex_unlock(&watch->lock);
	if (watch->runs)
		pthread_join(watch->thread, NULL);
	pthread_cond_destroy(&watch->ended);
	pthread_mutex_destroy(&watch->lock);
}

void pl_watch_ask(int64_t *since_s)
{
	const int64_t patience = patience_s();
	struct timespec now;

	if (!patience || *since_s == PL_WATCH_SAID)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (*since_s == PL_WATCH_NOT) {
		*since_s = now.tv_sec;
	} else if (now.tv_sec - *since_s >= patience) {
		say(patience);
		*since_s = PL_WATCH_SAID;
	}
}
