/* SPDX-License-Identifier: BSD-3-Clause */
/* linked.c - a small program that is linked with NCCL, in one way or another */
/*
 *     RANK=0 WORLD_SIZE=4 linked
 *
 * An all-reduce, broadcasts and an all-gather; with -DNEWEST also a function that
 * only the newest NCCL has.
 */
#include "config.h"

#include "tests/nccl/job.h"

#ifdef NEWEST
ncclResult_t ncclNewest(int peer, ncclComm_t comm);
#else
static ncclResult_t ncclNewest(int peer, ncclComm_t comm)
{
	(void)peer;
	(void)comm;
	return ncclSuccess;
}
#endif

int main(void)
{
	int mine, all[64] = {0}, from;
	struct job job;
	ncclComm_t comm;

	job_begin(&job);
	comm = job_world(&job);
	if (!comm)
		return job_end(&job);
	mine = job.rank + 1;
	job_done(&job,
		 ncclAllReduce(&mine, &mine, 1, ncclInt32, ncclSum, comm, NULL),
		 comm, "all-reduce");
	job_check(&job, mine == job.n * (job.n + 1) / 2, "sum: %d", mine);
	for (int root = 0; root < job.n; root++) {
		from = job.rank;
		job_done(&job, ncclBcast(&from, 1, ncclInt32, root, comm, NULL),
			 comm, "broadcast");
		job_check(&job, from == root, "from %d: %d", root, from);
	}
	job_done(&job, ncclAllGather(&job.rank, all, 1, ncclInt32, comm, NULL),
		 comm, "all-gather");
	for (int r = 0; r < job.n; r++)
		job_check(&job, all[r] == r, "of %d: %d", r, all[r]);
	job_done(&job, ncclNewest(3, comm), NULL, "the newest function");
	job_done(&job, ncclCommDestroy(comm), NULL, "destroy");
	return job_end(&job);
}
