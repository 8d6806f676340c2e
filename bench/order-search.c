/* SPDX-License-Identifier: BSD-3-Clause */
/* order-search.c - how good and how fast orders for any shape are found */
#include "config.h"

#include "bench/options.h"
#include "bench/processor-time.h"
#include "bench/racks.h"
#include "bench/thesis-stages.h"
#include "base/mem.h"
#include "base/stats.h"
#include "costmodels/catalogue.h"
#include "solver/bound/order-bound.h"
#include "solver/order/order-search.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "order-search"
#define SEEDS_MAX 99

static const char help[] =
	"usage: order-search [OPTION]...\n"
	"Orders hosts in racks for several algorithms, and prints for each: costs\n"
	"of the bound, the order found, the given one and the one rack by rack that\n"
	"the costs were made from; how far the found one is above the bound, the\n"
	"worst seed, and what the thesis' two stages find in as much time of the\n"
	"processor; search / thesis; when the search had the best order, and how many\n"
	"moves it did; seconds for the bound. Medians over the seeds.\n"
	"\n"
	"  --network=NAME    racks, noisy, uneven, pods, noisy-pods, directed (default:\n"
	"                    all)\n"
	"  --algorithm=NAME  halving-doubling, halving-by-bytes (each round counts as\n"
	"                    much as the data it carries), bcube:4,\n"
	"                    double-binary-tree, recursive-doubling, binomial\n"
	"                    (default: all)\n"
	"  --hosts=N         that many alone (default: 6, 10, 20, 24, 48, 64, 512)\n"
	"  --rack=N          hosts of a rack (default: 2, 8, 16, from 1024 on 32)\n"
	"  --time=S          of the processor, for each thread (default 5)\n"
	"  --moves=N         instead, that many moves\n"
	"  --seeds=N         seeds 1 to N of the search (default 5)\n"
	"  --threads=N       (default 1)\n"
	"  --no-thesis       nor its columns\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	const char *network, *algorithm;
	int64_t hosts, rack, n_seeds, n_threads, n_moves;
	double seconds;
	bool no_thesis;
};

static const struct racks_kind networks[] = {
	{.name = "racks"},
	{.name = "noisy", .varied = true, .noise = 0.1},
	{.name = "uneven", .uneven = true, .varied = true},
	{.name = "pods", .racks_in_pod = 4},
	{.name = "noisy-pods", .racks_in_pod = 4, .varied = true, .noise = 0.1},
	{.name = "directed", .varied = true, .noise = 0.1, .directed = true},
};

static const struct algorithm {
	const char *option, *name;
	enum pl_collective collective;
	enum pl_impl impl;
	bool by_bytes; /* a hop counts as much as the share of the data
			* it has */
} algorithms[] = {
	{"halving-doubling", "halving-doubling", PL_ALLREDUCE, PL_THESIS, false},
	{"halving-by-bytes", "halving-doubling", PL_ALLREDUCE, PL_THESIS, true},
	{"bcube:4", "bcube:4", PL_ALLREDUCE, PL_THESIS, false},
	{"double-binary-tree", "double-binary-tree", PL_ALLREDUCE, PL_THESIS, false},
	{"recursive-doubling", "recursive-doubling", PL_ALLREDUCE, PL_OPENMPI, false},
	{"binomial", "binomial", PL_BROADCAST, PL_OPENMPI, false},
};

/* What is to be ordered. */
struct instance {
	const char *network, *algorithm;
	struct pl_costs costs;
	struct pl_shape shape;
	size_t *planted, *at; /* [n] */
	double given, rack_by_rack, bound, bound_seconds;
};

/* One value a seed. */
struct series {
	double v[SEEDS_MAX];
	size_t n;
};

struct outcome {
	struct series cost, thesis, seconds, moves;
};

/* When the search had its best order. */
struct watch {
	double start, reached, cost;
};

static void note(void *arg, const struct pl_restarts_progress *now)
{
	struct watch *w = arg;

	if (now->cost >= w->cost)
		return;
	w->cost = now->cost;
	w->reached = processor_seconds();
}

