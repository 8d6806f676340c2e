/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-time.c - one process of a job: all-reduces through libplink, timed */
/* hub-time SCHEDULE RANK HOST:PORT BYTES CALLS, with SECRET in the environment:
 * rank 0 prints the time of each call, in microseconds. Ends with 1 if a sum is
 * wrong, 4 if a call fails. */
#include "lib/plink.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARMUP 3
#define TIMEOUT_S 60

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int fail(const struct pl_error *error)
{
	fprintf(stderr, "hub-time: %s\n", error->text);
	return 4;
}

/* Rank 0 brings 1s, rank 1 brings 2s, and so on. */
static int call(struct pl_communicator *c, size_t rank, size_t n, float *v,
		size_t count, double *us)
{
	struct pl_error error;
	double begun_us;

	for (size_t i = 0; i < count; i++)
		v[i] = (float)(rank + 1);
	begun_us = now_us();
	if (pl_communicator_allreduce(c, v, count, PL_ELEMENT_FLOAT,
				      PL_REDUCTION_SUM, &error))
		return fail(&error);
	*us = now_us() - begun_us;
	for (size_t i = 0; i < count; i++)
		if (v[i] != (float)(n * (n + 1) / 2)) {
			fprintf(stderr, "hub-time: a sum is %g\n",
				(double)v[i]);
			return 1;
		}
	return 0;
}

static int run(struct pl_communicator *c, size_t rank, size_t n, size_t count,
	       unsigned long calls)
{
	float *v = malloc(count * sizeof(*v));
	double us;
	int rc = v ? 0 : 4;

	for (unsigned long k = 0; rc == 0 && k < WARMUP + calls; k++) {
		rc = call(c, rank, n, v, count, &us);
		if (rc == 0 && rank == 0 && k >= WARMUP)
			printf("%.0f\n", us);
	}
	free(v);
	return rc;
}

int main(int argc, char **argv)
{
	struct pl_communicator *c = NULL;
	struct pl_schedule_file *file;
	struct pl_meeting meeting;
	struct pl_error error;
	size_t rank;
	int rc;

	if (argc != 6 || !getenv("SECRET")) {
		fprintf(stderr, "usage: SECRET=... hub-time SCHEDULE RANK "
				"HOST:PORT BYTES CALLS\n");
		return 2;
	}
	rank = strtoul(argv[2], NULL, 10);
	meeting = (struct pl_meeting){.address = argv[3],
				      .secret = getenv("SECRET")};
	file = pl_schedule_file_read(argv[1], &error);
	if (file)
		c = pl_communicator_meet(file, rank, &meeting, TIMEOUT_S,
					 &error);
	rc = c ? run(c, rank, pl_schedule_file_processes(file),
		     strtoul(argv[4], NULL, 10) / sizeof(float),
		     strtoul(argv[5], NULL, 10))
	       : fail(&error);
	pl_communicator_destroy(c);
	pl_schedule_file_destroy(file);
	return rc;
}
