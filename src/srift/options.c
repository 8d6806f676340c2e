/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift predict */
#include "config.h"

#include "src/srift/options.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "src/common/tool.h"
#include "src/srift/help.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#define DRAWS_MAX 1000000
#define SAMPLES_MAX 1000000000
#define ITERATIONS_MAX 1000000000000

static const struct option longs[] = {
	{"profile", required_argument, NULL, SRIFT_PROFILE},
	{"machines", required_argument, NULL, SRIFT_MACHINES},
	{"batch", required_argument, NULL, SRIFT_BATCH},
	{"iterations", required_argument, NULL, SRIFT_ITERATIONS},
	{"price", required_argument, NULL, SRIFT_PRICE},
	SRIFT_NETWORK_LONGS, /* and the iteration */
	{"trace", required_argument, NULL, SRIFT_TRACE},
	{"json", no_argument, NULL, SRIFT_JSON},
	{"help", no_argument, NULL, SRIFT_HELP},
	{"version", no_argument, NULL, SRIFT_VERSION},
	{NULL, 0, NULL, 0},
};

static int take_count(int opt, const char *s, size_t max, size_t *value)
{
	uint64_t whole = 0;
	const int status =
		pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1, max, &whole);

	*value = (size_t)whole;
	return status;
}

static int take_table(struct srift_options *o, const char *s)
{
	if (o->n_tables == SRIFT_TABLES_MAX)
		return pl_tool_usage(SRIFT_TOOL, "--busbw: more than %d",
				     SRIFT_TABLES_MAX);
	o->table[o->n_tables++] = s;
	return PL_EXIT_DONE;
}

static int take_rate(int opt, const char *s, double *bps)
{
	if (!pl_rate_parse(s, bps))
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL,
			     "--%s wants a rate like 10Gbit, not \"%s\"",
			     pl_tool_option(longs, opt), s);
}

static int take_straggler(struct srift_options *o, const char *s)
{
	if (!pl_double_parse(s, strlen(s), &o->straggler) &&
	    o->straggler >= 0 && o->straggler <= 1)
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL,
			     "--straggler wants a share from 0 to 1, not "
			     "\"%s\"",
			     s);
}

/* "1M,25M" */
static int take_buckets(struct srift_options *o, const char *s)
{
	struct pl_bucket_rule *rule = &o->iteration.buckets;
	const size_t len = s ? strcspn(s, ",") : 0;

	*rule = (struct pl_bucket_rule){PL_DDP_FIRST_BYTES,
					PL_DDP_BUCKET_BYTES};
	if (!s ||
	    (s[len] && !pl_size_parse(s, len, &rule->first_bytes) &&
	     !pl_size_parse(s + len + 1, strlen(s + len + 1), &rule->bytes) &&
	     rule->first_bytes && rule->bytes))
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL,
			     "--buckets wants two sizes like 1M,25M, not "
			     "\"%s\"",
			     s);
}

static int take_cap(struct srift_options *o, const char *s)
{
	double bps = 0;
	const int status = take_rate(SRIFT_CAP, s, &bps);

	o->iteration.cap_bytes_per_s = bps / 8;
	return status;
}

static int take_network(struct srift_options *o, int opt, const char *s)
{
	switch (opt) {
	case SRIFT_BUSBW:
		return take_table(o, s);
	case SRIFT_SECTION:
		o->section = s;
		return PL_EXIT_DONE;
	case SRIFT_MODEL:
		o->learned = s;
		return PL_EXIT_DONE;
	case SRIFT_PLACE:
		o->place = s;
		return PL_EXIT_DONE;
	case SRIFT_MATRIX:
		o->matrix = s;
		return PL_EXIT_DONE;
	case SRIFT_PLAN:
		o->plan = s;
		return PL_EXIT_DONE;
	case SRIFT_NIC:
		return take_rate(opt, s, &o->nic_bps);
	case SRIFT_UPLINK:
		return take_rate(opt, s, &o->uplink_bps);
	default:
		return take_cap(o, s);
	}
}

