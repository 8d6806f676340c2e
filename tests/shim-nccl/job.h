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

/* The same for a call that must succeed. If the communicator does not block, the call may be still
 * in progress: then waits for it. */
bool job_done(struct job *job, ncclResult_t rc, ncclComm_t comm, const char *what);

/* The same for a call that makes a communicator from @comm or, if made from none, makes @comm
 * itself: it may succeed before the communicator is there. */
bool job_made(struct job *job, ncclResult_t rc, ncclComm_t comm, const char *what);

/* Passes the id @number from one process to the others. @mine is true in the process that has it;
 * there, a NULL @id means that there is none. */
bool job_pass(struct job *job, int number, ncclUniqueId *id, bool mine);

/* Gets the same id in all processes: rank 0 makes it and passes it on in the file
 * PLINK_TEST_ID.@number; or it comes from NCCL_COMM_ID. */
bool job_id(struct job *job, int number, ncclUniqueId *id);

/* A communicator of all processes. NULL, with a message, if there can be
 * none. */
ncclComm_t job_world(struct job *job);

#endif
