/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend-options.c - the command line of plink-srift recommend */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "planner/srift/search/search.h"
#include "src/common/tool.h"
#include "src/srift/help.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK 500000
#define STEP_MAX 1000000

enum {
	CATALOGUE = SRIFT_OTHER,
	OBJECTIVE,
	TIME_LIMIT,
	BUDGET,
	AVAILABLE,
	EXCLUDE,
	REGION,
	ZONE,
	MARKET,
	EAGER,
	WORK_LIMIT,
	SEARCH_TIME,
	PARETO
};

static const struct option longs[] = {
	{"profile", required_argument, NULL, SRIFT_PROFILE},
	{"catalogue", required_argument, NULL, CATALOGUE},
	{"batch", required_argument, NULL, SRIFT_BATCH},
	{"iterations", required_argument, NULL, SRIFT_ITERATIONS},
	{"objective", required_argument, NULL, OBJECTIVE},
	{"time-limit", required_argument, NULL, TIME_LIMIT},
	{"budget", required_argument, NULL, BUDGET},
	{"available", required_argument, NULL, AVAILABLE},
	{"exclude", required_argument, NULL, EXCLUDE},
	{"region", required_argument, NULL, REGION},
	{"zone", required_argument, NULL, ZONE},
	{"market", required_argument, NULL, MARKET},
	SRIFT_NETWORK_LONGS, /* and the iteration */
	{"eager", optional_argument, NULL, EAGER},
	{"work", required_argument, NULL, WORK_LIMIT},
	{"search-time", required_argument, NULL, SEARCH_TIME},
	{"pareto", no_argument, NULL, PARETO},
	{"json", no_argument, NULL, SRIFT_JSON},
	{"help", no_argument, NULL, SRIFT_HELP},
	{"version", no_argument, NULL, SRIFT_VERSION},
	{NULL, 0, NULL, 0},
};

static int take_amount(int opt, const char *s, const char *unit, double *value)
{
	if (pl_double_parse(s, strlen(s), value) == 0 && *value > 0)
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL, "--%s wants %s above 0, not \"%s\"",
			     pl_tool_option(longs, opt), unit, s);
}

static int take_objective(struct srift_question *q, const char *s)
{
	if (strcmp(s, "time") != 0 && strcmp(s, "cost") != 0)
		return pl_tool_usage(SRIFT_TOOL,
				     "--objective wants time or cost, not "
				     "\"%s\"",
				     s);
	q->goal.objective = *s == 't' ? PL_OBJECTIVE_TIME : PL_OBJECTIVE_COST;
	return PL_EXIT_DONE;
}

static int take_market(struct srift_question *q, const char *s)
{
	const bool spot = strcmp(s, "spot") == 0;
	const bool on_demand = strcmp(s, "on-demand") == 0;

	if (!spot && !on_demand && strcmp(s, "any") != 0)
		return pl_tool_usage(SRIFT_TOOL,
				     "--market wants spot, on-demand or any, "
				     "not \"%s\"",
				     s);
	q->rule.refused[PL_SPOT] = on_demand;
	q->rule.refused[PL_ON_DEMAND] = spot;
	return PL_EXIT_DONE;
}

/* "16", or "8+4": of spot and on demand. */
static int parse_limit(const char *s, size_t len, struct pl_market_limit *limit)
{
	const char *plus = memchr(s, '+', len);
	const size_t first = plus ? (size_t)(plus - s) : len;
	uint64_t spot, on_demand;

	if (pl_uint_parse(s, first, PL_AVAILABLE_MAX, &spot))
		return -1;
	on_demand = spot;
	if (plus && pl_uint_parse(plus + 1, len - first - 1, PL_AVAILABLE_MAX,
				  &on_demand))
		return -1;
	limit->available[PL_SPOT] = (size_t)spot;
	limit->available[PL_ON_DEMAND] = (size_t)on_demand;
	limit->either = !plus;
	return spot + on_demand > 0 ? 0 : -1;
}

static bool repeated(const struct srift_question *q, const char *name,
		     size_t len)
{
	for (size_t i = 0; i < q->rule.n_limits; i++) {
		const struct pl_market_limit *l = &q->limit[i];

		if (name ? l->name && l->len == len &&
				    memcmp(l->name, name, len) == 0
			 : !l->name)
			return true;
	}
	return false;
}

/* "g3.8xlarge=16,p3.8xlarge=4+2" or, of all others, "64". */
static int take_available(struct srift_question *q, const char *s)
{
	for (;;) {
		const size_t len = strcspn(s, ",");
		const char *equals = memchr(s, '=', len);
		const size_t name_len = equals ? (size_t)(equals - s) : 0;
		const char *value = equals ? equals + 1 : s;
		struct pl_market_limit *limit = &q->limit[q->rule.n_limits];

		*limit = (struct pl_market_limit){.name = equals ? s : NULL,
						  .len = name_len};
		if ((equals && name_len == 0) ||
		    parse_limit(value, len - (size_t)(value - s), limit))
			return pl_tool_usage(
				SRIFT_TOOL,
				"--available wants NAME=16, NAME=8+4 (spot, "
				"on demand) or 16, at least 1, not \"%.*s\"; "
				"--exclude leaves a type out",
				(int)len, s);
		if (repeated(q, limit->name, name_len))
			return pl_tool_usage(
				SRIFT_TOOL,
				"--available: \"%.*s\" is given twice",
				(int)len, s);
		if (++q->rule.n_limits == SRIFT_LIMITS_MAX)
			return pl_tool_usage(SRIFT_TOOL,
					     "--available: too many");
		if (!s[len])
			return PL_EXIT_DONE;
		s += len + 1;
	}
}

