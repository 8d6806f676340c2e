/* SPDX-License-Identifier: BSD-3-Clause */
/* example-allreduce.c - one process of a job that adds up numbers by a
 * schedule */
/*
 * cc example-allreduce.c $(pkg-config --cflags --libs libplink) -o allreduce
 *
 * On each host of the schedule, with ranks from 0 on and rank 0 on h0:
 *
 * SECRET=... ./allreduce job.schedule RANK h0:4711 1000000
 */
#include <plink.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const struct pl_error *error)
{
	fprintf(stderr, "allreduce: %s\n", error->text);
	return (int)error->code;
}

/* Rank 0 brings 1s, rank 1 brings 2s, and so on. */
static int add_up(struct pl_communicator *c, size_t rank, size_t count)
{
	float *number = malloc(count * sizeof(*number));
	struct pl_error error;
	int rc = 0;

	if (!number) {
		fprintf(stderr, "allreduce: out of memory\n");
		return PL_ERROR_SYSTEM;
	}
	for (size_t i = 0; i < count; i++)
		number[i] = (float)(rank + 1);
	if (pl_communicator_allreduce(c, number, count, PL_ELEMENT_FLOAT, PL_REDUCTION_SUM, &error))
		rc = fail(&error);
	else
		printf("rank %zu: %zu sums, the last one is %g\n", rank, count,
		       (double)number[count - 1]);
	free(number);
	return rc;
}

int main(int argc, char **argv)
{
	const char *secret = getenv("SECRET");
	struct pl_communicator *c = NULL;
	struct pl_schedule_file *file;
	struct pl_meeting meeting;
	struct pl_error error;
	size_t rank;
	int rc;

	if (argc != 5 || !secret || strtoul(argv[4], NULL, 10) == 0) {
		fprintf(stderr, "usage: SECRET=... allreduce SCHEDULE RANK HOST:PORT COUNT\n");
		return PL_ERROR_USAGE;
	}
	rank = strtoul(argv[2], NULL, 10);
	meeting = (struct pl_meeting){.address = argv[3], .secret = secret};
	file = pl_schedule_file_read(argv[1], &error);
	if (file)
		c = pl_communicator_meet(file, rank, &meeting, 10, &error);
	rc = c ? add_up(c, rank, strtoul(argv[4], NULL, 10)) : fail(&error);
	pl_communicator_destroy(c);
	pl_schedule_file_destroy(file);
	return rc;
}
