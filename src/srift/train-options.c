/* SPDX-License-Identifier: BSD-3-Clause */
/* train-options.c - the command line of plink-srift train */
#include "config.h"

#include "src/srift/train.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "src/common/tool.h"
#include "src/srift/help.h"
#include "src/srift/options.h"

#include <math.h>
#include <string.h>

#define DEPTH_MAX 20
#define COUNTS 8 /* numbers of trees that are tried */

enum {
	MODEL = 256,
	MTU,
	FOLDS,
	TREES,
	DEPTH,
	RATE,
	MIN_WEIGHT,
	SLOPE,
	SEED,
	JSON,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"model", required_argument, NULL, MODEL},
	{"mtu", required_argument, NULL, MTU},
	{"folds", required_argument, NULL, FOLDS},
	{"trees", required_argument, NULL, TREES},
	{"depth", required_argument, NULL, DEPTH},
	{"rate", required_argument, NULL, RATE},
	{"min-weight", required_argument, NULL, MIN_WEIGHT},
	{"slope", required_argument, NULL, SLOPE},
	{"seed", required_argument, NULL, SEED},
	{"json", no_argument, NULL, JSON},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* "0.1,0.3": numbers in (above, max]. */
static int take_list(int opt, const char *s, double above, double max,
		     struct pl_search_list *list)
{
	list->n = 0;
	for (;;) {
		const size_t len = strcspn(s, ",");
		double x = NAN;

		if (pl_double_parse(s, len, &x) || !(x > above && x <= max) ||
		    list->n == PL_SEARCH_VALUES_MAX ||
		    (opt == DEPTH && x != floor(x)))
			return pl_tool_usage(
				SRIFT_TOOL,
				"--%s wants up to %d %snumbers above %g, at "
				"most %g, with commas, not \"%s\"",
				pl_tool_option(longs, opt),
				PL_SEARCH_VALUES_MAX,
				opt == DEPTH ? "whole " : "", above, max, s);
		list->v[list->n++] = x;
		if (!s[len])
			return PL_EXIT_DONE;
		s += len + 1;
	}
}

static int take_count(int opt, const char *s, uint64_t min, uint64_t max,
		      size_t *value)
{
	uint64_t whole = *value;
	const int status =
		pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, min, max, &whole);

	*value = (size_t)whole;
	return status;
}

static int take_mtu(struct srift_train_options *o, const char *s)
{
	if (!pl_size_parse(s, strlen(s), &o->learned.mtu_bytes) &&
	    o->learned.mtu_bytes > 0 &&
	    o->learned.mtu_bytes <= PL_GRID_BYTES_MAX)
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL,
			     "--mtu wants a size like 9000, not \"%s\"", s);
}

static int take_search(struct pl_boost_search *search, int opt, const char *s)
{
	switch (opt) {
	case FOLDS:
		return take_count(opt, s, 2, PL_SEARCH_FOLDS_MAX,
				  &search->n_folds);
	case TREES:
		return take_count(opt, s, 1, PL_SEARCH_TREES_MAX,
				  &search->n_trees);
	case DEPTH:
		return take_list(opt, s, 0, DEPTH_MAX, &search->depth);
	case RATE:
		return take_list(opt, s, 0, 1, &search->rate);
	case MIN_WEIGHT:
		return take_list(opt, s, 0, 1e6, &search->min_weight);
	default:
		return take_list(opt, s, 0, 1e6, &search->slope);
	}
}

static int take(struct srift_train_options *o, int opt, const char *s)
{
	switch (opt) {
	case MODEL:
		o->model = s;
		return PL_EXIT_DONE;
	case MTU:
		return take_mtu(o, s);
	case SEED:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 0,
					  UINT64_MAX, &o->learned.seed);
	case JSON:
		o->json = true;
		return PL_EXIT_DONE;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(SRIFT_TOOL, srift_train_help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(SRIFT_TOOL);
	case '?':
		return pl_tool_usage(SRIFT_TOOL, "unknown option, or a value "
						 "is missing");
	default:
		return take_search(&o->learned.search, opt, s);
	}
}

static int check(struct srift_train_options *o, int argc, char **argv)
{
	struct pl_boost_search *search = &o->learned.search;

	if (optind + 1 != argc)
		return pl_tool_usage(SRIFT_TOOL, "one grid of measurements is "
						 "wanted");
	if (!o->model)
		return pl_tool_usage(SRIFT_TOOL, "--model is wanted: where "
						 "the model is written to");
	if (o->json && strcmp(o->model, "-") == 0)
		return pl_tool_usage(SRIFT_TOOL, "--json and --model=- both "
						 "want standard output");
	o->grid = argv[optind];
	search->every = search->n_trees < COUNTS ? 1 : search->n_trees / COUNTS;
	return pl_tool_spares(SRIFT_TOOL, o->model, o->grid);
}

int srift_train_options_parse(struct srift_train_options *o, int argc,
			      char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*o = (struct srift_train_options){
		.learned = {.mtu_bytes = PL_LEARNED_MTU,
			    .seed = 1,
			    .search = PL_SEARCH_DEFAULT},
	};
	opterr = 0;
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, argc, argv);
}
