/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - what the lives of communicators have in common */
#ifndef PLINK_TESTS_SHIM_NCCL_LIFE_H
#define PLINK_TESTS_SHIM_NCCL_LIFE_H

#include "tests/shim-nccl/job.h"

typedef void life_fn(struct job *job);

/* A config as in programs made for 2.28: longer than the one that the preload library knows. */
struct life_config {
	ncclConfig_t nccl;
	const char *comm_name;
	int more[6];
};
void life_config(struct life_config *config);

/* A nonblocking communicator of all processes, with the job's id @number. NULL: none; *rc is NCCL's
 * result. */
ncclComm_t life_begin(struct job *job, int number, ncclResult_t *rc);

/* The same with id 1, and ready. */
ncclComm_t life_begun(struct job *job);

/* Is this process rank @rank of @n in @comm? */
bool life_is(struct job *job, ncclComm_t comm, int n, int rank, const char *what);

/* Does an all-reduce, to which this process gives @given, result in @want? Of one element, or of so
 * many as PLINK_TEST_COUNT says, all alike. */
bool life_sum(struct job *job, ncclComm_t comm, int given, int want, const char *what);

/* Does a broadcast from @root give this process @want? As root, it gives @given. */
bool life_from(struct job *job, ncclComm_t comm, int root, int given, int want, const char *what);

/* 1 + 2 + ... + n */
int life_total(int n);

/* All these checks on a communicator of all processes with the job's ranks. */
bool life_works(struct job *job, ncclComm_t comm, const char *what);

/* life-make.c */
life_fn life_plain, life_with_config, life_scalable, life_two, life_group_init, life_group_fails,
	life_group_nested, life_simulate, life_nonblocking, life_nonblocking_group, life_many;
/* life-memory.c */
life_fn life_group_memory;
/* life-split.c */
life_fn life_split, life_split_group, life_split_none, life_nonblocking_split, life_shrink,
	life_shrink_abort;
/* life-own.c: what belongs to a communicator */
life_fn life_operators, life_buffers, life_windows;
/* life-end.c */
life_fn life_abort, life_abort_at_once, life_revoke, life_no_finalize, life_left;
/* life-stuck.c */
life_fn life_stuck, life_stuck_turned, life_stuck_group, life_stuck_revoke,
	life_stuck_turned_revoke, life_stuck_shrink, life_stuck_turned_shrink;
/* life-wrong.c */
life_fn life_wrong, life_wrong_group;
/* life-threads.c */
life_fn life_devices, life_threads;

#endif
