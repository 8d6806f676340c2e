/* SPDX-License-Identifier: BSD-3-Clause */
/* embed-sparse.c - estimates from a few probes of each host, held against the truth */
#include "config.h"

#include "bench/options.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "src/common/tool.h"
#include "topology/embed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOOL "embed-sparse"
#define JUDGED 20000

static const char help[] =
	"usage: embed-sparse [OPTION]...\n"
	"Hosts in racks of 20 in rows of 20 racks (100, 200 and 400 us), of each of\n"
	"which some probes to others are made, half of them to 32 landmarks; noise of\n"
	"0.1 (lognormal). Prints by number of hosts and of probes of each: the median\n"
	"and the 90th percentile of what estimates of pairs held back are off by, in\n"
	"per cent; how often of two such pairs of different tiers the nearer one is\n"
	"told right; seconds of the processor.\n"
	"\n"
	"  --hosts=N     the most, from 1000 on by tens (default 10000)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

enum { IN_RACK = 20, IN_ROW = 400, LANDMARKS = 32 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double truth(size_t a, size_t b)
{
	if (a / IN_RACK == b / IN_RACK)
		return 100;
	return a / IN_ROW == b / IN_ROW ? 200 : 400;
}

static double noise(struct pl_rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += pl_rng_double(rng);
	return exp(0.1 * sum);
}

static size_t another(struct pl_rng *rng, size_t a, size_t n, size_t step)
{
	size_t b;

	do
		b = step * pl_rng_below(rng, n / step);
	while (b == a);
	return b;
}

/* Landmarks are spread evenly. */
static void probe(struct pl_measured_pair *pair, size_t n, size_t probes, struct pl_rng *rng)
{
	for (size_t a = 0; a < n; a++)
		for (size_t k = 0; k < probes; k++) {
			const size_t step = k % 2 ? 1 : n / LANDMARKS;
			const size_t b = another(rng, a, n, step);
			const double x = truth(a, b) * noise(rng);

			pair[a * probes + k] = (struct pl_measured_pair){
				.distance = x,
				.weight = 1e4 / (x * x),
				.a = (uint32_t)a,
				.b = (uint32_t)b,
			};
		}
}

/* Half of the pairs that are judged are of one row, for these are few. */
static void judge(const struct pl_embedding *e, struct pl_rng *rng, double *off, double *right)
{
	double n_right = 0, n_pairs = 0, last[2] = {0, 0};

	for (size_t k = 0; k < JUDGED; k++) {
		const size_t a = pl_rng_below(rng, e->n);
		size_t b = another(rng, a, e->n, 1);
		double is, said;

		if (k % 2)
			b = a / IN_ROW * IN_ROW + b % IN_ROW;
		if (b >= e->n || b == a)
			b = a ? a - 1 : 1;
		is = truth(a, b);
		said = pl_embedding_distance(e, a, b);
		off[k] = fabs(said / is - 1);
		if (k > 0 && is != last[0]) {
			n_pairs++;
			n_right += (is < last[0]) == (said < last[1]);
		}
		last[0] = is;
		last[1] = said;
	}
	*right = n_right / n_pairs;
}

static int measure(size_t n, size_t probes, uint64_t seed, struct pl_err *err)
{
	const struct pl_embed_options o = PL_EMBED_DEFAULTS;
	struct pl_measured_pair *pair = pl_array_create(n * probes, sizeof(*pair));
	double *off = pl_array_create(JUDGED, sizeof(*off));
	struct pl_embedding e = {0};
	struct pl_rng rng;
	double then, right;
	int rc = -1;

	if (!pair || !off) {
		pl_err_nomem(err);
		goto out;
	}
	pl_rng_init(&rng, seed, n + probes);
	probe(pair, n, probes, &rng);
	then = seconds();
	if (pl_embed(&e, n, pair, n * probes, &o, err))
		goto out;
	then = seconds() - then;
	judge(&e, &rng, off, &right);
	pl_sort_doubles(off, JUDGED);
	printf("%7zu %6zu %8.1f %8.1f %8.2f %8.2f\n", n, probes,
	       100 * off[pl_percentile_index(JUDGED, 0.5)],
	       100 * off[pl_percentile_index(JUDGED, 0.9)], 100 * right, then);
	fflush(stdout);
	rc = 0;
out:
	pl_embedding_fini(&e);
	free(pair);
	free(off);
	return rc;
}

int main(int argc, char **argv)
{
	int64_t hosts = 10000, seed = 1;
	const struct bench_option options[] = {
		{"hosts", .whole = &hosts, .least = 1000, .most = 1000000},
		{"seed", .whole = &seed, .least = 1, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	printf("%7s %6s %8s %8s %8s %8s\n", "hosts", "probes", "off 50", "off 90", "right",
	       "seconds");
	for (size_t n = 1000; n <= (size_t)hosts; n *= 10)
		for (size_t probes = 16; probes <= 64; probes *= 2)
			if (measure(n, probes, (uint64_t)seed, &err))
				return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
