/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.c - plink-srift grid: all-reduces of a cloud's machines, measured into a grid */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/text/number.h"
#include "planner/srift/comm/nccl-tests.h"
#include "src/common/progress.h"
#include "src/common/tool.h"
#include "src/srift/options.h"
#include "src/srift/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_S 1e9 /* as good as for ever */
/* of plink-grid(5) */
#define SECONDS_MIN 1e-9
#define SECONDS_MAX 1e6

static volatile sig_atomic_t stopped;

static void on_signal(int signal)
{
	stopped = signal;
}

/* A run of the tool. */
struct grid {
	const struct srift_grid_options *o;
	struct pl_hosts hosts;
	struct srift_grid_file file;
	struct srift_grid_cell *cell; /* of one number of machines */
	size_t n_cells;
	size_t ranks;               /* of these */
	uint64_t n_wanted, n_added; /* measurements */
	struct pl_nccl_tests tests; /* what all_reduce_perf has told, */
	long n_lines;               /* in so many lines */
	struct pl_progress progress;
	struct pl_stop stop;
};

/* Powers of two, and all. */
static void choose_machines(struct srift_list *list, size_t n_hosts)
{
	for (size_t n = 2; n < n_hosts && list->n < SRIFT_LIST_MAX - 1; n *= 2)
		list->v[list->n++] = n;
	list->v[list->n++] = n_hosts;
}

static size_t ranks_on(const struct pl_hosts *hosts, size_t n_hosts)
{
	size_t ranks = 0;

	for (size_t i = 0; i < n_hosts; i++)
		ranks += (size_t)hosts->v[i].slots;
	return ranks;
}

/* What is left to measure on so many machines: g->cell[0 .. the result). */
static size_t cells_left(struct grid *g, size_t n_hosts)
{
	const struct srift_grid_options *o = g->o;
	size_t n = 0;

	g->ranks = ranks_on(&g->hosts, n_hosts);
	for (uint64_t bytes = o->bytes_min; bytes <= o->bytes_max; bytes *= 2)
		for (size_t i = 0; i < o->together.n; i++) {
			const size_t together = o->together.v[i];
			const uint64_t had = srift_grid_count(&g->file, g->ranks, bytes, together);

			if (had < o->repeat)
				g->cell[n++] =
					(struct srift_grid_cell){bytes, together, o->repeat - had};
		}
	return n;
}

static uint64_t times_of(const struct srift_grid_cell *cell, size_t n)
{
	uint64_t times = 0;

	for (size_t i = 0; i < n; i++)
		times += cell[i].times;
	return times;
}

/* The cell of a measurement that is wanted, or NULL. */
static struct srift_grid_cell *find(const struct grid *g, uint64_t bytes, size_t together)
{
	for (size_t i = 0; i < g->n_cells; i++)
		if (g->cell[i].bytes == bytes && g->cell[i].together == together &&
		    g->cell[i].times > 0)
			return &g->cell[i];
	return NULL;
}

static int take_measurement(struct grid *g, uint64_t bytes, size_t together, double seconds,
			    struct pl_err *err)
{
	struct srift_grid_cell *cell = find(g, bytes, together);

	if (!cell || !(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX))
		return 0;
	if (srift_grid_append(&g->file, g->ranks, bytes, together, seconds, err))
		return -1;
	cell->times--;
	g->n_added++;
	pl_progress_show(&g->progress, (struct pl_progress_now){.phase = "measuring",
								.done = g->n_added,
								.total = g->n_wanted,
								.unit = "all-reduces",
								.left_s = NAN});
	return 0;
}

/* Without MPI each process measures by itself. */
static int take_nccl_line(struct grid *g, const char *text, struct pl_err *err)
{
	struct pl_line line = {
		.s = text, .len = strlen(text), .number = ++g->n_lines, .file = g->o->nccl_tests};
	struct pl_nccl_row row;
	const int rc = pl_nccl_tests_line(&g->tests, &line, &row, err);

	if (g->tests.column.n && g->tests.n_ranks != g->ranks)
		return pl_err_set(err, PL_ESYSTEM,
				  "%s runs with %zu rank%s, not %zu: was it built with MPI=1?",
				  g->o->nccl_tests, g->tests.n_ranks,
				  g->tests.n_ranks == 1 ? "" : "s", g->ranks);
	return rc > 0 ? take_measurement(g, (uint64_t)row.bytes, 1, row.seconds, err) : rc;
}

/* A line of the job: "machine JSON" or "BYTES TOGETHER SECONDS". Others are of libraries that greet
 * on standard output. */
static int take_line(void *arg, char *line, struct pl_err *err)
{
	struct grid *g = arg;
	uint64_t bytes;
	size_t together;
	double seconds;
	char number[32], more;

	if (strncmp(line, "machine ", 8) == 0)
		return srift_grid_machine(&g->file, line + 8, err);
	if (g->o->nccl_tests)
		return take_nccl_line(g, line, err);
	if (sscanf(line, "%" SCNu64 " %zu %31s %c", &bytes, &together, number, &more) != 3 ||
	    pl_double_parse(number, strlen(number), &seconds))
		return 0;
	return take_measurement(g, bytes, together, seconds, err);
}

