/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - plink-spot trace: lifetimes from a trace of how many machines were up */
#include "config.h"

#include "base/text/size.h"
#include "planner/transient/trace.h"
#include "src/common/options.h"
#include "src/spot/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Strings are borrowed from argv. */
struct options {
	const char *type, *region;
	double from_s, until_s; /* of the trace */
	uint64_t together, seed;
	const char *file;
	const char *output; /* NULL: standard output */
	bool done;
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"type", required_argument, 0, pl_take_filled, AT(type)},
	{"region", required_argument, 0, pl_take_filled, AT(region)},
	{"from", required_argument, 0, pl_take_seconds, AT(from_s),
	 .least = 0, .most = PL_LIFE_MAX_S},
	{"until", required_argument, 0, pl_take_seconds, AT(until_s),
	 .least = 1e-3, .most = PL_LIFE_MAX_S},
	{"together", required_argument, 0, pl_take_whole, AT(together), 1,
	 PL_SPOT_TRACE_COUNT_MAX},
	{"seed", required_argument, 0, pl_take_whole, AT(seed), 0, UINT64_MAX},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static bool is_word(const char *s)
{
	return !s[strcspn(s, " \t\r\n")] && strlen(s) <= 255;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SPOT_TOOL, .option = table, .help = spot_trace_help};
	int status;

	*o = (struct options){.region = "-", .until_s = INFINITY, .seed = 1};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (optind + 1 != argc)
		return spot_usage("one trace is wanted");
	if (!o->type)
		return spot_usage("--type is wanted: a trace does not name its machines");
	if (!is_word(o->type) || !is_word(o->region))
		return spot_usage("--type and --region are single words of up to 255 bytes");
	o->file = argv[optind];
	return pl_tool_spares(SPOT_TOOL, o->output, o->file);
}

struct result {
	const struct options *o;
	struct pl_spot_trace trace;
	struct pl_spot_trace_part part;
	struct pl_spot_trace_lives lives;
};

/* Ticks of one price are one line. */
static void write_prices(const struct result *r, FILE *out)
{
	const double *price = r->trace.price;
	size_t end;

	for (size_t i = r->part.from; price && i < r->part.to; i = end) {
		for (end = i + 1; end < r->part.to && price[end] == price[i]; end++)
			;
		fprintf(out, "price %s %s %.12g %.12gs\n", r->o->type, r->o->region, price[i],
			(double)(end - i) * r->trace.gap_s);
	}
}

static int write_lives(const void *result, FILE *out, struct pl_err *err)
{
	const struct result *r = result;
	const struct options *o = r->o;

	fprintf(out, "# plink-lifetimes 1\n# %s, seed %" PRIu64 "\n", o->file, o->seed);
	for (size_t i = 0; i < r->lives.n; i++)
		fprintf(out, "life %s %s %.12gs %s\n", o->type, o->region, r->lives.life[i].s,
			r->lives.life[i].lost ? "lost" : "kept");
	for (size_t i = 0; i < r->lives.n_waits; i++)
		fprintf(out, "start %s %s %.12gs 0s 0s\n", o->type, o->region, r->lives.wait_s[i]);
	write_prices(r, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

/* The first tick at or behind @s, or the last. */
static size_t tick_at(const struct pl_spot_trace *trace, double s)
{
	const double tick = ceil(s / trace->gap_s);

	return tick < (double)trace->n ? (size_t)tick : trace->n;
}

static int follow(struct result *r, struct pl_err *err)
{
	const struct options *o = r->o;
	int rc;

	if (pl_spot_trace_read(&r->trace, o->file, err))
		return -1;
	r->part = (struct pl_spot_trace_part){.from = tick_at(&r->trace, o->from_s),
					      .to = tick_at(&r->trace, o->until_s),
					      .together = o->together,
					      .seed = o->seed};
	if (r->part.from < r->part.to)
		rc = pl_spot_trace_follow(&r->lives, &r->trace, &r->part, err);
	else
		rc = pl_err_set(err, PL_EUSAGE,
				"no tick of %s, which ends after %s, is between --from and --until",
				o->file, PL_TIME_TEXT((double)r->trace.n * r->trace.gap_s));
	if (rc == 0 && r->lives.n == 0)
		rc = pl_err_at(err, (struct pl_place){o->file, 0, 0}, "no machine is ever up%s",
			       o->together ? ", or not so many together" : "");
	return rc;
}

int spot_trace_main(int argc, char **argv)
{
	struct options o;
	struct result r = {.o = &o};
	struct pl_err err = {0};
	int status = parse_options(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.done)
		return status;
	if (follow(&r, &err))
		status = pl_tool_fail(SPOT_TOOL, &err);
	else
		status = pl_tool_output(SPOT_TOOL, o.output, write_lives, &r);
	pl_trace_lives_fini(&r.lives);
	pl_spot_trace_fini(&r.trace);
	return status;
}
