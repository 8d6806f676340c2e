/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - orders from a few probes of each host, held against the known
 * best */
#include "config.h"

#include "bench/options.h"
#include "bench/sparse-order.h"
#include "bench/tiers.h"
#include "base/mem.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define TOOL "sparse"

static const char help[] =
	"usage: sparse [OPTION]...\n"
	"Searches for near hosts by few pairs (topology/sparse.h), all in simulation, and\n"
	"holds the order of the groups found against the best one, which goes through\n"
	"rack after rack: a ring's cost by the network without its noise. Prints by\n"
	"network (bench/tiers.h) the pairs that a host is in, on average and at most;\n"
	"the steps and the groups; the cost, 1 being the best; seconds of the processor\n"
	"and the most memory so far.\n"
	"\n"
	"  --hosts=N     (1000)\n"
	"  --per-host=N  pairs that a host is in (64)\n"
	"  --kind=NAME   only this network\n"
	"  --seed=N      (1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double ring(const struct tiers *net, const size_t *order)
{
	double sum = 0;

	for (size_t k = 0; k < net->n; k++)
		sum += tiers_truth(net, order[k], order[(k + 1) % net->n]);
	return sum;
}

struct result {
	struct sparse_report report;
	double cost, seconds;
};

/* All the search's steps, answered at once. */
static int search(struct pl_sparse *s, const struct tiers *net, struct pl_err *err)
{
	const struct pl_sample_pair *pair;
	size_t n;

	do {
		if (pl_sparse_next(s, &pair, &n, err))
			return -1;
		for (size_t k = 0; k < n; k++)
			if (pl_sparse_take(s, pair[k].a, pair[k].b,
					   tiers_measured(net, pair[k].a, pair[k].b)))
				return pl_err_nomem(err);
	} while (n > 0);
	return 0;
}

static int find_order(const struct tiers *net, const struct pl_sparse_options *o, size_t *order,
		      struct result *r, struct pl_err *err)
{
	struct pl_sparse *s = pl_sparse_create(net->n, o, err);
	const double then = seconds();
	int rc = -1;

	if (s && !search(s, net, err) && !sparse_order(s, order, err)) {
		r->seconds = seconds() - then;
		r->cost = ring(net, order);
		sparse_describe(s, &r->report);
		rc = 0;
	}
	pl_sparse_destroy(s);
	return rc;
}

static void print(const struct tiers *net, const struct result *r, double best)
{
	const struct sparse_report *p = &r->report;
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	printf("%-10s %7zu %7.1f %7zu %5zu %7zu %7.3f %8.2f %6ld\n", net->kind->name, net->n,
	       2.0 * (double)p->n_pairs / (double)net->n, p->busiest, p->n_steps, p->n_groups,
	       r->cost / best, r->seconds, use.ru_maxrss / 1024);
	fflush(stdout);
}

static int try_kind(const struct tiers_kind *kind, size_t n, const struct pl_sparse_options *o,
		    struct pl_err *err)
{
	size_t *order = pl_array_create(n, sizeof(*order));
	struct tiers net = {0};
	struct result r = {0};
	int rc = -1;

	if (tiers_init(&net, kind, n, o->seed) || !order) {
		pl_err_nomem(err);
		goto out;
	}
	if (find_order(&net, o, order, &r, err))
		goto out;
	/* the best: rack after rack, row after row */
	for (size_t i = 0; i < n; i++)
		order[net.place[i]] = i;
	print(&net, &r, ring(&net, order));
	rc = 0;
out:
	tiers_fini(&net);
	free(order);
	return rc;
}

int main(int argc, char **argv)
{
	const char *only = NULL;
	int64_t hosts = 1000, seed = 1, per_host = 64;
	const struct bench_option options[] = {
		{"hosts", .whole = &hosts, .least = 100, .most = 1000000},
		{"per-host", .whole = &per_host, .least = 8, .most = 1000000},
		{"kind", .text = &only},
		{"seed", .whole = &seed, .least = 1, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	const struct pl_sparse_options o = {.per_host = (size_t)per_host, .seed = (uint64_t)seed};
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (only && !tiers_find(only))
		return pl_tool_usage(TOOL, "no kind \"%s\"", only);
	printf("%-10s %7s %7s %7s %5s %7s %7s %8s %6s\n", "network", "hosts", "pairs", "busiest",
	       "steps", "groups", "cost", "seconds", "MB");
	for (size_t k = 0; k < tiers_n_kinds; k++)
		if ((!only || tiers_find(only) == &tiers_kinds[k]) &&
		    try_kind(&tiers_kinds[k], (size_t)hosts, &o, &err))
			return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
