/* SPDX-License-Identifier: BSD-3-Clause */
/* order-cells.c - the search against the thesis' two stages, on problems drawn by number */
#include "config.h"

#include "bench/cells.h"
#include "bench/options.h"
#include "bench/processor-time.h"
#include "bench/thesis-stages.h"
#include "base/mem.h"
#include "base/stats.h"
#include "solver/order/order-search.h"
#include "solver/ring/ring-search.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "order-cells"
#define SEEDS_MAX 99
#define WORST 5

static const char help[] =
	"usage: order-cells [OPTION]...\n"
	"Draws problems of ordering 2 to 64 hosts: racks, equal or not, with and without\n"
	"noise, costs at random or by distance in a plane, the same both ways or not, with\n"
	"and without rates. Orders each by the search and by the thesis' two stages in as\n"
	"much time of the processor, one thread. Prints the median cost of each over the\n"
	"seeds, and search / thesis; then the mean and the worst of these by hosts and\n"
	"algorithm, and the worst of all.\n"
	"\n"
	"  --cells=N         (default 200)\n"
	"  --first=N         number of the first one (default 1)\n"
	"  --draw=N          another set of problems (default 1)\n"
	"  --algorithm=NAME  those alone: ring, halving-doubling, double-binary-tree,\n"
	"                    bcube, recursive-doubling, rabenseifner, mixture (what Open\n"
	"                    MPI runs at 2k, 64k, 1M and 8M)\n"
	"  --max-hosts=N     no larger ones (default 64)\n"
	"  --time=S          of the processor, for each (default 0.5)\n"
	"  --seeds=N         seeds 1 to N (default 5)\n"
	"  --no-thesis       nor its columns\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	const char *algorithm;
	int64_t n_cells, first, draw, hosts_max, n_seeds;
	double seconds;
	bool no_thesis;
};

/* The sizes of the table: up to so many hosts. */
static const size_t sizes[] = {9, 16, 31, 64};
#define SIZES (sizeof(sizes) / sizeof(*sizes))
#define ALGORITHMS_MAX 16

struct ratios {
	size_t n;
	double logs, worst;
};

struct worst {
	double ratio;
	char name[96];
};

struct table {
	struct ratios by[ALGORITHMS_MAX][SIZES];
	struct worst worst[WORST]; /* the worst first */
	size_t n_dearer;           /* by more than 0.1 % */
};

static int search_ring(const struct cell *cell, double seconds, uint64_t seed, size_t *at,
		       double *cost, struct pl_err *err)
{
	const size_t n = cell->costs.n;
	const struct pl_hop *hop = cell->shape.hop;
	struct pl_ring_options options = {
		.seed = seed,
		.moves = PL_RING_MOVES_MAX,
		.threads = 1,
		.stop = processor_stop(seconds),
	};
	struct pl_ring_result r;
	double *c = pl_array_create(n * n, sizeof(*c));
	int rc;

	if (!c)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n * n; i++) {
		c[i] = cell->costs.c[i];
		if (cell->costs.per_byte)
			c[i] += hop->bytes * cell->costs.per_byte[i];
		c[i] *= hop->times;
	}
	rc = pl_ring_search(c, n, &options, at, &r, err);
	*cost = r.cost;
	free(c);
	return rc;
}

static int search(const struct cell *cell, double seconds, uint64_t seed, double *cost,
		  struct pl_err *err)
{
	struct pl_order_search_options options = {
		.seed = seed,
		.moves = INT64_MAX,
		.threads = 1,
	};
	struct pl_order_search_result r;
	size_t *at = pl_array_create(cell->costs.n, sizeof(*at));
	int rc;

	if (!at)
		return pl_err_nomem(err);
	for (size_t h = 0; h < cell->costs.n; h++)
		at[h] = h;
	if (!strcmp(cell->algorithm, "ring") && cell->costs.n > 2) {
		rc = search_ring(cell, seconds, seed, at, cost, err);
	} else {
		options.stop = processor_stop(seconds);
		rc = pl_order_search(&cell->shape, &cell->costs, &options, at, &r, err);
		*cost = r.cost;
	}
	processor_stop(0);
	free(at);
	return rc;
}

static void note_worst(struct table *t, double ratio, const char *name)
{
	size_t k = WORST;

	for (; k > 0 && ratio > t->worst[k - 1].ratio; k--)
		if (k < WORST)
			t->worst[k] = t->worst[k - 1];
	if (k == WORST)
		return;
	t->worst[k].ratio = ratio;
	snprintf(t->worst[k].name, sizeof(t->worst[k].name), "%s", name);
}

