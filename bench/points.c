/* SPDX-License-Identifier: BSD-3-Clause */
/* points.c - rings through more hosts than a matrix has room for */
#include "config.h"

#include "bench/options.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "solver/hops.h"
#include "solver/points/point-bound.h"
#include "solver/points/point-ring.h"
#include "solver/points/point-start.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define TOOL "points"

static const char help[] =
	"usage: points [OPTION]...\n"
	"Orders hosts that lie in a plane, evenly and in clusters, and prints "
	"for\n"
	"each number of them: how far the start, the local search without a "
	"kick,\n"
	"and the search are above the bound; kicks; seconds of the processor "
	"for\n"
	"the bound, the start with the local search, and the search; memory.\n"
	"\n"
	"  --hosts=N     the most (default 100000), from 1000 on by tens\n"
	"  --time=S      of search (default 40)\n"
	"  --steps=N     of the bound (default 20)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t hosts, seconds, steps, seed;
};

struct row {
	double bound, start, local, found;
	double bound_seconds, local_seconds, search_seconds;
	uint64_t kicks;
};

/* Of the processor. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long peak_mib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss / 1024;
}

/* Improves at[n] by so many kicks, or until the time is over. */
static int search(const struct pl_kd *kd, const struct args *args,
		  uint64_t kicks, const double *weight, double bound,
		  size_t *at, struct pl_point_ring_result *r,
		  struct pl_err *err)
{
	const struct pl_stop stop = {
		.deadline_ns = pl_clock_ns() + args->seconds * 1000000000,
	};
	const struct pl_point_ring_options options = {
		.seed = (uint64_t)args->seed,
		.moves = kicks,
		.target = bound,
		.weight = weight,
		.stop = &stop,
	};

	for (size_t k = 0; k < kd->p.n; k++)
		at[k] = k;
	return pl_point_ring(kd, &options, at, r, err);
}

static int measure(const struct pl_kd *kd, const struct args *args,
		   double *weight, size_t *at, struct row *row,
		   struct pl_err *err)
{
	const struct pl_hops hops = {.n = kd->p.n, .points = &kd->p};
	struct pl_point_ring_result r;
	double then = seconds();

	if (pl_point_bound(kd, (size_t)args->steps, NULL, &row->bound, weight,
			   err))
		return -1;
	row->bound_seconds = seconds() - then;
	if (pl_point_start(kd, at, err))
		return -1;
	row->start = pl_hops_ring(&hops, at);
	then = seconds();
	if (search(kd, args, 0, weight, row->bound, at, &r, err))
		return -1;
	row->local = r.cost;
	row->local_seconds = seconds() - then;
	then = seconds();
	if (search(kd, args, UINT64_MAX, weight, row->bound, at, &r, err))
		return -1;
	row->found = r.cost;
	row->kicks = r.moves;
	row->search_seconds = seconds() - then;
	return 0;
}

/* Evenly in a rectangle, or every hundred around a place of their own. */
static void scatter(double *x, double *y, size_t n, bool clusters,
		    uint64_t seed)
{
	struct pl_rng rng;
	double at[2] = {0, 0};

	pl_rng_init(&rng, seed, n);
	for (size_t i = 0; i < n; i++) {
		const double r = pl_rng_double(&rng);
		const double turn = 2 * M_PI * pl_rng_double(&rng);

		if (clusters && i % 100 == 0) {
			at[0] = pl_rng_double(&rng);
			at[1] = pl_rng_double(&rng);
		}
		x[i] = clusters ? at[0] + 0.01 * r * cos(turn) : r;
		y[i] = clusters ? at[1] + 0.01 * r * sin(turn) : turn;
	}
}

static void print_row(const char *name, size_t n, const struct row *r)
{
	printf("%-9s %7zu %8.2f%% %8.2f%% %8.2f%% %9llu %7.2f %7.2f %7.2f "
	       "%6ld\n",
	       name, n, 100 * (r->start / r->bound - 1),
	       100 * (r->local / r->bound - 1), 100 * (r->found / r->bound - 1),
	       (unsigned long long)r->kicks, r->bound_seconds, r->local_seconds,
	       r->search_seconds, peak_mib());
	fflush(stdout);
}

static int try_points(size_t n, bool clusters, const struct args *args,
		      struct pl_err *err)
{
	double *x = pl_array_create(n, sizeof(*x));
	double *y = pl_array_create(n, sizeof(*y));
	double *weight = pl_array_create(n, sizeof(*weight));
	size_t *at = pl_array_create(n, sizeof(*at));
	const struct pl_points p = {x, y, n};
	struct pl_kd kd = {.n_nodes = 0};
	struct row row;
	int rc = -1;

	if (!x || !y || !weight || !at) {
		pl_err_nomem(err);
	} else {
		scatter(x, y, n, clusters, (uint64_t)args->seed);
		if (pl_kd_init(&kd, &p, err) == 0)
			rc = measure(&kd, args, weight, at, &row, err);
	}
	if (rc == 0)
		print_row(clusters ? "clusters" : "even", n, &row);
	pl_kd_fini(&kd);
	free(x);
	free(y);
	free(weight);
	free(at);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {100000, 40, 20, 1};
	const struct bench_option options[] = {
		{"hosts", .whole = &args.hosts, .least = 1, .most = 10000000},
		{"time", .whole = &args.seconds, .least = 1, .most = 1000000},
		{"steps", .whole = &args.steps, .least = 1, .most = 1000000},
		{"seed", .whole = &args.seed, .least = 1, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options,
			      sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	printf("seed %lld\n%-9s %7s %9s %9s %9s %9s %7s %7s %7s %6s\n",
	       (long long)args.seed, "points", "hosts", "start", "local",
	       "found", "kicks", "bound s", "local s", "found s", "MiB");
	for (size_t n = 1000; n <= (size_t)args.hosts; n *= 10)
		for (int clusters = 0; clusters < 2; clusters++)
			if (try_points(n, clusters, &args, &err))
				return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
