/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - saying why a process waits */
#ifndef PLINK_SHIM_NCCL_WATCH_H
#define PLINK_SHIM_NCCL_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct pl_nccl_watch {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	int64_t patience_s;
	bool runs, is_over;
};

/* If pl_watch_stop() is not called within PLINK_NCCL_PATIENCE seconds (default 30; 0: no limit),
 * prints that other processes may lack this library. Prints nothing if there can be no thread. */
void pl_watch_start(struct pl_nccl_watch *watch);
void pl_watch_stop(struct pl_nccl_watch *watch);

#define PL_WATCH_NOT 0
#define PL_WATCH_SAID -1

/* The same for a caller that does not block but polls: call it at each poll. *since_s must be
 * PL_WATCH_NOT before the first call. */
void pl_watch_ask(int64_t *since_s);

#endif
