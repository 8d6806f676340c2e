/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-orders.c - orders side by side: predicted cost against measured
 * time */
#include "config.h"

#include "bench/orders.h"
#include "bench/spearman.h"

#include "base/mem.h"
#include "base/stats.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "compare-orders"
#define INPUT_MAX ((size_t)64 << 20)

static const char help[] = "usage: compare-orders [--brief] [FILE]\n"
			   "Compares orders of hosts by the lines of FILE or standard input:\n"
			   "  unit NAME             unit of the costs: ns, us, ms, s\n"
			   "  order NAME COST       an order and its predicted cost\n"
			   "  time NAME BYTES US... a launch: time of each all-reduce\n"
			   "Orders named given, found, best and worst are set against one\n"
			   "another; those named random... are taken together; all of them\n"
			   "count in the correlation.\n"
			   "\n"
			   "  --brief    of the table only those four\n"
			   "  --help, --version\n"
			   "Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

enum detail { DETAIL_FULL, DETAIL_BRIEF };

/* One size, or the predicted costs alone. value[] is indexed by order: the least time in us, or the
 * cost; NaN where there is none. */
struct view {
	const struct bench_orders *all;
	enum detail detail;
	const char *measure; /* what value[] is */
	double *value;
	struct bench_times *times; /* by order; NULL: costs alone */
};

static int is_role(const struct bench_order *order)
{
	static const char *const roles[] = {"given", "found", "best", "worst"};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(order->name, roles[i]))
			return 1;
	return 0;
}

static int is_random(const struct bench_order *order)
{
	return !strncmp(order->name, "random", 6);
}

/* value of the order of that name; NaN: no such order */
static double value_of(const struct view *view, const char *name)
{
	const ptrdiff_t i = bench_orders_find(view->all, name);

	return i < 0 ? NAN : view->value[i];
}

/* Median of value[] (or of costs) over the random orders, and their number. */
static int random_median(const struct view *view, const double *value, double *median, size_t *n)
{
	double *v = pl_array_create(view->all->n_orders, sizeof(*v));

	if (!v)
		return -1;
	*n = 0;
	for (size_t i = 0; i < view->all->n_orders; i++)
		if (is_random(&view->all->order[i]) && !isnan(value[i]))
			v[(*n)++] = value[i];
	*median = pl_median(v, *n);
	free(v);
	return 0;
}

static void print_ratio(const char *name, double above, double below, const char *what)
{
	if (!isnan(above) && !isnan(below))
		printf("%-13s %6.3f  %s\n", name, above / below, what);
}

static void print_head(const struct view *view)
{
	printf("%-16s %14s", "order", "predicted");
	if (view->times)
		printf(" %12s %12s %9s %8s", "least", "median", "to best", "spread");
	else
		printf(" %9s", "to best");
	printf("\n%-16s %14s", "", view->all->unit_ms > 0 ? "ms" : "");
	if (view->times)
		printf(" %12s %12s %9s %8s", "ms", "ms", "", "%");
	putchar('\n');
}

static void print_order(const struct view *view, size_t i, double best)
{
	const struct bench_order *order = &view->all->order[i];
	const struct bench_times *t = view->times ? &view->times[i] : NULL;

	if (view->all->unit_ms > 0)
		printf("%-16s %14.3f", order->name, order->cost * view->all->unit_ms);
	else
		printf("%-16s %14.6g", order->name, order->cost);
	if (t && t->n_runs)
		printf(" %12.2f %12.2f", t->min_us / 1e3, t->median_us / 1e3);
	if ((!t || t->n_runs) && !isnan(best))
		printf(" %9.3f", view->value[i] / best);
	if (t && t->n_runs)
		printf(" %8.1f", 100 * t->spread);
	putchar('\n');
}

static void print_table(const struct view *view)
{
	const double best = value_of(view, "best");

	print_head(view);
	for (size_t i = 0; i < view->all->n_orders; i++)
		if (view->detail == DETAIL_FULL || is_role(&view->all->order[i]))
			print_order(view, i, best);
}

