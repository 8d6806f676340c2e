/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - plink-stalls stats: where a step went, from the trace of one normal run, and its
 * statistics */
#include "config.h"

#include "base/text/size.h"
#include "job/stats.h"
#include "planner/stalls/timeline.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STEPS_OFF 0.05 /* the job's steps may be so far from a whole number */

/* clang-format off */
static const char help[] =
"Usage: plink-stalls stats [OPTION]... TRACE\n"
"Divides the time of a training step into computing, exchange of gradients and\n"
"waiting for data, from the trace of one process that PyTorch's profiler wrote in\n"
"a normal run. It cannot separate interconnect from network, nor prep from fetch,\n"
"as plink-stalls run does.\n"
"\n"
"  --stats=FILE         statistics of the same job (PLINK_STATS, plink-stats(5)):\n"
"                       its number of steps, and the time of its all-reduces\n"
"  --json               JSON instead of text\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

struct stats {
	const char *trace, *stats, *output; /* borrowed from argv */
	bool json;
	struct pl_stall_timeline t;
	/* of the job, by its statistics; NaN: not known */
	double n_steps, call_s; /* steps; seconds of a step in all-reduces */
};

#define AT(member) PL_OPTION_AT(struct stats, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"stats", required_argument, 0, pl_take_filled, AT(stats)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

/* All-reduces of a process, from those of all together. */
struct sums {
	double calls, bytes, seconds;
};

static struct sums add_up(const struct pl_stats *stats, uint64_t ranks)
{
	struct sums sums = {.seconds = 0};

	for (size_t i = 0; i < stats->n; i++) {
		const struct pl_stats_line *row = &stats->row[i];
		const double n = (double)row->processes;

		if (strcmp(row->function, "allreduce") != 0 || n < 1 ||
		    (ranks && (uint64_t)row->ranks != ranks))
			continue;
		sums.calls += (double)row->calls / n;
		sums.bytes += (double)row->bytes / n;
		sums.seconds += row->seconds;
	}
	return sums;
}

/* The job's steps are its bytes by those of a step. A trace of another job has other ranks, or more
 * in a step than the whole job. */
static int take_stats(struct stats *s, const struct pl_stats *stats, struct pl_err *err)
{
	const struct sums sums = add_up(stats, s->t.ranks);

	if (s->t.ranks && stats->ranks && (uint64_t)stats->ranks != s->t.ranks)
		return pl_err_set(err, PL_EINPUT,
				  "%s is of %" PRId64 " ranks, the trace of %" PRIu64
				  ": they are of different jobs",
				  s->stats, stats->ranks, s->t.ranks);
	if (!(s->t.bytes > 0) || !(sums.bytes > 0))
		return pl_err_set(
			err, PL_EINPUT,
			"%s has no all-reduces with their bytes: the two files cannot be compared",
			s->t.bytes > 0 ? s->stats : s->trace);
	s->n_steps = sums.bytes / s->t.bytes;
	if (s->n_steps < (double)s->t.n_steps * (1 - STEPS_OFF))
		return pl_err_set(err, PL_EINPUT,
				  "%s has all-reduces of %.3g bytes, less than the %zu steps of "
				  "the trace alone: they are of different jobs",
				  s->stats, sums.bytes, s->t.n_steps);
	s->call_s = sums.seconds / s->n_steps;
	return 0;
}

static int read_all(struct stats *s, struct pl_err *err)
{
	struct pl_stats stats = {.n = 0};
	int rc;

	if (pl_stall_timeline_read(&s->t, s->trace, err))
		return -1;
	if (s->t.damage.code)
		pl_tool_say(STALLS_TOOL, "%s:%ld:%ld: %s", s->t.damage.file, s->t.damage.line,
			    s->t.damage.col, s->t.damage.text);
	if (!s->stats)
		return 0;
	if (pl_stats_read(&stats, s->stats, err))
		return -1;
	rc = take_stats(s, &stats, err);
	pl_stats_fini(&stats);
	return rc;
}

static void put_part(const char *name, double part_s, double step_s, const char *what, FILE *out)
{
	fprintf(out, "%-9s %9s %6.1f %%  %s\n", name, PL_TIME_TEXT(part_s), 100 * part_s / step_s,
		what);
}

static int write_text(const void *arg, FILE *out, struct pl_err *err)
{
	const struct stats *s = arg;
	const struct pl_stall_timeline *t = &s->t;

	fprintf(out, "%-9s %9s           mean of %zu, on the %s\n", "step", PL_TIME_TEXT(t->step_s),
		t->n_steps, t->gpu ? "GPU" : "processor");
	put_part("compute", t->compute_s, t->step_s, "all else", out);
	put_part("exchange", t->exchange_s, t->step_s,
		 "interconnect and network: collectives alone", out);
	put_part("data", t->data_s, t->step_s, "prep and fetch: the loop waits for its loader",
		 out);
	fprintf(out, "%.3g of the collectives' time is hidden\n",
		t->collectives_s > 0 ? 1 - t->exchange_s / t->collectives_s : 0);
	if (t->calls > 0)
		fprintf(out, "%.4g all-reduces in a step, %.6g MB\n", t->calls, t->bytes / 1e6);
	if (s->stats)
		fprintf(out, "the job: %.4g steps; a process is in all-reduces for %s of each\n",
			s->n_steps, PL_TIME_TEXT(s->call_s));
	fputs("plink-stalls run is more exact\n", out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static int write_json(const void *arg, FILE *out, struct pl_err *err)
{
	const struct stats *s = arg;
	const struct pl_stall_timeline *t = &s->t;

	return pl_tool_json_write(STALLS_TOOL,
				  json_pack("{sI sb sf sf sf sf sf sf sf so so}", "steps",
					    (json_int_t)t->n_steps, "gpu", t->gpu, "step_s",
					    t->step_s, "compute_s", t->compute_s, "exchange_s",
					    t->exchange_s, "data_s", t->data_s, "collectives_s",
					    t->collectives_s, "all_reduces", t->calls, "bytes",
					    t->bytes, "job_steps", pl_tool_json_number(s->n_steps),
					    "call_s", pl_tool_json_number(s->call_s)),
				  out, err);
}

int stalls_stats(int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help};
	struct stats s = {.n_steps = NAN, .call_s = NAN};
	struct pl_err err = {0};
	bool done = false;
	int status = pl_options_parse(&options, argc, argv, &s, &done);

	if (status != PL_EXIT_DONE || done)
		return status;
	if (argc - optind != 1)
		return pl_tool_usage(STALLS_TOOL, "stats takes one trace");
	s.trace = argv[optind];
	status = pl_tool_spares(STALLS_TOOL, s.output, s.trace);
	if (status == PL_EXIT_DONE)
		status = pl_tool_spares(STALLS_TOOL, s.output, s.stats);
	if (status != PL_EXIT_DONE)
		return status;
	if (read_all(&s, &err))
		return pl_tool_fail(STALLS_TOOL, &err);
	return pl_tool_output(STALLS_TOOL, s.output, s.json ? write_json : write_text, &s);
}
