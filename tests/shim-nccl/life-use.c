/* SPDX-License-Identifier: BSD-3-Clause */
/* life-use.c - what a communicator must do that is alive */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

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
	config->nccl.traffic_class = NCCL_CONFIG_UNDEF_INT;
	for (size_t i = 0; i < sizeof(config->more) / sizeof(*config->more); i++)
		config->more[i] = NCCL_CONFIG_UNDEF_INT;
}

bool life_is(struct job *job, ncclComm_t comm, int n, int rank, const char *what)
{
	int got_n = -1, got_rank = -1;

	ncclCommCount(comm, &got_n);
	ncclCommUserRank(comm, &got_rank);
	return job_check(job, got_n == n && got_rank == rank, "%s: rank %d of %d, not %d of %d",
			 what, got_rank, got_n, rank, n);
}

#define SUM_COUNT_MAX 256

bool life_sum(struct job *job, ncclComm_t comm, int given, int want, const char *what)
{
	const char *named = getenv("PLINK_TEST_COUNT");
	const size_t n = named ? strtoul(named, NULL, 10) % SUM_COUNT_MAX : 1;
	int *device = device_alloc(n * sizeof(int)), got[SUM_COUNT_MAX];
	size_t wrong = 0;
	bool good;

	for (size_t i = 0; i < n; i++)
		got[i] = given;
	device_put(device, got, n * sizeof(int));
	good = job_done(job,
			ncclAllReduce(device, device, n, ncclInt32, ncclSum, comm, device_stream()),
			comm, what);
	device_get(got, device, n * sizeof(int));
	device_free(device);
	while (wrong < n && got[wrong] == want)
		wrong++;
	return job_check(job, wrong == n, "%s: %d, not %d", what, got[wrong % n], want) && good;
}

bool life_from(struct job *job, ncclComm_t comm, int root, int given, int want, const char *what)
{
	int *device = device_alloc(sizeof(int)), got = -1;
	bool good;

	device_put(device, &given, sizeof(given));
	good = job_done(job,
			ncclBroadcast(device, device, 1, ncclInt32, root, comm, device_stream()),
			comm, what);
	device_get(&got, device, sizeof(got));
	device_free(device);
	return job_check(job, got == want, "%s: %d, not %d", what, got, want) && good;
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
