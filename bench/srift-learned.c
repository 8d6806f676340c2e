/* SPDX-License-Identifier: BSD-3-Clause */
/* srift-learned.c - how well and how fast bandwidths are learned */
#include "config.h"

#include "bench/grid-models.h"
#include "bench/made-grid.h"
#include "bench/options.h"
#include "base/mem.h"
#include "planner/srift/learned/learned.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOOL "srift-learned"
#define N_TIMED 20000

static const char help[] =
	"usage: srift-learned [OPTION]...\n"
	"Learns a made-up grid of measurements with lognormal noise and tells, on others of the\n"
	"same truth, the mean absolute percentage error of the truth itself (what no model\n"
	"can be better than), of the learned model, of a line through the times (alpha-beta,\n"
	"least squares) and of the nearest rows in logarithms; then seconds of processor time\n"
	"to learn, and predictions a second. First sizes and ranks as in the grid, then numbers\n"
	"of ranks between its (3, 6, 12, ...).\n"
	"\n"
	"  --machines=N  (default 6)\n"
	"  --repeats=N   (default 3)\n"
	"  --noise=N     percent (default 10)\n"
	"  --folds=N     (default 5)\n"
	"  --trees=N     at most (default 200)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system, or XGBoost is not built in.\n";

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int make(const struct made_grid *m, struct pl_grid *g, struct pl_err *err)
{
	char *s = NULL;
	size_t len = 0;
	struct pl_text text;
	FILE *f = open_memstream(&s, &len);
	int rc = -1;

	if (!f)
		return pl_err_nomem(err);
	made_grid_write(m, f);
	if (fclose(f))
		pl_err_nomem(err);
	else if (pl_text_copy(&text, "made", s, len, err) == 0) {
		rc = pl_grid_parse(g, &text, err);
		pl_text_fini(&text);
	}
	free(s);
	return rc;
}

/* Errors in the mean of the rows of one half. */
struct errors {
	double floor, learned, line, nearest;
	size_t n;
};

static void add(struct errors *e, const struct pl_grid *from, const struct pl_grid_row *row,
		double told)
{
	const double seen = row->bytes_per_s;
	const double truth = made_bandwidth((int64_t)row->machine, (double)row->bytes,
					    (int64_t)row->ranks, (int64_t)row->async);

	e->floor += fabs(truth / seen - 1);
	e->learned += fabs(told / seen - 1);
	e->line += fabs(grid_line(from, row) / seen - 1);
	e->nearest += fabs(grid_nearest(from, row) / seen - 1);
	e->n++;
}

static void show(const char *where, const char *half, const struct errors *e)
{
	const double percent = 100 / (double)e->n;

	printf("%-8s %-6s %6zu %7.2f %8.2f %6.2f %11.2f %8.2f\n", where, half, e->n,
	       percent * e->floor, percent * e->learned, percent * (e->learned - e->floor),
	       percent * e->line, percent * e->nearest);
}

/* @between: three halves of each number of ranks. */
static int judge(const struct pl_learned *m, const struct pl_grid *from,
		 const struct pl_grid *other, bool between, struct pl_err *err)
{
	struct errors e[PL_HALVES] = {{0}};
	double told;

	for (size_t i = 0; i < other->n_rows; i++) {
		struct pl_grid_row row = other->row[i];
		struct pl_learned_query q;
		double noise;

		noise = row.bytes_per_s / made_bandwidth((int64_t)row.machine, (double)row.bytes,
							 (int64_t)row.ranks, (int64_t)row.async);
		if (between && row.ranks == 64)
			continue;
		row.ranks += between ? row.ranks / 2 : 0;
		row.bytes_per_s = noise * made_bandwidth((int64_t)row.machine, (double)row.bytes,
							 (int64_t)row.ranks, (int64_t)row.async);
		q = (struct pl_learned_query){row.machine, row.bytes, row.ranks, row.async};
		if (pl_learned_predict(m, &q, 1, &told, err))
			return -1;
		add(&e[row.bytes > m->mtu_bytes], from, &row, told);
	}
	for (int i = 0; i < PL_HALVES; i++)
		show(between ? "between" : "as grid", pl_half_name[i], &e[i]);
	return 0;
}

