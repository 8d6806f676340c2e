/* SPDX-License-Identifier: BSD-3-Clause */
/* timed.c - how long collectives take on the GPU, as its channels tell */
#include "config.h"

#include "shim/nccl/profiler/timed.h"

#include "shim/stats/table.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* That have not ended. Some never do, where NCCL aborts. */
#define LIVE_MAX 65536

struct pl_timed {
	struct pl_timed *next; /* of those that are free */
	uint64_t key;
	uint64_t first_ns, last_ns; /* atomic */
	int n_parts;                /* that have not ended; atomic */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct pl_timed *unused;
static int n_made;

static struct pl_timed *take(void)
{
	struct pl_timed *timed;

	pthread_mutex_lock(&lock);
	timed = unused;
	if (timed)
		unused = timed->next;
	else if (n_made < LIVE_MAX && (timed = malloc(sizeof(*timed))))
		n_made++;
	pthread_mutex_unlock(&lock);
	return timed;
}

struct pl_timed *pl_timed_begin(uint64_t key, int n_parts)
{
	struct pl_timed *timed = take();

	if (timed)
		*timed = (struct pl_timed){.key = key, .first_ns = UINT64_MAX, .n_parts = n_parts};
	return timed;
}

void pl_timed_first(struct pl_timed *timed, uint64_t ns)
{
	uint64_t old = __atomic_load_n(&timed->first_ns, __ATOMIC_RELAXED);

	while (ns < old && !__atomic_compare_exchange_n(&timed->first_ns, &old, ns, false,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void pl_timed_last(struct pl_timed *timed, uint64_t ns)
{
	uint64_t old = __atomic_load_n(&timed->last_ns, __ATOMIC_RELAXED);

	while (ns > old && !__atomic_compare_exchange_n(&timed->last_ns, &old, ns, false,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void pl_timed_end(struct pl_timed *timed)
{
	if (__atomic_sub_fetch(&timed->n_parts, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	if (timed->last_ns > timed->first_ns)
		pl_stats_add_time(timed->key, timed->last_ns - timed->first_ns);
	pthread_mutex_lock(&lock);
	timed->next = unused;
	unused = timed;
	pthread_mutex_unlock(&lock);
}