static int print_ratios(const struct view *view)
{
	const double best = value_of(view, "best");
	double median;
	size_t n;
	char what[80];

	if (random_median(view, view->value, &median, &n))
		return -1;
	printf("ratios of the %s:\n", view->measure);
	print_ratio("found/best", value_of(view, "found"), best,
		    "plink's order against the planted best");
	print_ratio("given/found", value_of(view, "given"), value_of(view, "found"),
		    "what plink gains here");
	print_ratio("worst/best", value_of(view, "worst"), best, "what an order can cost");
	snprintf(what, sizeof(what), "median of %zu random orders", n);
	print_ratio("random/best", median, best, what);
	return 0;
}

/* Spearman's correlation of cost and time over the orders launched. */
static int print_correlation(const struct view *view)
{
	const size_t room = view->all->n_orders;
	double *x = pl_array_create(room, 2 * sizeof(*x));
	double rho;
	size_t n = 0;
	int rc = -1;

	if (!x)
		return -1;
	for (size_t i = 0; i < room; i++)
		if (!isnan(view->value[i])) {
			x[n] = view->all->order[i].cost;
			x[room + n++] = view->value[i];
		}
	if (spearman(x, x + room, n, &rho))
		goto out;
	if (isnan(rho))
		printf("Spearman           -  undefined over %zu orders\n", n);
	else
		printf("%-13s %6.3f  predicted cost and time, %zu orders\n", "Spearman", rho, n);
	rc = 0;
out:
	free(x);
	return rc;
}

static int print_view(const struct view *view, struct pl_err *err)
{
	print_table(view);
	if (print_ratios(view) || (view->times && print_correlation(view)))
		return pl_err_nomem(err);
	return 0;
}

static int compare_costs(struct view *view, struct pl_err *err)
{
	for (size_t i = 0; i < view->all->n_orders; i++)
		view->value[i] = view->all->order[i].cost;
	view->measure = "predicted costs (nothing was timed)";
	return print_view(view, err);
}

static int compare_size(struct view *view, int64_t size_bytes, struct pl_err *err)
{
	for (size_t i = 0; i < view->all->n_orders; i++) {
		if (bench_orders_times(view->all, i, size_bytes, &view->times[i], err))
			return -1;
		view->value[i] = view->times[i].min_us;
	}
	view->measure = "least times";
	printf("all-reduce of %lld bytes\n", (long long)size_bytes);
	return print_view(view, err);
}

static int compare(const struct bench_orders *all, enum detail detail, struct pl_err *err)
{
	double *value = pl_array_create(all->n_orders, sizeof(*value));
	struct bench_times *times = pl_array_create(all->n_orders, sizeof(*times));
	struct view view = {.all = all, .detail = detail, .value = value};
	int rc = -1;

	if (!value || !times) {
		pl_err_nomem(err);
		goto out;
	}
	rc = 0;
	if (all->n_sizes == 0)
		rc = compare_costs(&view, err);
	view.times = times;
	for (size_t i = 0; i < all->n_sizes && !rc; i++) {
		if (i)
			putchar('\n');
		rc = compare_size(&view, all->size_bytes[i], err);
	}
out:
	free(value);
	free(times);
	return rc;
}

static int run(const char *path, enum detail detail, struct pl_err *err)
{
	struct bench_orders all = {0};
	struct pl_text text = {0};
	int rc = -1;

	if (pl_text_load(&text, path, INPUT_MAX, err))
		return -1;
	if (bench_orders_parse(&all, &text, err))
		goto out;
	rc = compare(&all, detail, err);
	if (!rc && fflush(stdout))
		rc = pl_err_errno(err, "cannot write");
out:
	bench_orders_fini(&all);
	pl_text_fini(&text);
	return rc;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"brief", no_argument, NULL, 'b'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	enum detail detail = DETAIL_FULL;
	struct pl_err err = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h')
			return pl_tool_help(TOOL, help);
		if (option == 'V')
			return pl_tool_version(TOOL);
		if (option != 'b')
			return pl_tool_usage(TOOL, "unknown option %s", argv[optind - 1]);
		detail = DETAIL_BRIEF;
	}
	if (argc - optind > 1)
		return pl_tool_usage(TOOL, "one file at most");
	if (run(optind < argc ? argv[optind] : "-", detail, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