/* Bandwidths told a second: one by one, and all together. */
static int time_predictions(const struct pl_learned *m, struct pl_err *err)
{
	struct pl_learned_query *q = pl_array_create(N_TIMED, sizeof(*q));
	double *b = pl_array_create(N_TIMED, sizeof(*b));
	double start, one, all;
	int rc = q && b ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < N_TIMED; i++)
		q[i] = (struct pl_learned_query){i % m->n_machines, (uint64_t)4 << i % 28,
						 2 + i % 63, 1 + i % 4};
	start = cpu_seconds();
	for (size_t i = 0; rc == 0 && i < N_TIMED / 10; i++)
		rc = pl_learned_predict(m, &q[i], 1, &b[i], err);
	one = cpu_seconds() - start;
	if (rc == 0)
		rc = pl_learned_predict(m, q, N_TIMED, b, err);
	all = cpu_seconds() - start - one;
	free(q);
	free(b);
	if (rc == 0)
		printf("predictions/s: %.0f one by one, %.0f together\n", N_TIMED / 10 / one,
		       N_TIMED / all);
	return rc;
}

static int run(const struct made_grid *made, const struct pl_learned_options *o, struct pl_err *err)
{
	struct made_grid unseen = *made;
	struct pl_grid grid = {0}, other = {0};
	struct pl_learned m = {0};
	double start;
	int rc = -1;

	unseen.seed += 1000;
	unseen.n_repeats = 1;
	if (make(made, &grid, err) || make(&unseen, &other, err))
		goto out;
	start = cpu_seconds();
	if (pl_learned_train(&m, &grid, o, err))
		goto out;
	printf("learned %zu rows in %.1f s of processor time, %zu + %zu combinations in %zu "
	       "folds\n",
	       grid.n_rows, cpu_seconds() - start, m.half[PL_HALF_SMALL].fit.n_tried,
	       m.half[PL_HALF_LARGE].fit.n_tried, o->search.n_folds);
	printf("MAPE, %%\n%-8s %-6s %6s %7s %8s %6s %11s %8s\n", "ranks", "half", "rows", "truth",
	       "learned", "more", "alpha-beta", "nearest");
	rc = judge(&m, &grid, &other, false, err) || judge(&m, &grid, &other, true, err) ||
			     time_predictions(&m, err)
		     ? -1
		     : 0;
out:
	pl_learned_fini(&m);
	pl_grid_fini(&grid);
	pl_grid_fini(&other);
	return rc;
}

int main(int argc, char **argv)
{
	int64_t seed = 1, noise = 10, folds = 5, trees = 200;
	struct made_grid made = {
		.n_machines = MADE_MACHINES,
		.n_repeats = 3,
		.bytes_max = 512 << 20,
		.ranks_max = 64,
		.async_max = 4,
	};
	struct pl_learned_options o = {.mtu_bytes = PL_LEARNED_MTU, .search = PL_SEARCH_DEFAULT};
	const struct bench_option options[] = {
		{"machines", .whole = &made.n_machines, .least = 1, .most = MADE_MACHINES},
		{"repeats", .whole = &made.n_repeats, .least = 1, .most = 100},
		{"noise", .whole = &noise, .least = 0, .most = 100},
		{"folds", .whole = &folds, .least = 2, .most = PL_SEARCH_FOLDS_MAX},
		{"trees", .whole = &trees, .least = 8, .most = PL_SEARCH_TREES_MAX},
		{"seed", .whole = &seed, .least = 0, .most = INT64_MAX - 1000},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	made.seed = o.seed = (uint64_t)seed;
	made.noise = (double)noise / 100;
	o.search.n_folds = (size_t)folds;
	o.search.n_trees = (size_t)trees;
	o.search.every = (size_t)trees / 8;
	if (run(&made, &o, &err))
		return pl_tool_fail(TOOL, &err);
	return pl_tool_end_output(TOOL);
}
