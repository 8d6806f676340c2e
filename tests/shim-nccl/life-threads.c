/* SPDX-License-Identifier: BSD-3-Clause */
/* life-threads.c - several devices or several threads in one process */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

#include <pthread.h>
#include <string.h>

#define N_DEVICES 3

static void use_devices(struct job *job, ncclComm_t *comm)
{
	int *device = device_alloc(2 * N_DEVICES * sizeof(int));
	int given[2 * N_DEVICES], got[2 * N_DEVICES];
	int rank;

	for (int i = 0; i < N_DEVICES; i++) {
		given[i] = i + 1;
		given[N_DEVICES + i] = i;
		rank = -1;
		job_done(job, ncclCommUserRank(comm[i], &rank), NULL, "rank");
		job_check(job, rank == i, "device %d has rank %d", i, rank);
	}
	device_put(device, given, sizeof(given));
	ncclGroupStart();
	for (int i = 0; i < N_DEVICES; i++)
		job_done(job,
			 ncclAllReduce(device + i, device + i, 1, ncclInt32, ncclSum, comm[i],
				       device_stream()),
			 NULL, "all-reduce of devices");
	for (int i = 0; i < N_DEVICES; i++)
		job_done(job,
			 ncclBroadcast(device + N_DEVICES + i, device + N_DEVICES + i, 1, ncclInt32,
				       2, comm[i], device_stream()),
			 NULL, "broadcast of devices");
	job_done(job, ncclGroupEnd(), NULL, "the group of devices");
	device_get(got, device, sizeof(got));
	for (int i = 0; i < N_DEVICES; i++)
		job_check(job, got[i] == 6 && got[N_DEVICES + i] == 2, "device %d: %d %d", i,
			  got[i], got[N_DEVICES + i]);
	device_free(device);
}

/* Each process for itself. */
void life_devices(struct job *job)
{
	static const int devices[N_DEVICES] = {0, 1, 2};
	ncclComm_t comm[N_DEVICES];

	job_done(job, ncclCommInitAll(comm, N_DEVICES, devices), NULL, "ncclCommInitAll");
	use_devices(job, comm);
	use_devices(job, comm);
	for (int i = 0; i < N_DEVICES; i++)
		job_done(job, ncclCommDestroy(comm[i]), NULL, "destroy");
}

struct thread {
	pthread_t id;
	struct job job;
	ncclUniqueId unique;
};

static void *thread_main(void *arg)
{
	struct thread *t = arg;
	ncclComm_t comm = NULL;

	job_done(&t->job, ncclCommInitRank(&comm, t->job.n, t->unique, t->job.rank), NULL,
		 "init in a thread");
	for (int i = 0; i < 5; i++)
		life_works(&t->job, comm, "in a thread");
	job_done(&t->job, ncclCommFinalize(comm), comm, "finalize");
	job_done(&t->job, ncclCommDestroy(comm), NULL, "destroy");
	return NULL;
}

/* Four threads, a communicator of all processes each. */
void life_threads(struct job *job)
{
	struct thread thread[4];
	size_t n = 0;

	memset(thread, 0, sizeof(thread));
	for (size_t i = 0; i < 4; i++) {
		thread[i].job = (struct job){.rank = job->rank, .n = job->n};
		if (!job_id(job, (int)i, &thread[i].unique))
			return;
	}
	while (n < 4 && !pthread_create(&thread[n].id, NULL, thread_main, &thread[n]))
		n++;
	job_check(job, n == 4, "threads: %zu", n);
	for (size_t i = 0; i < n; i++) {
		pthread_join(thread[i].id, NULL);
		job->n_checks += thread[i].job.n_checks;
		job->n_failed += thread[i].job.n_failed;
	}
}
