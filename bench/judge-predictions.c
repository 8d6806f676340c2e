/* SPDX-License-Identifier: BSD-3-Clause */
/* judge-predictions.c - predicted times of all-reduces against measured ones */
#include "config.h"

#include "bench/predictions.h"

#include "base/text/number.h"
#include "costmodels/catalogue.h"
#include "predict/predict.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "judge-predictions"

static const char help[] =
	"usage: judge-predictions [OPTION]... MATRIX RESULTS\n"
	"Predicts what bench/predict measured and prints, for each algorithm and\n"
	"size, how predictions and measurements agree over the orders.\n"
	"\n"
	"  --eager=BYTES  Open MPI's eager limit (default: its own)\n"
	"  --tcp=NAME     congestion control, as reno or bbr (default: as the matrix\n"
	"                 tells)\n"
	"  --detail       every order as well\n"
	"  --help, --version\n"
	"\n"
	"Columns: algorithm, bytes, orders; rho: Spearman's, predicted against\n"
	"measured; again: the same of two measurements, where Open MPI did by its\n"
	"own choice what it was told to in another launch; tied: rho where orders\n"
	"measured within the repeat spread of one another are tied with each other;\n"
	"apart: pairs of orders that are not; agree: those of them predicted the\n"
	"right way round; error:\n"
	"its median; repeat: what nine of ten orders vary less than, in a launch or\n"
	"from one to the other; orders: the slowest against the fastest; gain: what\n"
	"the order predicted to be best promises over the given one; kept: what it\n"
	"kept; verdict, of ranks only where orders were timed twice. agree to kept are in percent. "
	"A promised gain of 10 % or\n"
	"more is overstated where less than half of it was measured, and a false\n"
	"promise where that is no more than repetitions differ by.\n"
	"The last line tells the median and the worst of the cells' errors.\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	int64_t eager_bytes; /* 0: the default */
	bool detail;
	const char *tcp; /* NULL: as the matrix tells */
	const char *matrix, *results;
};

/* Open MPI's numbers of all-reduce algorithms; 0: its own choice. */
static const struct pl_algorithm *algorithm(int setting, struct pl_err *err)
{
	const struct pl_algorithm *a;
	size_t radix;

	if (setting == 0)
		return pl_catalogue_find(PL_ALLREDUCE, PL_OPENMPI, "default", &radix, err);
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->collective == PL_ALLREDUCE && a->impl == PL_OPENMPI && a->setting == setting)
			return a;
	pl_err_set(err, PL_EINPUT, "Open MPI has no all-reduce number %d", setting);
	return NULL;
}

/* Over all cells; what matters are those whose orders differ by more than the repeat spread. */
struct summary {
	size_t n, n_matter, n_ranked, n_near, n_overstated, n_false;
	double error[CELLS_MAX];
};

/* What all cells share. */
struct scene {
	const struct args *args;
	struct predictions *all;
	struct pl_network net;
	struct pl_protocol protocol;
	struct summary sum;
};

static int pattern_of(const struct scene *s, const struct pl_algorithm *a, uint64_t bytes,
		      struct pl_pattern *pattern, struct pl_err *err)
{
	const struct pl_call call = {.n_pos = s->net.n, .bytes = bytes};

	return a ? pl_algorithm_pattern(a, &call, pattern, err) : -1;
}

/* Of calls back to back, as a block of them is timed. */
static int predict_order(const struct scene *s, const struct pl_pattern *call, struct cell *cell,
			 size_t order, struct pl_err *err)
{
	struct pl_prediction p = {0};

	if (pl_predict(call, s->all->order[order].host_at, &s->net, &s->protocol, NULL, &p, err))
		return -1;
	cell->predicted_s[order] = p.seconds;
	pl_prediction_fini(&p);
	return 0;
}

static const char *setting_name(int setting)
{
	struct pl_err ignored;
	const struct pl_algorithm *a = algorithm(setting, &ignored);

	return a ? a->name : "?";
}

/* Another cell in which Open MPI did the same: its own choice and one told
 * to. */
static const struct cell *twin_of(const struct scene *s, const struct cell *cell)
{
	struct pl_call call = {.n_pos = s->net.n, .bytes = cell->bytes};
	struct pl_call decided;
	struct pl_err ignored;

	if (pl_call_check(&call, &ignored))
		return NULL;
	for (size_t i = 0; i < s->all->n_cells; i++) {
		const struct cell *other = &s->all->cell[i];
		const struct pl_algorithm *a = algorithm(cell->setting, &ignored);
		const struct pl_algorithm *b = algorithm(other->setting, &ignored);

		if (other != cell && other->bytes == cell->bytes && a && b &&
		    pl_algorithm_decide(a, &call, &decided) ==
			    pl_algorithm_decide(b, &call, &decided))
			return other;
	}
	return NULL;
}

/* What a twin was predicted before is not predicted again. */
static int predict_cell(const struct scene *s, struct cell *cell, const struct cell *twin,
			struct pl_err *err)
{
	struct pl_pattern call;
	int rc = 0;

