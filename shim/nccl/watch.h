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

/* If stop does not come within as many seconds as PLINK_NCCL_PATIENCE says (30
 * where it is not set; 0: no matter when), says that other processes may lack
 * this library. Where no thread can be had, says nothing. */
void pl_watch_start(struct pl_nccl_watch *watch);
void pl_watch_stop(struct pl_nccl_watch *watch);

#define PL_WATCH_NOT 0
#define PL_WATCH_SAID -1

/* The same for who does not block but asks now and then, whether it is over:
 * @since_s is PL_WATCH_NOT before the first time. */
void pl_watch_ask(int64_t *since_s);

#endif
