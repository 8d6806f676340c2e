/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - a process of a job that uses NCCL */
#include "config.h"

#include "tests/shim-nccl/job.h"

#include "tests/shim-nccl/device.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int number_of(const char *name)
{
	const char *s = getenv(name);

	if (!s) {
		fprintf(stderr, "job: no %s\n", name);
		exit(2);
	}
	return (int)strtol(s, NULL, 10);
}

void job_begin(struct job *job)
{
	*job = (struct job){.rank = number_of("RANK"), .n = number_of("WORLD_SIZE")};
	setvbuf(stdout, NULL, _IOLBF, 0);
	device_open();
}

int job_end(const struct job *job)
{
	printf("rank %d: %ld checks, %ld failed\n", job->rank, job->n_checks, job->n_failed);
	return job->n_failed > 0;
}

bool job_check(struct job *job, bool good, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	job->n_checks++;
	if (good)
		return true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (++job->n_failed <= 20)
		printf("rank %d: not ok - %s\n", job->rank, text);
	return false;
}

void job_pause(long ms)
{
	const struct timespec wait = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&wait, NULL);
}

bool job_done(struct job *job, ncclResult_t rc, ncclComm_t comm, const char *what)
{
	ncclResult_t state = rc;

	while (state == ncclInProgress && comm) {
		job_pause(1);
		rc = ncclCommGetAsyncError(comm, &state);
		if (rc)
			state = rc;
	}
	return job_check(job, !state, "%s: %s (%s)", what, ncclGetErrorString(state),
			 ncclGetLastError(comm));
}

bool job_made(struct job *job, ncclResult_t rc, ncclComm_t comm, const char *what)
{
	return job_done(job, rc || !comm ? rc : ncclInProgress, comm, what);
}

/* Written under another name first: whoever finds it finds it whole. Empty where there is none, so
 * that nobody waits for it. */
static bool write_id(const char *path, const ncclUniqueId *id)
{
	char part[PATH_MAX];
	FILE *file;
	bool good;

	snprintf(part, sizeof(part), "%.4000s.part", path);
	file = fopen(part, "w");
	good = file && (!id || fwrite(id, sizeof(*id), 1, file) == 1);
	if (file && fclose(file))
		good = false;
	return good && !rename(part, path);
}

static bool read_id(const char *path, ncclUniqueId *id)
{
	FILE *file = NULL;
	bool good;

	for (int i = 0; i < 6000 && !file; i++) {
		file = fopen(path, "r");
		if (!file)
			job_pause(10);
	}
	good = file && fread(id, sizeof(*id), 1, file) == 1;
	if (file)
		fclose(file);
	return good;
}

bool job_pass(struct job *job, int number, ncclUniqueId *id, bool mine)
{
	const char *prefix = getenv("PLINK_TEST_ID");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s.%d", prefix ? prefix : "", number);
	if (!mine)
		return job_check(job, read_id(path, id), "id %d is read", number);
	return job_check(job, write_id(path, id), "id %d is written", number) && id;
}

bool job_id(struct job *job, int number, ncclUniqueId *id)
{
	const bool mine = job->rank == 0;

	if (!getenv("PLINK_TEST_ID") || getenv("NCCL_COMM_ID"))
		return job_done(job, ncclGetUniqueId(id), NULL, "ncclGetUniqueId");
	if (mine && !job_done(job, ncclGetUniqueId(id), NULL, "ncclGetUniqueId"))
		id = NULL;
	return job_pass(job, number, id, mine);
}

ncclComm_t job_world(struct job *job)
{
	ncclComm_t comm = NULL;
	ncclUniqueId id;

	if (job_id(job, 0, &id))
		job_done(job, ncclCommInitRank(&comm, job->n, id, job->rank), NULL,
			 "ncclCommInitRank");
	return comm;
}