static int take_excluded(struct srift_question *q, const char *s)
{
	for (;;) {
		const size_t len = strcspn(s, ",");
		char **name = &q->excluded[q->rule.n_excluded];

		if (len == 0 || q->rule.n_excluded == SRIFT_LIMITS_MAX)
			return pl_tool_usage(SRIFT_TOOL,
					     "--exclude wants names of "
					     "instances");
		*name = pl_string_copy(s, len);
		if (!*name) {
			pl_tool_say(SRIFT_TOOL, "out of memory");
			return PL_EXIT_SYSTEM;
		}
		q->rule.n_excluded++;
		if (!s[len])
			return PL_EXIT_DONE;
		s += len + 1;
	}
}

static int take_eager(struct srift_question *q, const char *s)
{
	uint64_t step = PL_EAGER_STEP;
	const int status = s ? pl_tool_take_whole(SRIFT_TOOL, longs, EAGER, s,
						  1, STEP_MAX, &step)
			     : PL_EXIT_DONE;

	q->eager = (size_t)step;
	return status;
}

static int take_search(struct srift_question *q, int opt, const char *s)
{
	switch (opt) {
	case EAGER:
		return take_eager(q, s);
	case WORK_LIMIT:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1,
					  UINT64_MAX, &q->work);
	case SEARCH_TIME:
		return take_amount(opt, s, "seconds", &q->search_s);
	case PARETO:
		q->pareto = true;
		return PL_EXIT_DONE;
	case SRIFT_HELP:
		q->o.done = true;
		return pl_tool_help(SRIFT_TOOL, srift_recommend_help);
	default:
		return srift_options_take(&q->o, opt, s);
	}
}

static int take(struct srift_question *q, int opt, const char *s)
{
	switch (opt) {
	case CATALOGUE:
		q->catalogue = s;
		return PL_EXIT_DONE;
	case OBJECTIVE:
		return take_objective(q, s);
	case TIME_LIMIT:
		return take_amount(opt, s, "seconds", &q->goal.time_limit_s);
	case BUDGET:
		return take_amount(opt, s, "dollars", &q->goal.budget);
	case AVAILABLE:
		return take_available(q, s);
	case EXCLUDE:
		return take_excluded(q, s);
	case REGION:
		q->rule.region = s;
		return PL_EXIT_DONE;
	case ZONE:
		q->rule.zone = s;
		return PL_EXIT_DONE;
	case MARKET:
		return take_market(q, s);
	default:
		return take_search(q, opt, s);
	}
}

static int check(struct srift_question *q, int n_arguments)
{
	const struct srift_options *o = &q->o;

	if (n_arguments > 0)
		return pl_tool_usage(SRIFT_TOOL,
				     "recommend takes options only");
	if (!o->profile || !q->catalogue)
		return pl_tool_usage(SRIFT_TOOL, "%s is wanted",
				     o->profile ? "--catalogue" : "--profile");
	if (!o->batch || !o->iterations)
		return pl_tool_usage(SRIFT_TOOL, "%s is wanted",
				     o->batch ? "--iterations" : "--batch");
	if (q->eager && q->pareto)
		return pl_tool_usage(SRIFT_TOOL, "--eager or --pareto: not "
						 "both");
	q->o.near = q->rule.zone ? q->rule.zone : q->rule.region;
	q->goal.batch = o->batch;
	q->goal.iterations = o->iterations;
	q->rule.limit = q->limit;
	q->rule.excluded = (const char *const *)q->excluded;
	return srift_options_check_network(o);
}

void srift_question_fini(struct srift_question *q)
{
	for (size_t i = 0; i < q->rule.n_excluded; i++)
		free(q->excluded[i]);
	free(q->excluded);
	free(q->limit);
	memset(q, 0, sizeof(*q));
}

int srift_question_parse(struct srift_question *q, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*q = (struct srift_question){
		.goal = {.time_limit_s = INFINITY, .budget = INFINITY},
		.work = WORK,
		.search_s = INFINITY,
	};
	srift_options_init(&q->o);
	q->limit = pl_array_create(SRIFT_LIMITS_MAX, sizeof(*q->limit));
	q->excluded = pl_array_create(SRIFT_LIMITS_MAX, sizeof(*q->excluded));
	if (!q->limit || !q->excluded) {
		pl_tool_say(SRIFT_TOOL, "out of memory");
		return PL_EXIT_SYSTEM;
	}
	opterr = 0;
	while (status == PL_EXIT_DONE && !q->o.done &&
	       (opt = getopt_long(argc, argv, "", longs, NULL)) != -1)
		status = take(q, opt, optarg);
	if (status != PL_EXIT_DONE || q->o.done)
		return status;
	return check(q, argc - optind);
}