static void note(struct table *t, const struct cell *cell, double ratio, const char *name)
{
	size_t a = 0, s = 0;
	struct ratios *r;

	while (strcmp(cells_algorithm(a), cell->algorithm) != 0)
		a++;
	while (cell->costs.n > sizes[s])
		s++;
	r = &t->by[a][s];
	r->n++;
	r->logs += log(ratio);
	r->worst = fmax(r->worst, ratio);
	t->n_dearer += ratio > 1.001;
	note_worst(t, ratio, name);
}

static int try_cell(struct table *t, const struct cell *cell, int64_t number,
		    const struct args *args, struct pl_err *err)
{
	double found[SEEDS_MAX], thesis[SEEDS_MAX], x, y = NAN;
	struct thesis_stages stages;
	char name[96];

	for (int64_t seed = 1; seed <= args->n_seeds; seed++) {
		if (search(cell, args->seconds, (uint64_t)seed, &found[seed - 1], err))
			return -1;
		if (args->no_thesis)
			continue;
		if (thesis_stages(&cell->shape, &cell->costs, args->seconds, (uint64_t)seed,
				  &stages, err))
			return -1;
		thesis[seed - 1] = stages.refined;
	}
	snprintf(name, sizeof(name), "%4d %-18s %-13s %2zu %-8s %-5s", (int)number, cell->algorithm,
		 cell->network, cell->costs.n, cell->directed ? "directed" : "-",
		 cell->rates ? "rates" : "-");
	x = pl_median(found, (size_t)args->n_seeds);
	if (!args->no_thesis) {
		y = pl_median(thesis, (size_t)args->n_seeds);
		note(t, cell, x == y ? 1 : x / y, name);
	}
	printf("%s %14.8g %14.8g %8.4f\n", name, x, y, x == y ? 1 : x / y);
	fflush(stdout);
	return 0;
}

static int try_cells(struct table *t, const struct args *args, struct pl_err *err)
{
	int64_t done = 0;

	for (int64_t number = args->first; done < args->n_cells; number++) {
		struct cell cell;
		int rc = cell_draw(&cell, (uint64_t)args->draw, (uint64_t)number, err);

		if (rc)
			return -1;
		if ((!args->algorithm || !strcmp(args->algorithm, cell.algorithm)) &&
		    cell.costs.n <= (size_t)args->hosts_max) {
			rc = try_cell(t, &cell, number, args, err);
			done++;
		}
		cell_fini(&cell);
		if (rc)
			return -1;
	}
	return 0;
}

static void print_table(const struct table *t)
{
	printf("\nsearch / thesis: cells, mean, worst, up to so many hosts\n%-18s", "");
	for (size_t s = 0; s < SIZES; s++)
		printf("%23zu", sizes[s]);
	printf("\n");
	for (size_t a = 0; a < cells_algorithms(); a++) {
		printf("%-18s", cells_algorithm(a));
		for (size_t s = 0; s < SIZES; s++) {
			const struct ratios *r = &t->by[a][s];

			if (r->n)
				printf("  %3zu %8.4f %8.4f", r->n, exp(r->logs / (double)r->n),
				       r->worst);
			else
				printf("  %3d %8s %8s", 0, "-", "-");
		}
		printf("\n");
	}
	printf("\nmore than 0.1 %% dearer: %zu; the worst:\n", t->n_dearer);
	for (size_t k = 0; k < WORST && t->worst[k].ratio > 0; k++)
		printf("%s %8.4f\n", t->worst[k].name, t->worst[k].ratio);
}

static bool is_algorithm(const char *name)
{
	for (size_t a = 0; a < cells_algorithms(); a++)
		if (!strcmp(name, cells_algorithm(a)))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct args args = {
		.n_cells = 200,
		.first = 1,
		.draw = 1,
		.hosts_max = 64,
		.n_seeds = 5,
		.seconds = 0.5,
	};
	const struct bench_option options[] = {
		{"cells", .whole = &args.n_cells, .least = 1, .most = 1 << 20},
		{"first", .whole = &args.first, .least = 0, .most = 1 << 20},
		{"draw", .whole = &args.draw, .least = 0, .most = INT64_MAX},
		{"algorithm", .text = &args.algorithm},
		{"max-hosts", .whole = &args.hosts_max, .least = 2, .most = 64},
		{"time", .seconds = &args.seconds},
		{"seeds", .whole = &args.n_seeds, .least = 1, .most = SEEDS_MAX},
		{"no-thesis", .given = &args.no_thesis},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct table table = {.n_dearer = 0};
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (args.algorithm && !is_algorithm(args.algorithm))
		return pl_tool_usage(TOOL, "no algorithm \"%s\"", args.algorithm);
	printf("%4s %-18s %-13s %2s %-8s %-5s %14s %14s %8s\n", "cell", "algorithm", "network", "N",
	       "costs", "", "search", "thesis", "ratio");
	if (try_cells(&table, &args, &err))
		return pl_tool_fail(TOOL, &err);
	if (!args.no_thesis)
		print_table(&table);
	return pl_tool_end_output(TOOL);
}
