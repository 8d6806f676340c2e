/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a process of a job that uses NCCL: who it is, what it finds wrong */
#ifndef PLINK_TESTS_SHIM_NCCL_JOB_H
#define PLINK_TESTS_SHIM_NCCL_JOB_H

#include "shim/nccl/prototypes.h"

#include <stdbool.h>

/* From RANK and WORLD_SIZE. */
struct job {
	int rank, n;
	long n_checks, n_failed;
};

/* Opens the device, too. */
void job_begin(struct job *job);

/* Prints how many checks were made; 0, or 1 where one failed: for main(). */
int job_end(const struct job *job);

void job_pause(long ms);

/* A check: "rank 2: not ok - ..." where it fails. Returns @good. */
bool job_check(struct job *job, bool good, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of a call that must succeed, which may be still in progress where
 * the communicator does not block: then waits for it. */
bool job_done(struct job *job, ncclResult_t rc, ncclComm_t comm,
	      const char *what);

/* The same of one that makes a communicator of @comm, or of nothing @comm
 * itself: it may succeed before that is there. */
bool job_made(struct job *job, ncclResult_t rc, ncclComm_t comm,
	      const char *what);

/* Passes an id on: it is @mine, NULL where there is none, or comes from the
 * process whose it is. */
bool job_pass(struct job *job, int number, ncclUniqueId *id, bool mine);

/* The same id in all processes: made by rank 0 and passed on by the file
 * PLINK_TEST_ID.@number, or of NCCL_COMM_ID. */
bool job_id(struct job *job, int number, ncclUniqueId *id);

/* A communicator of all. NULL, and it was said, where it cannot be. */
ncclComm_t job_world(struct job *job);

#endif
