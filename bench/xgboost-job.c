/* SPDX-License-Identifier: BSD-3-Clause */
/* xgboost-job.c - a training job as any: XGBoost's library, a tracker, rows of the rank's own */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bench/options.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xgboost/c_api.h>

#define TOOL "xgboost-job"
#define N_TELLING 8 /* features, at most, that the label depends on */

static const char help[] = "usage: xgboost-job [OPTION]...\n"
			   "A worker of the job that DMLC_TRACKER_URI, DMLC_TRACKER_PORT and\n"
			   "DMLC_TASK_ID name: trains with XGBoost's defaults and\n"
			   "tree_method=hist on rows that depend on its rank. Prints its rank,\n"
			   "its machine and the milliseconds of an iteration after the first.\n"
			   "\n"
			   "  --rows=N        of a rank (default 500)\n"
			   "  --features=N    (default 28)\n"
			   "  --bins=N        of a feature (default 255)\n"
			   "  --depth=N       of a tree (default 6)\n"
			   "  --iterations=N  trees, 2 or more (default 6)\n"
			   "  --seed=N        of the rows (default 1)\n"
			   "  --model=FILE    to write (default model.json)\n"
			   "  --help, --version\n";

struct args {
	int64_t rows, features, bins, depth, iterations, seed;
	const char *model;
};

static int fail(const char *what)
{
	pl_tool_say(TOOL, "%s: %s", what, XGBGetLastError());
	return -1;
}

/* 0, or -1: out of memory. Features are whole numbers; the label tells whether neighbours of the
 * first ones are far apart. */
static int fill(const struct args *args, int rank, float **row, float **label)
{
	const int64_t n = args->features;
	const int64_t telling = n < N_TELLING ? n : N_TELLING;
	struct pl_rng rng;

	*row = pl_array_create((size_t)(args->rows * n), sizeof(**row));
	*label = pl_array_create((size_t)args->rows, sizeof(**label));
	if (!*row || !*label)
		return -1;
	pl_rng_init(&rng, (uint64_t)args->seed, (uint64_t)rank);
	for (int64_t r = 0; r < args->rows; r++) {
		float *x = *row + r * n;
		double sum = 0.5 * (pl_rng_double(&rng) - 0.5);

		for (int64_t i = 0; i < n; i++)
			x[i] = (float)pl_rng_below(&rng, (uint64_t)args->bins);
		for (int64_t i = 0; i < telling; i++) {
			const double d = x[i] - x[(i + 1) % telling];

			sum += (d < 0 ? -d : d) / (double)args->bins - 1.0 / 3;
		}
		(*label)[r] = sum > 0;
	}
	return 0;
}

static int load(const struct args *args, DMatrixHandle *matrix)
{
	const bst_ulong rows = (bst_ulong)args->rows;
	float *row = NULL, *label = NULL;
	int rc = fill(args, XGCommunicatorGetRank(), &row, &label);

	if (rc)
		pl_tool_say(TOOL, "out of memory");
	else if (XGDMatrixCreateFromMat(row, rows, (bst_ulong)args->features, -1, matrix) ||
		 XGDMatrixSetFloatInfo(*matrix, "label", label, rows))
		rc = fail("rows");
	free(row);
	free(label);
	return rc;
}

static int set(BoosterHandle booster, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return XGBoosterSetParam(booster, name, text);
}

static int train(const struct args *args, BoosterHandle booster, DMatrixHandle matrix, double *ms)
{
	int64_t start_ns = 0;

	if (XGBoosterSetParam(booster, "objective", "binary:logistic") ||
	    XGBoosterSetParam(booster, "tree_method", "hist") || set(booster, "nthread", 1) ||
	    set(booster, "max_depth", args->depth))
		return fail("parameters");
	for (int i = 0; i < args->iterations; i++) {
		if (XGBoosterUpdateOneIter(booster, i, matrix))
			return fail("training");
		if (i == 0)
			start_ns = pl_clock_ns();
	}
	*ms = (double)(pl_clock_ns() - start_ns) / 1e6 / (double)(args->iterations - 1);
	return 0;
}

/* XGBoost up to 2.0 reads the variables by itself, later ones are told. */
static int join(void)
{
	static const char *const name[] = {"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID"};
	const char *value[3];
	char config[400];

	for (int i = 0; i < 3; i++) {
		value[i] = getenv(name[i]);
		if (!value[i]) {
			pl_tool_say(TOOL, "%s is not set", name[i]);
			return -1;
		}
	}
	snprintf(config, sizeof(config), "{\"%s\":\"%s\",\"%s\":%s,\"%s\":\"%s\"}", name[0],
		 value[0], name[1], value[1], name[2], value[2]);
	return XGCommunicatorInit(config) ? fail("no job") : 0;
}

static int run(const struct args *args)
{
	DMatrixHandle matrix;
	BoosterHandle booster;
	char machine[65] = "";
	double ms = 0;

	if (join() || load(args, &matrix))
		return -1;
	if (XGBoosterCreate(&matrix, 1, &booster))
		return fail("booster");
	if (train(args, booster, matrix, &ms))
		return -1;
	if (XGBoosterSaveModel(booster, args->model))
		return fail(args->model);
	gethostname(machine, sizeof(machine) - 1);
	printf("rank %d %s %.3f\n", XGCommunicatorGetRank(), machine, ms);
	if (XGBoosterFree(booster) || XGDMatrixFree(matrix) || XGCommunicatorFinalize())
		return fail("end");
	return 0;
}

int main(int argc, char **argv)
{
	struct args args = {.rows = 500,
			    .features = 28,
			    .bins = 255,
			    .depth = 6,
			    .iterations = 6,
			    .seed = 1,
			    .model = "model.json"};
	const struct bench_option options[] = {
		{"rows", .whole = &args.rows, .least = 1, .most = 1000000},
		{"features", .whole = &args.features, .least = 1, .most = 10000},
		{"bins", .whole = &args.bins, .least = 2, .most = 255},
		{"depth", .whole = &args.depth, .least = 1, .most = 16},
		{"iterations", .whole = &args.iterations, .least = 2, .most = 100000},
		{"seed", .whole = &args.seed, .most = INT64_MAX},
		{"model", .text = &args.model},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);

	if (status >= 0)
		return status;
	return run(&args) ? PL_EXIT_SYSTEM : pl_tool_end_output(TOOL);
}
