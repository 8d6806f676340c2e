/* SPDX-License-Identifier: BSD-3-Clause */
/* tuner.c - libnccl-tuner-plink.so: NCCL takes the algorithms that a plan's orders are for */
/*
 * All ranks of a communicator must choose alike, and a plugin cannot ask the others: so what is
 * chosen depends on the plan, on the communicator's size and on NCCL's costs alone, and a plan that
 * cannot be read fails the communicator.
 */
#include "config.h"

#include "base/plan/plan.h"
#include "base/text/text.h"
#include "shim/nccl/tuner/tuner-abi.h"
#include "shim/say.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20) /* bytes in a file */
/* An order can make an algorithm faster than NCCL's model takes it to be, but a ring of many hosts
 * remains slow for a few bytes. */
#define FACTOR_MAX 2
#define N_FUNCTIONS (PL_TUNER_ALLREDUCE + 1)

/* What calls of a communicator depend on; NULL in its place: it is let be. */
struct tuned {
	size_t n_ranks;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct pl_plan plan; /* no hosts: there is none to follow */
static bool is_bad, is_verbose;

static const char *const collectives[N_FUNCTIONS] = {
	[PL_TUNER_BROADCAST] = "broadcast", [PL_TUNER_REDUCE] = "reduce",
	[PL_TUNER_ALLGATHER] = "allgather", [PL_TUNER_REDUCE_SCATTER] = "reduce-scatter",
	[PL_TUNER_ALLREDUCE] = "allreduce",
};

/* The row of the table of costs, or -1. */
static int row_of(const char *algorithm)
{
	if (strcmp(algorithm, "ring") == 0)
		return PL_TUNER_RING;
	if (strcmp(algorithm, "double-binary-tree") == 0)
		return PL_TUNER_TREE;
	return strcmp(algorithm, "pat") == 0 ? PL_TUNER_PAT : -1;
}

/* A file of schedules has none of NCCL's algorithms. */
static bool is_schedule(const struct pl_text *text)
{
	static const char type[] = "plink-schedule";

	return memmem(text->data, strcspn(text->data, "\r\n"), type, sizeof(type) - 1) != NULL;
}

static int read_file(const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load_file(&text, path, TEXT_MAX, err))
		return -1;
	rc = is_schedule(&text) ? 0 : pl_plan_parse(&plan, &text, err);
	pl_text_fini(&text);
	return rc;
}

static void read_plan(void)
{
	const char *path = getenv("PLINK_PLAN");
	struct pl_err err = {0};

	is_verbose = pl_shim_flag("PLINK_VERBOSE");
	if (!path || !*path || read_file(path, &err) == 0)
		return;
	is_bad = true;
	pl_shim_say_err(&err, "communicators are refused, because other ranks may follow the plan");
}

static bool is_for(const struct pl_order *o, int func)
{
	return strcmp(o->impl, "nccl") == 0 && strcmp(o->collective, collectives[func]) == 0;
}

/* Has the plan an algorithm for any call of NCCL? */
static bool has_algorithms(void)
{
	for (size_t i = 0; i < plan.n_orders; i++)
		for (int func = 0; func < N_FUNCTIONS; func++)
			if (is_for(&plan.order[i], func) && row_of(plan.order[i].algorithm) >= 0)
				return true;
	return false;
}

/* The algorithm of the plan's first order for such a call of NCCL; -1: none. */
static int planned_row(int func, size_t bytes)
{
	if (func < 0 || func >= N_FUNCTIONS)
		return -1;
	for (size_t i = 0; i < plan.n_orders; i++) {
		const struct pl_order *o = &plan.order[i];

		if (is_for(o, func) && o->size_min <= bytes && bytes <= o->size_max)
			return row_of(o->algorithm);
	}
	return -1;
}

/* The least cost of an algorithm with any protocol; -1: it cannot be taken. */
static float least(const float *cost, int n_protocols)
{
	float best = PL_TUNER_IGNORE;

	for (int p = 0; p < n_protocols; p++)
		if (cost[p] >= 0 && (best < 0 || cost[p] < best))
			best = cost[p];
	return best;
}

/* The other algorithms cannot be taken then; NCCL chooses the protocol and the channels. */
static void prefer(float *cost, int n_algorithms, int n_protocols, int row)
{
	const float planned =
		row < n_algorithms ? least(&cost[row * n_protocols], n_protocols) : PL_TUNER_IGNORE;
	const float best = least(cost, n_algorithms * n_protocols);

	if (planned < 0 || planned > FACTOR_MAX * best)
		return;
	for (int i = 0; i < n_algorithms * n_protocols; i++)
		if (i / n_protocols != row)
			cost[i] = PL_TUNER_IGNORE;
}

/* Communicators of other machines than the plan's have other rings and trees; how many machines
 * there are is all that is known. */
static ncclResult_t init_v3(size_t n_ranks, size_t n_nodes, void (*log)(void), void **context)
{
	struct tuned *tuned;

	(void)log;
	pthread_once(&once, read_plan);
	*context = NULL;
	if (is_bad)
		return ncclInvalidUsage;
	if (n_nodes < 2 || n_nodes != plan.hosts.n || !has_algorithms())
		return ncclSuccess;
	tuned = malloc(sizeof(*tuned));
	if (!tuned)
		return ncclSystemError;
	*tuned = (struct tuned){.n_ranks = n_ranks};
	*context = tuned;
	if (is_verbose)
		pl_shim_say("a communicator of %zu ranks on %zu hosts takes the plan's algorithms",
			    n_ranks, n_nodes);
	return ncclSuccess;
}

static ncclResult_t init_v5(void **context, uint64_t id, size_t n_ranks, size_t n_nodes,
			    void (*log)(void), const void *domains, void *constants)
{
	(void)id;
	(void)domains;
	(void)constants;
	return init_v3(n_ranks, n_nodes, log, context);
}

/* @bytes are those of all ranks' blocks; a plan counts those of one in an all-gather. */
static ncclResult_t get_v3(void *context, int func, size_t bytes, int n_calls, float *cost,
			   int n_algorithms, int n_protocols, int *n_channels)
{
	const struct tuned *tuned = context;
	int row;

	(void)n_calls;
	(void)n_channels;
	if (!tuned)
		return ncclSuccess;
	row = planned_row(func, func == PL_TUNER_ALLGATHER ? bytes / tuned->n_ranks : bytes);
	if (row >= 0)
		prefer(cost, n_algorithms, n_protocols, row);
	return ncclSuccess;
}

static ncclResult_t get_v4(void *context, int func, size_t bytes, int n_calls, float *cost,
			   int n_algorithms, int n_protocols, int registered, int *n_channels)
{
	(void)registered;
	return get_v3(context, func, bytes, n_calls, cost, n_algorithms, n_protocols, n_channels);
}

static ncclResult_t end(void *context)
{
	free(context);
	return ncclSuccess;
}

#define TABLE(version, type, ...)                                                                  \
	extern const struct type ncclTunerPlugin_v##version;                                       \
	__attribute__((visibility("default")))                                                     \
	const struct type ncclTunerPlugin_v##version = {.name = "plink", .end = end, __VA_ARGS__};

TABLE(3, pl_tuner_table_v3, .init = init_v3, .get = get_v3)
TABLE(4, pl_tuner_table_v4, .init = init_v3, .get = get_v4)
TABLE(5, pl_tuner_table_v6, .init = init_v5, .get = get_v4)
TABLE(6, pl_tuner_table_v6, .init = init_v5, .get = get_v4)
