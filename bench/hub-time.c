/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-time.c - one process of a job: all-reduces through libplink, or steps of optimisers, timed */
/* hub-time SCHEDULE RANK HOST:PORT BYTES CALLS [KIND,...], with SECRET in the environment: rank 0
 * prints the time of each call, in microseconds; with kinds of calls, which are made in turn, each
 * by itself, their names stand before. Ends with 1 if a sum is wrong, 4 if a call fails. */
#include "lib/plink.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

#define ADAM .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8

static const struct kind {
	const char *name;
	bool steps; /* of an optimiser; otherwise an all-reduce */
	struct pl_optimizer optimizer;
} kinds[] = {
	{"allreduce", false, {.kind = PL_OPTIMIZER_SUM}},
	{"sum", true, {.kind = PL_OPTIMIZER_SUM, .scale = 1}},
	{"sgd", true, {.kind = PL_OPTIMIZER_SGD, .scale = 1, .rate = 1e-3}},
	{"momentum", true, {.kind = PL_OPTIMIZER_SGD, .scale = 1, .rate = 1e-3, .momentum = 0.9}},
	{"adam", true, {.kind = PL_OPTIMIZER_ADAM, .scale = 1, .rate = 1e-3, ADAM}},
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct job {
	struct pl_communicator *c;
	size_t rank, n;
	float *v;
	size_t count;
};

static int exchange(const struct job *j, const struct kind *kind, struct pl_error *error)
{
	if (!kind->steps)
		return pl_communicator_allreduce(j->c, j->v, j->count, PL_ELEMENT_FLOAT,
						 PL_REDUCTION_SUM, error);
	return pl_hub_push_pull(j->c, (uint32_t)(kind - kinds), j->v, j->count, &kind->optimizer,
				error);
}

/* Rank 0 brings 1s, rank 1 brings 2s, and so on. */
static int call(const struct job *j, const struct kind *kind, double *us)
{
	struct pl_error error;
	double begun_us;

	for (size_t i = 0; i < j->count; i++)
		j->v[i] = (float)(j->rank + 1);
	begun_us = now_us();
	if (exchange(j, kind, &error))
		return fail(&error);
	*us = now_us() - begun_us;
	for (size_t i = 0; i < j->count; i++)
		if (kind->optimizer.kind == PL_OPTIMIZER_SUM &&
		    j->v[i] != (float)(j->n * (j->n + 1) / 2)) {
			fprintf(stderr, "hub-time: a sum is %g\n", (double)j->v[i]);
			return 1;
		}
	return 0;
}

static int put(const struct job *j, const struct kind *kind)
{
	struct pl_error error;

	memset(j->v, 0, j->count * sizeof(*j->v));
	return kind->steps && pl_hub_put(j->c, (uint32_t)(kind - kinds), j->v, j->count, &error)
		       ? fail(&error)
		       : 0;
}

static bool is_named(const char *names, const struct kind *kind)
{
	const char *at = strstr(names, kind->name);

	return at && (at == names || at[-1] == ',');
}

/* @names: of kinds; NULL: all-reduces, without their name. */
static int run(const struct job *j, const char *names, unsigned long calls)
{
	double us;
	int rc = j->v ? 0 : 4;

	for (size_t i = 0; rc == 0 && names && i < N_KINDS; i++)
		if (is_named(names, &kinds[i]))
			rc = put(j, &kinds[i]);
	for (unsigned long k = 0; k < WARMUP + calls; k++)
		for (size_t i = 0; rc == 0 && i < N_KINDS; i++) {
			if (!is_named(names ? names : kinds[0].name, &kinds[i]))
				continue;
			rc = call(j, &kinds[i], &us);
			if (rc == 0 && j->rank == 0 && k >= WARMUP)
				printf("%s%s%.0f\n", names ? kinds[i].name : "", names ? " " : "",
				       us);
		}
	return rc;
}

int main(int argc, char **argv)
{
	struct pl_schedule_file *file;
	struct job j = {.c = NULL};
	struct pl_meeting meeting;
	struct pl_error error;
	int rc;

	if (argc < 6 || argc > 7 || !getenv("SECRET")) {
		fprintf(stderr, "usage: SECRET=... hub-time SCHEDULE RANK HOST:PORT BYTES CALLS "
				"[KIND,...]\n");
		return 2;
	}
	j.rank = strtoul(argv[2], NULL, 10);
	j.count = strtoul(argv[4], NULL, 10) / sizeof(float);
	j.v = malloc(j.count * sizeof(*j.v));
	meeting = (struct pl_meeting){.address = argv[3], .secret = getenv("SECRET")};
	file = pl_schedule_file_read(argv[1], &error);
	if (file) {
		j.n = pl_schedule_file_processes(file);
		j.c = pl_communicator_meet(file, j.rank, &meeting, TIMEOUT_S, &error);
	}
	rc = j.c ? run(&j, argv[6], strtoul(argv[5], NULL, 10)) : fail(&error);
	free(j.v);
	pl_communicator_destroy(j.c);
	pl_schedule_file_destroy(file);
	return rc;
}
