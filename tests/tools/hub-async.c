/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-async.c - one of three processes that push to hubs asynchronously */
/* hub-async SCHEDULE RANK HOST:PORT STALENESS STEPS, with SECRET in the environment. Rank 0 begins
 * when rank 1 can go no further without it, rank 2 leaves at once. Prints what rank 0 saw of rank
 * 1, how far ahead rank 1 was, and the parameters in the end. Ends with 4 if a call fails. */
#include "lib/plink.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY 3
#define COUNT 10000
#define TIMEOUT_S 60
#define LOOKS 10
#define LOOK_MS 10
/* a step of rank 0 adds so much to each parameter, one of rank 1 adds 1 */
#define OF_RANK_0 1024

static float v[COUNT];
static struct pl_error error;

static int fail(void)
{
	fprintf(stderr, "hub-async: %s\n", error.text);
	return 4;
}

static int step(struct pl_communicator *c, float by)
{
	const struct pl_optimizer sgd = {.kind = PL_OPTIMIZER_SGD, .scale = -1, .rate = 1};

	for (size_t i = 0; i < COUNT; i++)
		v[i] = by;
	return pl_hub_async_push_pull(c, KEY, v, COUNT, &sgd, &error);
}

static long steps_of_rank_0(void)
{
	return (long)v[0] / OF_RANK_0;
}

/* Waits until rank 1 has made @n steps, and looks whether it makes more. */
static int await(struct pl_communicator *c, long n)
{
	v[0] = 0;
	while ((long)v[0] < n)
		if (pl_hub_async_pull(c, KEY, v, COUNT, &error))
			return -1;
	for (int i = 0; i < LOOKS; i++) {
		poll(NULL, 0, LOOK_MS);
		if (pl_hub_async_pull(c, KEY, v, COUNT, &error))
			return -1;
	}
	printf("rank 1 made %ld steps alone\n", (long)v[0]);
	return 0;
}

/* Has all processes push the same, which the hubs' threads are to count once.
 */
static int push(struct pl_communicator *c, float by)
{
	const struct pl_optimizer sgd = {.kind = PL_OPTIMIZER_SGD, .scale = -1, .rate = 1};

	for (size_t i = 0; i < COUNT; i++)
		v[i] = by;
	return pl_hub_push(c, KEY, v, COUNT, &sgd, &error);
}

/* Their parameters are counts of both ranks' steps. */
static int run(struct pl_communicator *c, size_t rank, unsigned staleness, long steps)
{
	long ahead = 0;

	if (pl_hub_put(c, KEY, v, COUNT, &error) || push(c, 1) || push(c, -1) ||
	    pl_hub_async(c, staleness, &error) || (rank == 0 && await(c, (long)staleness + 1)))
		return -1;
	for (long k = 1; rank < 2 && k <= steps; k++) {
		if (step(c, rank == 0 ? OF_RANK_0 : 1))
			return -1;
		if (rank == 1 && k - 1 - steps_of_rank_0() > ahead)
			ahead = k - 1 - steps_of_rank_0();
	}
	if (rank == 1)
		printf("%ld ahead at most\n", ahead);
	if (pl_hub_pull(c, KEY, v, COUNT, &error))
		return -1;
	for (size_t i = 1; i < COUNT; i++)
		if (v[i] != v[0])
			printf("parameter %zu is %g\n", i, (double)v[i]);
	printf("%.0f\n", (double)v[0]);
	return 0;
}

/* What is refused, and leaves the communicator as it was. */
static void refused(struct pl_communicator *c)
{
	const struct pl_optimizer sum = {.kind = PL_OPTIMIZER_SUM};

	if (step(c, 1))
		printf("%s\n", error.text);
	if (pl_hub_async(c, 0, &error) == 0 &&
	    pl_hub_async_push_pull(c, KEY, v, COUNT, &sum, &error))
		printf("%s\n", error.text);
	if (step(c, 1))
		printf("%s\n", error.text);
	memset(v, 0, sizeof(v));
}

int main(int argc, char **argv)
{
	struct pl_communicator *c = NULL;
	struct pl_schedule_file *file;
	struct pl_meeting meeting;
	size_t rank;
	int rc;

	if (argc != 6)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	rank = strtoul(argv[2], NULL, 10);
	meeting = (struct pl_meeting){.address = argv[3], .secret = getenv("SECRET")};
	file = pl_schedule_file_read(argv[1], &error);
	if (file)
		c = pl_communicator_meet(file, rank, &meeting, TIMEOUT_S, &error);
	if (c)
		refused(c);
	rc = c && run(c, rank, (unsigned)strtoul(argv[4], NULL, 10), strtol(argv[5], NULL, 10)) == 0
		     ? 0
		     : fail();
	pl_communicator_destroy(c);
	pl_schedule_file_destroy(file);
	return rc;
}
