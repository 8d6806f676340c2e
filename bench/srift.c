/* SPDX-License-Identifier: BSD-3-Clause */
/* srift.c - how fast exchanges of gradients are simulated */
#include "config.h"

#include "bench/options.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "planner/srift/iteration/exchange.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOOL "srift"

static const char help[] =
	"usage: srift [OPTION]...\n"
	"Simulates exchanges of the gradients of a random model and prints events (a\n"
	"transfer begins or ends) per second of processor time, medians of the repeats\n"
	"with least and largest. Layers have one of so many sizes, each its own bandwidth.\n"
	"The network is twice as fast as gradients come, or ten times slower: then nearly\n"
	"all are under way at once.\n"
	"\n"
	"  --layers=N    the most (default 100000)\n"
	"  --repeats=N   (default 5)\n"
	"  --seconds=S   each repeat (default 0.2)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

#define REPEATS_MAX 99

struct args {
	int64_t layers_max, n_repeats, seed;
	double seconds;
};

/* The processor time of this program: what else runs does not count. */
static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A second of backward pass. Bytes from 1 KiB to 16 MiB by size number, bandwidths as of a card
 * that takes a while to get going. Gives the sum of bytes. */
static double fill(struct pl_transfer *t, size_t n, size_t n_sizes, struct pl_rng *rng)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double number = (double)pl_rng_below(rng, n_sizes);
		const double bytes = 1024 * exp2(14 * number / (double)n_sizes);

		t[i] = (struct pl_transfer){
			.ready_s = pl_rng_double(rng),
			.wire_bytes = bytes,
			.bytes_per_s = bytes / (bytes + 65536),
		};
		sum += bytes;
	}
	return sum;
}

/* The card passes all bytes in so many seconds. */
static double events_per_s(struct pl_transfer *t, size_t n, double sum, double in_s,
			   const struct args *args, size_t *most_at_once, struct pl_err *err)
{
	const struct pl_exchange_options o = {.cap_bytes_per_s = sum / in_s};
	const double start = cpu_seconds();
	double done = 0, seconds;

	for (size_t i = 0; i < n; i++)
		t[i].bytes_per_s *= o.cap_bytes_per_s;
	do {
		struct pl_exchange_result r;

		if (pl_exchange(t, n, &o, &r, err))
			return NAN;
		done += (double)r.n_events;
		*most_at_once = r.most_at_once;
		seconds = cpu_seconds() - start;
	} while (seconds < args->seconds);
	for (size_t i = 0; i < n; i++)
		t[i].bytes_per_s /= o.cap_bytes_per_s;
	return done / seconds;
}

static int measure(size_t n, size_t n_sizes, double in_s, const struct args *args,
		   struct pl_err *err)
{
	struct pl_transfer *t = pl_array_create(n, sizeof(*t));
	double v[REPEATS_MAX], sum;
	size_t k = 0, at_once = 0;
	struct pl_rng rng;

	if (!t)
		return pl_err_nomem(err);
	pl_rng_init(&rng, (uint64_t)args->seed, n);
	sum = fill(t, n, n_sizes, &rng);
	while (k < (size_t)args->n_repeats) {
		v[k] = events_per_s(t, n, sum, in_s, args, &at_once, err);
		if (isnan(v[k++]))
			break;
	}
	free(t);
	if (isnan(v[k - 1]))
		return -1;
	pl_sort_doubles(v, k);
	printf("%7zu %6zu %8s %8zu %10.0f %10.0f %10.0f\n", n, n_sizes, in_s > 1 ? "slow" : "fast",
	       at_once, v[(k - 1) / 2], v[0], v[k - 1]);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {4, 32, 256};
	struct args args = {.layers_max = 100000, .n_repeats = 5, .seed = 1, .seconds = 0.2};
	const struct bench_option options[] = {
		{"layers", .whole = &args.layers_max, .least = 100, .most = 10000000},
		{"repeats", .whole = &args.n_repeats, .least = 1, .most = REPEATS_MAX},
		{"seed", .whole = &args.seed, .least = 1, .most = INT64_MAX},
		{"seconds", .seconds = &args.seconds},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	printf("%7s %6s %8s %8s %32s\n", "", "", "", "", "events/s");
	printf("%7s %6s %8s %8s %10s %10s %10s\n", "layers", "sizes", "network", "at once",
	       "median", "least", "largest");
	for (size_t n = 100; n <= (size_t)args.layers_max; n *= 10)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
			if (measure(n, sizes[i], 0.5, &args, &err) ||
			    measure(n, sizes[i], 10, &args, &err))
				return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
