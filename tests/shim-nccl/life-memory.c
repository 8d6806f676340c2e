/* SPDX-License-Identifier: BSD-3-Clause */
/* life-memory.c - communicators for which the preload library has no memory */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_calloc(size_t n, size_t size);

static __thread size_t left; /* calls until one is refused; 0: none is */

static bool is_by_plink(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libplink-nccl");
}

void *calloc(size_t n, size_t size)
{
	if (left && is_by_plink(__builtin_return_address(0)) && --left == 0) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(n, size);
}

/* Of two that a group makes, the library cannot record the second: it keeps no record of the first,
 * and both work as they are. The calls are for the list of the group, the first record and the
 * second. */
void life_group_memory(struct job *job)
{
	ncclComm_t comm[2] = {NULL, NULL}, world = job_world(job);
	ncclUniqueId id[2];
	ncclResult_t rc;
	bool refused;

	if (!job_id(job, 1, &id[0]) || !job_id(job, 2, &id[1]))
		return;
	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		job_done(job, ncclCommInitRank(&comm[i], job->n, id[i], job->rank), NULL,
			 "init in a group");
	left = 3;
	rc = ncclGroupEnd();
	refused = left == 0;
	left = 0;
	job_check(job, rc == (refused ? ncclSystemError : ncclSuccess), "the end of the group: %d",
		  rc);
	for (int i = 0; i < 2; i++) {
		life_works(job, comm[i], "made without memory");
		job_done(job, ncclCommDestroy(comm[i]), NULL, "destroy");
	}
	life_works(job, world, "made before");
	job_done(job, ncclCommDestroy(world), NULL, "destroy");
}