static int take_iteration(struct srift_options *o, int opt, const char *s)
{
	struct pl_iteration_options *it = &o->iteration;

	switch (opt) {
	case SRIFT_STRAGGLER:
		return take_straggler(o, s);
	case SRIFT_DRAWS:
		return take_count(opt, s, DRAWS_MAX, &it->draws);
	case SRIFT_SEED:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 0,
					  UINT64_MAX, &it->seed);
	case SRIFT_BUCKETS:
		return take_buckets(o, s);
	case SRIFT_AT_ONCE:
		return take_count(opt, s, PL_PROFILE_LAYERS_MAX, &it->at_once);
	default:
		it->round_up = true;
		return PL_EXIT_DONE;
	}
}

static int take_job(struct srift_options *o, int opt, const char *s)
{
	switch (opt) {
	case SRIFT_PROFILE:
		o->profile = s;
		return PL_EXIT_DONE;
	case SRIFT_MACHINES:
		o->machines = s;
		return PL_EXIT_DONE;
	case SRIFT_BATCH:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1,
					  SAMPLES_MAX, &o->batch);
	case SRIFT_ITERATIONS:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1,
					  ITERATIONS_MAX, &o->iterations);
	case SRIFT_PRICE:
		o->prices = s;
		return PL_EXIT_DONE;
	case SRIFT_STRAGGLER:
	case SRIFT_DRAWS:
	case SRIFT_SEED:
	case SRIFT_BUCKETS:
	case SRIFT_AT_ONCE:
	case SRIFT_ROUND_UP:
		return take_iteration(o, opt, s);
	default:
		return take_network(o, opt, s);
	}
}

int srift_options_take(struct srift_options *o, int opt, const char *s)
{
	switch (opt) {
	case SRIFT_TRACE:
		o->trace = s;
		return PL_EXIT_DONE;
	case SRIFT_JSON:
		o->json = true;
		return PL_EXIT_DONE;
	case SRIFT_VERSION:
		o->done = true;
		return pl_tool_version(SRIFT_TOOL);
	case '?':
		return pl_tool_usage(SRIFT_TOOL, "unknown option, or a value "
						 "is missing");
	default:
		return take_job(o, opt, s);
	}
}

static int take(struct srift_options *o, int opt, const char *s)
{
	if (opt != SRIFT_HELP)
		return srift_options_take(o, opt, s);
	o->done = true;
	return pl_tool_help(SRIFT_TOOL, srift_predict_help);
}

int srift_options_check_network(const struct srift_options *o)
{
	if (!o->matrix != !o->plan)
		return pl_tool_usage(SRIFT_TOOL,
				     "--matrix and --plan go together");
	if ((o->plan != NULL) + (o->n_tables > 0) + (o->learned != NULL) > 1)
		return pl_tool_usage(
			SRIFT_TOOL,
			"only one of --busbw, --model and --plan can be given");
	if (o->place && !o->learned)
		return pl_tool_usage(SRIFT_TOOL, "--place needs --model");
	if (!o->plan && (o->nic_bps > 0 || o->uplink_bps > 0))
		return pl_tool_usage(SRIFT_TOOL,
				     "--nic and --uplink need --plan");
	return PL_EXIT_DONE;
}

static int check(const struct srift_options *o, int n_arguments)
{
	if (n_arguments > 0)
		return pl_tool_usage(SRIFT_TOOL, "predict takes options only");
	if (!o->profile || !o->machines)
		return pl_tool_usage(SRIFT_TOOL, "%s is wanted",
				     o->profile ? "--machines" : "--profile");
	if (o->trace && strcmp(o->trace, "-") == 0)
		return pl_tool_usage(SRIFT_TOOL, "--trace wants a file");
	return srift_options_check_network(o);
}

void srift_options_init(struct srift_options *o)
{
	*o = (struct srift_options){
		.section = "DP",
		.straggler = NAN,
		.iteration = {.draws = 1000, .seed = 1},
	};
}

int srift_options_parse(struct srift_options *o, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	srift_options_init(o);
	opterr = 0;
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, argc - optind);
}
