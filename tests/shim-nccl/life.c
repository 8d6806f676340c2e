/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c - communicators of all kinds: made, split, used, ended */
/*
 *     RANK=0 WORLD_SIZE=4 life SUBJECT
 *
 * Every subject is right with and without a library in between.
 */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	life_fn *run;
} subjects[] = {
	{"plain", life_plain},
	{"config", life_with_config},
	{"scalable", life_scalable},
	{"two", life_two},
	{"group-init", life_group_init},
	{"group-fails", life_group_fails},
	{"group-memory", life_group_memory},
	{"group-nested", life_group_nested},
	{"simulate", life_simulate},
	{"nonblocking", life_nonblocking},
	{"nonblocking-group", life_nonblocking_group},
	{"nonblocking-split", life_nonblocking_split},
	{"split", life_split},
	{"split-group", life_split_group},
	{"split-none", life_split_none},
	{"shrink", life_shrink},
	{"shrink-abort", life_shrink_abort},
	{"operators", life_operators},
	{"buffers", life_buffers},
	{"windows", life_windows},
	{"abort", life_abort},
	{"abort-at-once", life_abort_at_once},
	{"revoke", life_revoke},
	{"stuck", life_stuck},
	{"stuck-turned", life_stuck_turned},
	{"stuck-group", life_stuck_group},
	{"stuck-revoke", life_stuck_revoke},
	{"stuck-turned-revoke", life_stuck_turned_revoke},
	{"stuck-shrink", life_stuck_shrink},
	{"stuck-turned-shrink", life_stuck_turned_shrink},
	{"no-finalize", life_no_finalize},
	{"left", life_left},
	{"wrong", life_wrong},
	{"wrong-group", life_wrong_group},
	{"devices", life_devices},
	{"threads", life_threads},
	{"many", life_many},
};

int main(int argc, char **argv)
{
	const size_t n = sizeof(subjects) / sizeof(*subjects);
	struct job job;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (size_t i = 0; i < n; i++)
			printf("%s\n", subjects[i].name);
		return 0;
	}
	job_begin(&job);
	for (int a = 1; a < argc; a++) {
		size_t i = 0;

		while (i < n && strcmp(subjects[i].name, argv[a]))
			i++;
		if (i == n) {
			fprintf(stderr, "life: no subject %s\n", argv[a]);
			return 2;
		}
		subjects[i].run(&job);
	}
	return job_end(&job);
}

ncclComm_t life_begin(struct job *job, int number, ncclResult_t *rc)
{
	struct life_config config;
	ncclComm_t comm = NULL;
	ncclUniqueId id;

	life_config(&config);
	config.nccl.blocking = 0;
	if (!job_id(job, number, &id))
		return NULL;
	*rc = ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config.nccl);
	return comm;
}

ncclComm_t life_begun(struct job *job)
{
	ncclResult_t rc = ncclSuccess;
	ncclComm_t comm = life_begin(job, 1, &rc);

	if (comm)
		job_done(job, rc, comm, "made without waiting");
	return comm;
}