	if (pattern_of(s, algorithm(cell->setting, err), cell->bytes, &call, err))
		return -1;
	for (size_t i = 0; rc == 0 && i < s->all->n_orders; i++) {
		if (cell->n_times[i] == 0)
			continue;
		if (twin && twin->predicted_s[i] > 0)
			cell->predicted_s[i] = twin->predicted_s[i];
		else
			rc = predict_order(s, &call, cell, i, err);
	}
	pl_pattern_fini(&call);
	return rc;
}

static void sum_up(struct summary *sum, const struct verdict *v)
{
	const bool matters = v->repeated && v->order_spread > v->repeat_spread;

	sum->error[sum->n++] = v->error;
	sum->n_matter += matters;
	sum->n_ranked += matters && v->tied >= 0.95;
	sum->n_near += v->error <= 0.1;
	sum->n_false += verdict_is_false(v);
	sum->n_overstated += verdict_is_overstated(v) && !verdict_is_false(v);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_summary(struct summary *sum)
{
	if (sum->n == 0)
		return;
	qsort(sum->error, sum->n, sizeof(*sum->error), compare);
	printf("# %zu cells: seconds within 10 %% in %zu, wrong by %.1f %% in the median, %.1f in "
	       "the worst; orders matter in %zu, ranked right in %zu of them; %zu gains "
	       "overstated, %zu false promises\n",
	       sum->n, sum->n_near, 100 * sum->error[sum->n / 2], 100 * sum->error[sum->n - 1],
	       sum->n_matter, sum->n_ranked, sum->n_overstated, sum->n_false);
}

static int judge(struct scene *s, struct cell *cell, struct pl_err *err)
{
	const struct cell *twin = twin_of(s, cell);
	struct verdict v;

	if (predict_cell(s, cell, twin, err) || judge_cell(s->all, cell, twin, &v, err))
		return -1;
	if (s->args->detail)
		for (size_t i = 0; i < s->all->n_orders; i++)
			if (cell->n_times[i])
				printf("  %-10s %8.1f ms predicted %8.1f ms measured\n",
				       s->all->order[i].name, cell->predicted_s[i] * 1e3,
				       cell->measured_s[i] * 1e3);
	sum_up(&s->sum, &v);
	printf("%-20s %8llu %3zu %6.3f %6.3f %6.3f %6zu %5.0f %6.1f %6.1f %6.1f %6.1f %6.1f  %s\n",
	       setting_name(cell->setting), (unsigned long long)cell->bytes, v.n, v.rho, v.again,
	       v.tied, v.n_apart, v.agree * 100, v.error * 100, v.repeat_spread * 100,
	       v.order_spread * 100, v.promised * 100, v.kept * 100, v.text);
	return 0;
}

static int run(const struct args *args, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(args->matrix, &options, err);
	struct predictions all = {0};
	struct scene s = {.args = args, .all = &all};
	int rc = -1;

	if (!m)
		return -1;
	if (pl_network_init(&s.net, m, err) ||
	    predictions_read(&all, args->results, &m->hosts, err) ||
	    pl_protocol_find("openmpi-tcp", &s.protocol, err))
		goto out;
	if (args->tcp)
		s.net.congestion = pl_network_congestion(args->tcp);
	if (args->eager_bytes > 0)
		pl_protocol_eager_limit(&s.protocol, (uint64_t)args->eager_bytes);
	printf("# %-18s %8s %3s %6s %6s %6s %6s %5s %6s %6s %6s %6s %6s  verdict\n", "algorithm",
	       "bytes", "n", "rho", "again", "tied", "apart", "agree", "error", "repeat", "orders",
	       "gain", "kept");
	rc = 0;
	for (size_t i = 0; rc == 0 && i < all.n_cells; i++)
		rc = judge(&s, &all.cell[i], err);
	if (rc == 0)
		print_summary(&s.sum);
out:
	predictions_fini(&all);
	pl_network_fini(&s.net);
	pl_matrix_destroy(m);
	return rc;
}

/* -1 to go on, or an exit status. */
static int parse_args(struct args *args, int argc, char **argv)
{
	static const struct option options[] = {
		{"eager", required_argument, NULL, 'e'}, {"tcp", required_argument, NULL, 't'},
		{"detail", no_argument, NULL, 'd'},      {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},     {NULL, 0, NULL, 0},
	};
	int option, bad = 0;

	*args = (struct args){0};
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return fflush(stdout) ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
		}
		if (option == 'V')
			return pl_tool_version(TOOL);
		args->detail |= option == 'd';
		bad = option == '?';
		if (option == 't')
			args->tcp = *optarg ? optarg : NULL;
		if (option == 'e')
			bad = pl_int_parse(optarg, strlen(optarg), 0, INT32_MAX,
					   &args->eager_bytes);
		if (bad)
			return pl_tool_usage(TOOL, "bad option %s", argv[optind - 1]);
	}
	if (argc - optind != 2)
		return pl_tool_usage(TOOL, "a matrix and results are needed");
	args->matrix = argv[optind];
	args->results = argv[optind + 1];
	return -1;
}

int main(int argc, char **argv)
{
	struct pl_err err = {0};
	struct args args;
	const int status = parse_args(&args, argc, argv);

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
