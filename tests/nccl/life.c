/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c - communicators of all kinds: made, split, used, ended */
/*
 *     RANK=0 WORLD_SIZE=4 life SUBJECT
 *
 * Every subject is right with and without a library in between.
 */
#include "config.h"

#include "tests/nccl/life.h"

#include "tests/nccl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void life_config(struct life_config *config)
{
	memset(config, 0, sizeof(*config));
	config->nccl.size = sizeof(*config);
	config->nccl.magic = NCCL_API_MAGIC;
	config->nccl.version = 22809;
	config->nccl.blocking = NCCL_CONFIG_UNDEF_INT;
	config->nccl.cga_cluster_size = NCCL_CONFIG_UNDEF_INT;
	config->nccl.min_ctas = NCCL_CONFIG_UNDEF_INT;
	config->nccl.max_ctas = NCCL_CONFIG_UNDEF_INT;
	config->nccl.split_share = NCCL_CONFIG_UNDEF_INT;
	config->traffic_class = NCCL_CONFIG_UNDEF_INT;
	for (size_t i = 0; i < sizeof(config->more) / sizeof(*config->more);
	     i++)
		config->more[i] = NCCL_CONFIG_UNDEF_INT;
}

bool life_is(struct job *job, ncclComm_t comm, int n, int rank,
	     const char *what)
{
	int got_n = -1, got_rank = -1;

	ncclCommCount(comm, &got_n);
	ncclCommUserRank(comm, &got_rank);
	return job_check(job, got_n == n && got_rank == rank,
			 "%s: rank %d of %d, not %d of %d", what, got_rank,
			 got_n, rank, n);
}

bool life_sum(struct job *job, ncclComm_t comm, int given, int want,
	      const char *what)
{
	int *device = device_alloc(sizeof(int)), got = -1;
	bool good;

	device_put(device, &given, sizeof(given));
	good = job_done(job,
			ncclAllReduce(device, device, 1, ncclInt32, ncclSum,
				      comm, device_stream()),
			comm, what);
	device_get(&got, device, sizeof(got));
	device_free(device);
	return job_check(job, got == want, "%s: %d, not %d", what, got, want) &&
	       good;
}

bool life_from(struct job *job, ncclComm_t comm, int root, int given, int want,
	       const char *what)
{
	int *device = device_alloc(sizeof(int)), got = -1;
	bool good;

	device_put(device, &given, sizeof(given));
	good = job_done(job,
			ncclBroadcast(device, device, 1, ncclInt32, root, comm,
				      device_stream()),
			comm, what);
	device_get(&got, device, sizeof(got));
	device_free(device);
	return job_check(job, got == want, "%s: %d, not %d", what, got, want) &&
	       good;
}

int life_total(int n)
{
	return n * (n + 1) / 2;
}

bool life_works(struct job *job, ncclComm_t comm, const char *what)
{
	bool good = true;

	good &= life_is(job, comm, job->n, job->rank, what);
	good &= life_sum(job, comm, job->rank + 1, life_total(job->n), what);
	for (int root = 0; root < job->n; root++)
		good &= life_from(job, comm, root, job->rank, root, what);
	return good;
}

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
