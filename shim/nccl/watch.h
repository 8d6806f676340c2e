/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - saying why a process waits */
#ifndef PLINK_SHIM_NCCL_WATCH_H
#define PLINK_SHIM_NCCL_WATCH_H

#include <pthread.h>
#include <stdbool.h>

struct pl_watch {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool runs, is_over;
};

/* If stop does not come within 30 s, says that other processes may lack this
 * library. Where no thread can be had, says nothing. */
void pl_watch_start(struct pl_watch *watch);
void pl_watch_stop(struct pl_watch *watch);

#endif
