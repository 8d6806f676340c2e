/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-solver.c - the thesis' two stages against plink's search, in the same time */
#include "config.h"

#include "bench/instances.h"
#include "bench/options.h"
#include "bench/thesis-stages.h"
#include "base/clock.h"
#include "base/mem.h"
#include "solver/proof/order-proof.h"
#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-search.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TOOL "thesis-solver"

static const char help[] =
	"usage: thesis-solver [OPTION]...\n"
	"Orders rings by the PLink thesis' two stages, annealing for half of the\n"
	"time and Z3 for the other (all of it for annealing without Z3), and by\n"
	"plink's bound and search in the same time, one thread each. Prints, for\n"
	"each: hosts; the cost of the given order, after annealing, after Z3 and\n"
	"of plink's order, as multiples of the optimum where that is known, else\n"
	"(marked b) of plink's bound; seconds that plink took of the time.\n"
	"\n"
	"  --data=DIR    TSPLIB instances besides, see solver --help\n"
	"  --max-hosts=N no larger instances (default 256)\n"
	"  --time=S      seconds for each (default 5)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	const char *data;
	int64_t hosts_max, seed;
	double seconds;
};

/* What one instance gave. */
struct outcome {
	struct thesis_stages thesis;
	double found, bound, seconds;
};

static int search(const struct instance *in, const struct args *args, double *weight, size_t *at,
		  struct outcome *o, struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	const struct pl_stop stop = {.deadline_ns = start_ns + (int64_t)(args->seconds * 1e9)};
	struct pl_ring_bound bound;
	struct pl_ring_result r;
	struct pl_ring_options options = {
		.seed = (uint64_t)args->seed,
		.moves = PL_RING_MOVES_MAX,
		.threads = 1,
		.weight = weight,
		.stop = &stop,
	};

	for (size_t k = 0; k < in->n; k++)
		at[k] = k;
	if (pl_ring_bound(in->c, in->n, PL_BOUND_FAST, &stop, &bound, weight, err))
		return -1;
	o->bound = options.target = bound.value;
	if (pl_ring_search(in->c, in->n, &options, at, &r, err))
		return -1;
	o->found = r.cost;
	o->seconds = (double)(pl_clock_ns() - start_ns) * 1e-9;
	return 0;
}

static void print_row(const struct instance *in, const struct outcome *o)
{
	const bool known = !isnan(in->optimum);
	const double least = known ? in->optimum : o->bound;

	printf("%-22s %5zu %9.4f %9.4f %9.4f %9.4f %s %8.2f\n", in->name, in->n,
	       o->thesis.given / least, o->thesis.annealed / least, o->thesis.refined / least,
	       o->found / least, known ? " " : "b", o->seconds);
	fflush(stdout);
}

static int try_instance(const struct instance *in, void *arg, struct pl_err *err)
{
	const struct args *args = arg;
	size_t *at = pl_array_create(in->n, sizeof(*at));
	double *weight = pl_array_create(in->n, sizeof(*weight));
	struct outcome o;
	int rc = -1;

	if (!at || !weight)
		pl_err_nomem(err);
	else if (thesis_stages_ring(in->c, in->n, args->seconds, (uint64_t)args->seed, &o.thesis,
				    err) == 0)
		rc = search(in, args, weight, at, &o, err);
	if (rc == 0)
		print_row(in, &o);
	free(at);
	free(weight);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.hosts_max = 256, .seed = 1, .seconds = 5};
	const struct bench_option options[] = {
		{"data", .text = &args.data},
		{"max-hosts", .whole = &args.hosts_max, .least = 1, .most = 1 << 16},
		{"time", .seconds = &args.seconds},
		{"seed", .whole = &args.seed, .least = 0, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (!pl_proof_built())
		pl_tool_say(TOOL, "not built with Z3: annealing alone");
	printf("%-22s %5s %9s %9s %9s %9s   %8s\n", "instance", "hosts", "given", "annealed",
	       "and Z3", "plink", "plink s");
	if (instances_generate((size_t)args.hosts_max, try_instance, &args, &err) ||
	    (args.data &&
	     instances_read(args.data, (size_t)args.hosts_max, try_instance, &args, &err)))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
