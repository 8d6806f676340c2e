/* SPDX-License-Identifier: BSD-3-Clause */
/* solver.c - how good and how fast the ring search is, and its bound */
#include "config.h"

#include "bench/gap-time.h"
#include "bench/instances.h"
#include "bench/options.h"
#include "base/clock.h"
#include "base/matrix/matrix.h"
#include "base/mem.h"
#include "costmodels/ring.h"
#include "solver/neighbours.h"
#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-cuts.h"
#include "solver/ring/ring-search.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TOOL "solver"

static const char help[] =
	"usage: solver [OPTION]...\n"
	"Orders matrices with the default budget and prints, for each: hosts;\n"
	"cost of the given order and of plain 2-opt from it, both as multiples\n"
	"of the cost found; how far the found one is above the optimum, where\n"
	"that is known, and above the bound; kicks a second; seconds for the\n"
	"search; seconds of the processor for the bound, and what proves it.\n"
	"Medians over the seeds, the worst beside them.\n"
	"\n"
	"  --data=DIR    TSPLIB instances besides: DIR/OPTIMA has names and\n"
	"                optima, DIR/tsplib/NAME.tsp, DIR/atsp/NAME.atsp\n"
	"  --max-hosts=N no larger instances (default 1024)\n"
	"  --seeds=N     seeds 1 to N (default 3)\n"
	"  --threads=N   (default 1)\n"
	"  --full        the full bound; up to 128 hosts branch and cut as well\n"
	"  --time=S      instead: how near to the optimum (where it is not known,\n"
	"                marked b, the bound) in a sixteenth, a quarter and all\n"
	"                of S seconds, bound and all, and beside it the PLink\n"
	"                thesis' annealing and Z3 in the same time\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	const char *data;
	int64_t hosts_max;
	bool full;
	struct gap_time_options run; /* seconds: 0, or those of --time */
};