/* Measures g->cell[first, ...): what one job can. *n gets how many. */
static int measure_some(struct grid *g, size_t n_hosts, size_t first, size_t *n, struct pl_err *err)
{
	const size_t left = g->n_cells - first;
	struct srift_grid_job job = {
		.o = g->o,
		.hosts = &g->hosts,
		.n_hosts = n_hosts,
		.ranks = g->ranks,
		.cell = g->cell + first,
		.n_cells = left,
		.stop = &g->stop,
		.line = take_line,
		.arg = g,
	};

	if (g->o->nccl_tests)
		job.n_cells = srift_nccl_cells(job.cell, left);
	*n = job.n_cells;
	g->tests = (struct pl_nccl_tests){.n_ranks = 0};
	g->n_lines = 0;
	return srift_grid_run(&job, err);
}

static int measure(struct grid *g, size_t n_hosts, struct pl_err *err)
{
	uint64_t lacks;
	size_t n;

	g->n_cells = cells_left(g, n_hosts);
	for (size_t first = 0; first < g->n_cells; first += n)
		if (measure_some(g, n_hosts, first, &n, err))
			return -1;
	lacks = times_of(g->cell, g->n_cells);
	if (lacks == 0)
		return 0;
	return pl_err_set(err, PL_ESYSTEM,
			  "the job on %zu machines ended without %" PRIu64
			  " of its measurements: does mpirun change what it prints?",
			  n_hosts, lacks);
}

/* When the time or the money is spent; INFINITY: never. */
static double limit_s(const struct srift_grid_options *o, size_t n_hosts)
{
	double s = o->time_limit_s;

	if (!isnan(o->budget))
		s = fmin(s, o->budget / (o->price * (double)n_hosts) * 3600);
	return s;
}

/* mpirun's list of hosts has neither. */
static int check_hosts(const struct pl_hosts *hosts, struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (hosts->v[i].port || strchr(hosts->v[i].name, ':'))
			return pl_err_set(err, PL_EINPUT,
					  "%s: mpirun takes neither ports nor addresses of IPv6: "
					  "give hosts by name",
					  hosts->v[i].name);
	return 0;
}

static int begin(struct grid *g, struct srift_grid_options *o, struct pl_err *err)
{
	double s;

	g->o = o;
	g->file.fd = -1;
	pl_progress_begin(&g->progress, SRIFT_TOOL);
	if (pl_hosts_read(&g->hosts, o->hosts, PL_HOSTS_LIST, err))
		return -1;
	if (g->hosts.v[0].user)
		return pl_err_at(err, (struct pl_place){.file = o->hosts},
				 "user names stand under Host and User in ~/.ssh/config, which "
				 "mpirun's ssh reads");
	if (g->hosts.n < 2)
		return pl_err_set(err, PL_EINPUT, "%s: at least two hosts are wanted", o->hosts);
	if (check_hosts(&g->hosts, err))
		return -1;
	if (o->machines.n == 0)
		choose_machines(&o->machines, g->hosts.n);
	if (o->machines.v[o->machines.n - 1] > g->hosts.n)
		return pl_err_set(err, PL_EUSAGE, "--machines=%zu: %s has %zu hosts",
				  o->machines.v[o->machines.n - 1], o->hosts, g->hosts.n);
	g->cell = pl_array_create(64 * o->together.n, sizeof(*g->cell));
	if (!g->cell)
		return pl_err_nomem(err);
	s = limit_s(o, g->hosts.n);
	g->stop.flag = &stopped;
	if (s < TIME_MAX_S)
		g->stop.deadline_ns = pl_clock_ns() + (int64_t)(s * 1e9);
	pl_stop_on_signals(on_signal);
	return 0;
}

static void say_plan(struct grid *g)
{
	for (size_t i = 0; i < g->o->machines.n; i++) {
		const size_t n = cells_left(g, g->o->machines.v[i]);
		const uint64_t times = times_of(g->cell, n);

		printf("%zu machines, %zu ranks: %" PRIu64 " measurement%s\n", g->o->machines.v[i],
		       g->ranks, times, times == 1 ? "" : "s");
	}
}

/* 0, or -1 with @err set; what was measured is in the file. */
static int run(struct grid *g, struct srift_grid_options *o, struct pl_err *err)
{
	int rc = 0;

	if (begin(g, o, err) || srift_grid_open(&g->file, o, err))
		return -1;
	for (size_t i = 0; i < o->machines.n; i++) {
		const size_t n = cells_left(g, o->machines.v[i]);

		g->n_wanted += times_of(g->cell, n);
	}
	if (o->dry_run) {
		say_plan(g);
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < o->machines.n; i++)
		rc = measure(g, o->machines.v[i], err);
	pl_progress_end(&g->progress);
	srift_say("%s: %" PRIu64 " of %" PRIu64 " measurements added", o->output, g->n_added,
		  g->n_wanted);
	if (rc && err->code == PL_EPARTIAL)
		pl_err_set(err, PL_EPARTIAL, "%s: the same command measures the rest",
			   stopped ? "stopped" : "the time or the budget is spent");
	return rc;
}

int srift_grid(int argc, char **argv)
{
	struct srift_grid_options o;
	struct grid g = {0};
	struct pl_err err = {0};
	const int status = srift_grid_options_parse(&o, argc, argv);
	int rc;

	if (status != PL_EXIT_DONE || o.done)
		return status;
	rc = run(&g, &o, &err);
	pl_hosts_fini(&g.hosts);
	srift_grid_close(&g.file);
	free(g.cell);
	return rc ? pl_tool_fail(SRIFT_TOOL, &err) : pl_tool_end_output(SRIFT_TOOL);
}
