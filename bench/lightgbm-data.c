/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-data.c - rows to learn from: a label, and features of so many
 * values */
#include "config.h"

#include "bench/options.h"
#include "base/mem.h"
#include "base/rng.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TOOL "lightgbm-data"
#define N_TELLING 8 /* features, at most, that the label depends on */
#define NOISE 0.5   /* of the label, against a sum of differences below 1 */

static const char help[] =
	"usage: lightgbm-data [OPTION]...\n"
	"Prints rows of a label, 0 or 1, and features, whole numbers from 1 on, with tabs\n"
	"between them. The label depends on the first features, in pairs, and on chance.\n"
	"\n"
	"  --rows=N      1 to 1000000 (default 500)\n"
	"  --features=N  1 to 10000 (default 28)\n"
	"  --values=N    that a feature has, all as likely: 2 to 65535 (default 255)\n"
	"  --part=N      of the same data: other rows (default 0)\n"
	"  --seed=N      of the data (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t rows, features, values, part, seed;
};

/* Pairs of features count by how far apart they are: splits of one alone do not find all there is,
 * so that a tree never runs out of them. */
static int label(const struct args *args, const uint64_t *value, double chance)
{
	const int64_t n = args->features < N_TELLING ? args->features : N_TELLING;
	double sum = NOISE * (chance - 0.5);

	for (int64_t i = 0; i < n; i++) {
		const double here = (double)value[i];
		const double there = (double)value[(i + 1) % n];
		const double apart = here > there ? here - there : there - here;

		sum += apart / (double)args->values - 1.0 / 3;
	}
	return sum > 0;
}

/* 0, or -1: out of memory. */
static int print_rows(const struct args *args)
{
	const size_t n = (size_t)args->features;
	uint64_t *value = pl_array_create(n, sizeof(*value));
	struct pl_rng rng;

	if (!value)
		return -1;
	pl_rng_init(&rng, (uint64_t)args->seed, (uint64_t)args->part);
	for (int64_t row = 0; row < args->rows; row++) {
		for (size_t i = 0; i < n; i++)
			value[i] = 1 + pl_rng_below(&rng, (uint64_t)args->values);
		printf("%d", label(args, value, pl_rng_double(&rng)));
		for (size_t i = 0; i < n; i++)
			printf("\t%" PRIu64, value[i]);
		putchar('\n');
	}
	free(value);
	return 0;
}

int main(int argc, char **argv)
{
	struct args args = {.rows = 500, .features = 28, .values = 255, .seed = 1};
	const struct bench_option options[] = {
		{"rows", .whole = &args.rows, .least = 1, .most = 1000000},
		{"features", .whole = &args.features, .least = 1, .most = 10000},
		{"values", .whole = &args.values, .least = 2, .most = 65535},
		{"part", .whole = &args.part, .most = INT64_MAX},
		{"seed", .whole = &args.seed, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);

	if (status >= 0)
		return status;
	if (print_rows(&args)) {
		pl_tool_say(TOOL, "out of memory");
		return PL_EXIT_SYSTEM;
	}
	return pl_tool_end_output(TOOL);
}