/* One value a seed. */
struct series {
	double v[GAP_SEEDS_MAX];
	size_t n;
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double middle(struct series *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->v[(s->n - 1) / 2];
}

static double last(struct series *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->v[s->n - 1];
}

static double since(int64_t start_ns)
{
	return (double)(pl_clock_ns() - start_ns) * 1e-9;
}

/* Of the processor: what the bound takes, whatever else runs. */
static double busy_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void reverse(size_t *v, size_t from, size_t to)
{
	for (; from < to; from++, to--) {
		const size_t t = v[from];

		v[from] = v[to];
		v[to] = t;
	}
}

/* The baseline: reverse any part that pays, until none does. Symmetric
 * costs. */
static double plain_2opt(const struct instance *in)
{
	const size_t n = in->n;
	size_t *at = pl_array_create(n, sizeof(*at));
	bool better = true;
	double cost;

	if (!at)
		return NAN;
	for (size_t k = 0; k < n; k++)
		at[k] = k;
	while (better) {
		better = false;
		for (size_t i = 0; i + 2 < n; i++)
			for (size_t j = i + 2; j < n; j++) {
				const size_t a = at[i], b = at[i + 1];
				const size_t d = at[j], e = at[(j + 1) % n];
				const double old = in->c[a * n + b] + in->c[d * n + e];
				const double new = in->c[a * n + d] + in->c[b * n + e];

				if (e == a || old - new <= 1e-12 * old)
					continue;
				reverse(at, i + 1, j);
				better = true;
			}
	}
	cost = pl_cost_ring(in->c, n, at, n);
	free(at);
	return cost;
}

/* What one instance gave, over the seeds. */
struct outcome {
	double given, bound_seconds, two_opt;
	struct pl_ring_bound bound;
	const char *by;
	struct series cost, rate, seconds;
};

static int search(const struct instance *in, const struct args *args, const double *weight,
		  size_t *at, struct outcome *o, struct pl_err *err)
{
	int rc = 0;

	for (int64_t seed = 1; rc == 0 && seed <= args->run.n_seeds; seed++) {
		const struct pl_ring_options options = {
			.seed = (uint64_t)seed,
			.moves = pl_ring_moves(in->n),
			.threads = (unsigned)args->run.threads,
			.weight = weight,
		};
		const int64_t start_ns = pl_clock_ns();
		struct pl_ring_result r;

		for (size_t k = 0; k < in->n; k++)
			at[k] = k;
		rc = pl_ring_search(in->c, in->n, &options, at, &r, err);
		o->given = r.cost_given;
		o->cost.v[o->cost.n++] = r.cost;
		o->seconds.v[o->seconds.n++] = since(start_ns);
		o->rate.v[o->rate.n++] = (double)r.moves / since(start_ns);
	}
	return rc;
}

static void percent(double x)
{
	if (isnan(x))
		printf(" %9s", "-");
	else
		printf(" %8.3f%%", 100 * x);
}

static void ratio(double x)
{
	if (isnan(x))
		printf(" %7s", "-");
	else
		printf(" %7.3f", x);
}

static void print_head(void)
{
	printf("%-22s %5s %7s %7s %9s %9s %9s %9s %7s %7s\n", "instance", "hosts", "given", "2-opt",
	       "optimum", "worst", "bound", "kicks/s", "search", "bound by");
	printf("%-22s %5s %7s %7s %9s %9s %9s %9s %7s %7s\n", "", "", "/ found", "/ found", "gap",
	       "seed", "gap", "", "s", "s");
}

static void print_row(const struct instance *in, struct outcome *o)
{
	const double cost = middle(&o->cost), worst = last(&o->cost);

	printf("%-22s %5zu", in->name, in->n);
	ratio(o->given / cost);
	ratio(o->two_opt / cost);
	percent(cost / in->optimum - 1);
	percent(worst / in->optimum - 1);
	percent(o->bound.value > 0 ? cost / o->bound.value - 1 : NAN);
	printf(" %9.0f %7.2f %7.2f %s\n", middle(&o->rate), middle(&o->seconds), o->bound_seconds,
	       o->by);
	fflush(stdout);
}

/* What the full bound goes on with, from the ring at[n]. */
static int cut(const struct instance *in, size_t *at, struct outcome *o, struct pl_err *err)
{
	struct pl_ring_cuts_result r;
	const double start = busy_seconds();

	if (!pl_ring_cuts_built() || in->n < PL_RING_CUTS_MIN || in->n > PL_RING_CUTS_MAX)
		return 0;
	if (pl_ring_cuts(in->c, in->n, pl_ring_cuts_iterations(in->n), NULL, at, &r, err))
		return -1;
	o->bound_seconds += busy_seconds() - start;
	if (r.bound > o->bound.value || r.proved)
		o->by = r.proved ? "branch and cut, proved" : "branch and cut";
	o->bound.value = fmax(o->bound.value, r.bound);
	return 0;
}

static int budget(const struct instance *in, const struct args *args, struct pl_err *err)
{
	double *weight = pl_array_create(in->n, sizeof(*weight));
	struct outcome o = {0};
	const double start = busy_seconds();
	size_t *at = pl_array_create(in->n, sizeof(*at));
	int rc = -1;

	if (!weight || !at) {
		pl_err_nomem(err);
		goto out;
	}
	rc = pl_ring_bound(in->c, in->n, args->full ? PL_BOUND_FULL : PL_BOUND_FAST, NULL, &o.bound,
			   weight, err);
	o.bound_seconds = busy_seconds() - start;
	o.by = pl_ring_proof_name(o.bound.by);
	if (rc == 0)
		rc = search(in, args, weight, at, &o, err);
	if (rc == 0 && args->full)
		rc = cut(in, at, &o, err);
	if (rc == 0) {
		o.two_opt = pl_costs_symmetric(in->c, in->n) ? plain_2opt(in) : NAN;
		print_row(in, &o);
	}
out:
	free(weight);
	free(at);
	return rc;
}

static int try_instance(const struct instance *in, void *arg, struct pl_err *err)
{
	const struct args *args = arg;

	if (args->run.seconds > 0)
		return gap_time(in, &args->run, err);
	return budget(in, args, err);
}

int main(int argc, char **argv)
{
	struct args args = {.hosts_max = 1024, .run = {.n_seeds = 3, .threads = 1}};
	const struct bench_option options[] = {
		{"data", .text = &args.data},
		{"max-hosts", .whole = &args.hosts_max, .least = 1, .most = PL_MATRIX_HOSTS_MAX},
		{"seeds", .whole = &args.run.n_seeds, .least = 1, .most = GAP_SEEDS_MAX},
		{"threads", .whole = &args.run.threads, .least = 1, .most = 1024},
		{"full", .given = &args.full},
		{"time", .seconds = &args.run.seconds},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (args.run.seconds > 0)
		gap_time_head();
	else
		print_head();
	if (instances_generate((size_t)args.hosts_max, try_instance, &args, &err) ||
	    (args.data &&
	     instances_read(args.data, (size_t)args.hosts_max, try_instance, &args, &err)))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