static int search(struct instance *in, const struct args *args, int64_t seed, struct outcome *o,
		  struct pl_err *err)
{
	struct watch w = {.start = processor_seconds(), .cost = INFINITY};
	const struct pl_order_search_options options = {
		.seed = (uint64_t)seed,
		.moves = args->n_moves ? (uint64_t)args->n_moves : (uint64_t)INT64_MAX,
		.threads = (unsigned)args->n_threads,
		.target = in->bound,
		.stop = processor_stop(args->n_moves ? 0 : args->seconds * (double)args->n_threads),
		.progress = note,
		.progress_arg = &w,
	};
	struct pl_order_search_result r;
	int rc;

	for (size_t i = 0; i < in->costs.n; i++)
		in->at[i] = i;
	w.reached = w.start;
	rc = pl_order_search(&in->shape, &in->costs, &options, in->at, &r, err);
	processor_stop(0);
	in->given = r.cost_given;
	o->cost.v[o->cost.n++] = r.cost;
	o->seconds.v[o->seconds.n++] = (w.reached - w.start) / (double)args->n_threads;
	o->moves.v[o->moves.n++] = (double)r.moves;
	return rc;
}

static int measure(struct instance *in, const struct args *args, struct outcome *o,
		   struct pl_err *err)
{
	double start = processor_seconds();
	struct thesis_stages thesis;

	if (pl_order_lower_bound(&in->shape, &in->costs, NULL, NULL, &in->bound, err))
		return -1;
	in->bound_seconds = processor_seconds() - start;
	for (int64_t seed = 1; seed <= args->n_seeds; seed++) {
		start = processor_seconds();
		if (search(in, args, seed, o, err))
			return -1;
		if (args->no_thesis)
			continue;
		if (thesis_stages(&in->shape, &in->costs,
				  args->n_moves ? processor_seconds() - start
						: args->seconds * (double)args->n_threads,
				  (uint64_t)seed, &thesis, err))
			return -1;
		o->thesis.v[o->thesis.n++] = thesis.refined;
	}
	return 0;
}

static double rack_by_rack(const struct instance *in, struct pl_err *err)
{
	struct pl_objective *o = pl_objective_create(&in->shape, &in->costs, err);
	const double cost = o ? pl_objective_full(o, in->planted) : NAN;

	pl_objective_destroy(o);
	return cost;
}

static void print_head(void)
{
	printf("%-18s %-10s %5s %9s %9s %9s %9s %8s %8s %8s %8s %7s %9s %7s\n", "algorithm",
	       "network", "hosts", "bound", "found", "rack by", "given", "gap", "worst", "thesis",
	       "search /", "found", "moves", "bound");
	printf("%-18s %-10s %5s %9s %9s %9s %9s %8s %8s %8s %8s %7s %9s %7s\n", "", "", "", "", "",
	       "rack", "", "", "seed", "gap", "thesis", "at s", "", "s");
}

static double gap(const struct instance *in, double cost)
{
	return in->bound > 0 ? 100 * (cost / in->bound - 1) : NAN;
}

static void print_row(const struct instance *in, struct outcome *o)
{
	const double cost = pl_median(o->cost.v, o->cost.n);
	const double thesis = pl_median(o->thesis.v, o->thesis.n);

	printf("%-18s %-10s %5zu %9.0f %9.0f %9.0f %9.0f", in->algorithm, in->network, in->costs.n,
	       in->bound, cost, in->rack_by_rack, in->given);
	printf(" %7.2f%% %7.2f%%", gap(in, cost), gap(in, o->cost.v[o->cost.n - 1]));
	if (o->thesis.n > 0)
		printf(" %7.2f%% %8.4f", gap(in, thesis), thesis > 0 ? cost / thesis : 1);
	else
		printf(" %8s %8s", "-", "-");
	printf(" %7.2f %9.0f %7.2f\n", pl_median(o->seconds.v, o->seconds.n),
	       pl_median(o->moves.v, o->moves.n), in->bound_seconds);
	fflush(stdout);
}

