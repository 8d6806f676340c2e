/* SPDX-License-Identifier: BSD-3-Clause */
/* objective.c - how fast costs follow an order that changes, against adding
 * up */
#include "config.h"

#include "bench/options.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "costmodels/catalogue.h"
#include "costmodels/objective.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOOL "objective"

static const char help[] =
	"usage: objective [OPTION]...\n"
	"Swaps two random hosts of a random order, keeping every other swap and\n"
	"taking the rest back, on noisy racks; and evaluates such orders in\n"
	"full. Prints for each algorithm and size both rates by processor time,\n"
	"medians of the repeats with least and largest, and their ratio.\n"
	"\n"
	"  --hosts=N     largest size (default 4096)\n"
	"  --repeats=N   (default 5)\n"
	"  --seconds=S   each repeat, for each of both (default 0.2)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

#define REPEATS_MAX 99

struct args {
	int64_t hosts_max, n_repeats, seed;
	double seconds;
};

static const char *const algorithms[] = {"ring", "halving-doubling", "double-binary-tree",
					 "bcube:4"};

/* Rates of the repeats, sorted once all are there. */
struct series {
	double v[REPEATS_MAX];
	size_t n;
};

/* The processor time of this program: what else runs does not count. */
static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Racks of 8 to 32 hosts, shuffled: 1000 within, 3000 to 5000 by pair of racks, and half-normal
 * noise of a tenth (a sum of three uniform numbers for it). */
static void fill(double *c, size_t n, struct pl_rng *rng)
{
	const size_t size = n <= 64 ? 8 : n <= 512 ? 16 : 32;
	size_t *place = pl_array_create(n, sizeof(*place));

	for (size_t i = 0; place && i < n; i++)
		place[i] = i;
	if (place)
		pl_rng_shuffle(rng, place, n);
	for (size_t i = 0; place && i < n; i++)
		for (size_t j = i; j < n; j++) {
			const size_t a = place[i] / size, b = place[j] / size;
			const double base =
				a == b ? 1000 : 3000 + 500 * (double)((a * 7 + b * 7 + a * b) % 5);
			const double noise =
				pl_rng_double(rng) + pl_rng_double(rng) + pl_rng_double(rng) - 1.5;

			c[i * n + j] = c[j * n + i] = i == j ? 0 : base * (1 + 0.2 * fabs(noise));
		}
	free(place);
}

static double swaps_per_s(struct pl_objective *o, const struct args *args, struct pl_rng *rng,
			  size_t n)
{
	const double start = cpu_seconds();
	uint64_t done = 0;
	double seconds;

	do {
		for (int i = 0; i < 500; i++) {
			pl_objective_exchange(o, pl_rng_below(rng, n), pl_rng_below(rng, n), 1);
			if (i % 2)
				pl_objective_undo(o);
		}
		done += 500;
		seconds = cpu_seconds() - start;
	} while (seconds < args->seconds);
	return (double)done / seconds;
}

static double full_per_s(const struct pl_objective *o, const struct args *args, const size_t *order)
{
	const double start = cpu_seconds();
	volatile double sink = 0;
	uint64_t done = 0;
	double seconds;

	do {
		sink = sink + pl_objective_full(o, order);
		done++;
		seconds = cpu_seconds() - start;
	} while (seconds < args->seconds);
	return (double)done / seconds;
}

static void print_series(struct series *s)
{
	pl_sort_doubles(s->v, s->n);
	printf(" %10.0f %10.0f %10.0f", s->v[(s->n - 1) / 2], s->v[0], s->v[s->n - 1]);
}

static int measure(const char *name, const struct pl_shape *shape, const struct pl_costs *costs,
		   const struct args *args, struct pl_err *err)
{
	struct pl_objective *o = pl_objective_create(shape, costs, err);
	size_t *order = pl_array_create(costs->n, sizeof(*order));
	struct series swaps = {0}, full = {0};
	struct pl_rng rng;

	if (!o || !order) {
		free(order);
		pl_objective_destroy(o);
		return o ? pl_err_nomem(err) : -1;
	}
	pl_rng_init(&rng, (uint64_t)args->seed, 1);
	for (size_t i = 0; i < costs->n; i++)
		order[i] = i;
	pl_rng_shuffle(&rng, order, costs->n);
	pl_objective_set(o, order);
	for (int64_t i = 0; i < args->n_repeats; i++) {
		swaps.v[swaps.n++] = swaps_per_s(o, args, &rng, costs->n);
		full.v[full.n++] = full_per_s(o, args, order);
	}
	printf("%-20s %5zu", name, costs->n);
	print_series(&swaps);
	print_series(&full);
	printf(" %8.1f\n", swaps.v[(swaps.n - 1) / 2] / full.v[(full.n - 1) / 2]);
	fflush(stdout);
	free(order);
	pl_objective_destroy(o);
	return 0;
}

static int try_algorithm(const char *name, const struct pl_costs *costs, const struct args *args,
			 struct pl_err *err)
{
	struct pl_call call = {.n_pos = costs->n, .bytes = (uint64_t)1 << 20};
	struct pl_shape shape = {0};
	const struct pl_algorithm *a;
	int rc;

	a = pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, name, &call.radix, err);
	if (!a || pl_algorithm_shape(a, &call, &shape, err))
		return -1;
	rc = measure(name, &shape, costs, args, err);
	pl_shape_fini(&shape);
	return rc;
}

static int try_size(size_t n, const struct args *args, struct pl_err *err)
{
	double *c = pl_array_create(n * n, sizeof(*c));
	const struct pl_costs costs = {.n = n, .c = c};
	struct pl_rng rng;
	int rc = 0;

	if (!c)
		return pl_err_nomem(err);
	pl_rng_init(&rng, (uint64_t)args->seed, 0);
	fill(c, n, &rng);
	for (size_t i = 0; rc == 0 && i < sizeof(algorithms) / sizeof(*algorithms); i++)
		rc = try_algorithm(algorithms[i], &costs, args, err);
	free(c);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.hosts_max = 4096, .n_repeats = 5, .seed = 1, .seconds = 0.2};
	const struct bench_option options[] = {
		{"hosts", .whole = &args.hosts_max, .least = 1, .most = 16384},
		{"repeats", .whole = &args.n_repeats, .least = 1, .most = REPEATS_MAX},
		{"seed", .whole = &args.seed, .least = 1, .most = INT64_MAX},
		{"seconds", .seconds = &args.seconds},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	printf("%-20s %5s %32s %32s %8s\n", "", "", "swaps/s", "full evaluations/s", "");
	printf("%-20s %5s %10s %10s %10s %10s %10s %10s %8s\n", "algorithm", "hosts", "median",
	       "least", "largest", "median", "least", "largest", "ratio");
	for (size_t n = 64; n <= (size_t)args.hosts_max; n *= 8)
		if (try_size(n, &args, &err))
			return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