static int try_algorithm(struct instance *in, const struct algorithm *known,
			 const struct args *args, struct pl_err *err)
{
	struct pl_call call = {.n_pos = in->costs.n, .bytes = (uint64_t)1 << 20};
	struct outcome o = {0};
	const struct pl_algorithm *a;
	int rc;

	a = pl_catalogue_find(known->collective, known->impl, known->name, &call.radix, err);
	if (!a || pl_algorithm_shape(a, &call, &in->shape, err))
		return -1;
	for (size_t h = 0; known->by_bytes && h < in->shape.n_hops; h++)
		in->shape.hop[h].times = in->shape.hop[h].bytes / (double)call.bytes;
	in->algorithm = known->option;
	in->rack_by_rack = rack_by_rack(in, err);
	rc = isnan(in->rack_by_rack) ? -1 : measure(in, args, &o, err);
	if (rc == 0)
		print_row(in, &o);
	pl_shape_fini(&in->shape);
	return rc;
}

static bool is_wanted(const char *wanted, const char *name)
{
	return !wanted || !strcmp(wanted, name);
}

static int try_algorithms(struct instance *in, const struct args *args, struct pl_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(algorithms) / sizeof(*algorithms); i++)
		if (is_wanted(args->algorithm, algorithms[i].option))
			rc = try_algorithm(in, &algorithms[i], args, err);
	return rc;
}

static size_t rack_size(const struct args *args, size_t n)
{
	if (args->rack)
		return (size_t)args->rack;
	return n < 64 ? 2 : n < 512 ? 8 : n < 1024 ? 16 : 32;
}

static int try_network(const struct racks_kind *kind, size_t n, const struct args *args,
		       struct pl_err *err)
{
	double *c = pl_array_create(n * n, sizeof(*c));
	struct instance in = {
		.network = kind->name,
		.costs = {.n = n, .c = c},
		.planted = pl_array_create(n, sizeof(*in.planted)),
		.at = pl_array_create(n, sizeof(*in.at)),
	};
	int rc;

	if (c && in.planted && in.at)
		rc = racks_fill(kind, n, rack_size(args, n), 1, c, in.planted, err);
	else
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = try_algorithms(&in, args, err);
	free(c);
	free(in.planted);
	free(in.at);
	return rc;
}

static int try_size(size_t n, const struct args *args, struct pl_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(networks) / sizeof(*networks); i++)
		if (is_wanted(args->network, networks[i].name))
			rc = try_network(&networks[i], n, args, err);
	return rc;
}

static bool is_network(const char *name)
{
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++)
		if (!strcmp(name, networks[i].name))
			return true;
	return false;
}

static bool is_algorithm(const char *name)
{
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++)
		if (!strcmp(name, algorithms[i].option))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {6, 10, 20, 24, 48, 64, 512};
	struct args args = {.n_seeds = 5, .n_threads = 1, .seconds = 5};
	const struct bench_option options[] = {
		{"network", .text = &args.network},
		{"algorithm", .text = &args.algorithm},
		{"hosts", .whole = &args.hosts, .least = 2, .most = 16384},
		{"rack", .whole = &args.rack, .least = 1, .most = 16384},
		{"time", .seconds = &args.seconds},
		{"moves", .whole = &args.n_moves, .least = 1, .most = INT64_MAX},
		{"seeds", .whole = &args.n_seeds, .least = 1, .most = SEEDS_MAX},
		{"threads", .whole = &args.n_threads, .least = 1, .most = 64},
		{"no-thesis", .given = &args.no_thesis},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};
	int rc = 0;

	if (status >= 0)
		return status;
	if (args.network && !is_network(args.network))
		return pl_tool_usage(TOOL, "no network \"%s\"", args.network);
	if (args.algorithm && !is_algorithm(args.algorithm))
		return pl_tool_usage(TOOL, "no algorithm \"%s\"", args.algorithm);
	print_head();
	if (args.hosts)
		rc = try_size((size_t)args.hosts, &args, &err);
	for (size_t i = 0; !args.hosts && rc == 0 && i < sizeof(sizes) / sizeof(*sizes); i++)
		rc = try_size(sizes[i], &args, &err);
	return rc ? pl_tool_fail(TOOL, &err) : pl_tool_end_output(TOOL);
}
