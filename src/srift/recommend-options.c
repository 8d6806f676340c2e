/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend-options.c - the command line of plink-srift recommend */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "planner/batch/norms.h"
#include "planner/srift/search/search.h"
#include "src/common/tool.h"
#include "src/srift/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK 500000
/* A number above 0. */
static int take_dollars(void *o, const struct pl_option *option, const char *value,
			struct pl_err *err)
{
	double *to = pl_option_to(o, option);

	if (pl_double_parse(value, strlen(value), to) == 0 && *to > 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s wants dollars above 0, not \"%s\"", option->name,
			  value);
}

static int take_objective(void *o, const struct pl_option *option, const char *value,
			  struct pl_err *err)
{
	struct srift_question *q = o;

	if (strcmp(value, "time") != 0 && strcmp(value, "cost") != 0)
		return pl_err_set(err, PL_EUSAGE, "--%s wants time or cost, not \"%s\"",
				  option->name, value);
	q->goal.objective = *value == 't' ? PL_OBJECTIVE_TIME : PL_OBJECTIVE_COST;
	return 0;
}

static int take_market(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	struct srift_question *q = o;
	const bool spot = strcmp(value, "spot") == 0;
	const bool on_demand = strcmp(value, "on-demand") == 0;

	if (!spot && !on_demand && strcmp(value, "any") != 0)
		return pl_err_set(err, PL_EUSAGE, "--%s wants spot, on-demand or any, not \"%s\"",
				  option->name, value);
	q->rule.refused[PL_SPOT] = on_demand;
	q->rule.refused[PL_ON_DEMAND] = spot;
	return 0;
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
	if (plus && pl_uint_parse(plus + 1, len - first - 1, PL_AVAILABLE_MAX, &on_demand))
		return -1;
	limit->available[PL_SPOT] = (size_t)spot;
	limit->available[PL_ON_DEMAND] = (size_t)on_demand;
	limit->either = !plus;
	return spot + on_demand > 0 ? 0 : -1;
}

static bool repeated(const struct srift_question *q, const char *name, size_t len)
{
	for (size_t i = 0; i < q->rule.n_limits; i++) {
		const struct pl_market_limit *l = &q->limit[i];

		if (name ? l->name && l->len == len && memcmp(l->name, name, len) == 0 : !l->name)
			return true;
	}
	return false;
}

/* "g3.8xlarge=16,p3.8xlarge=4+2" or, of all others, "64". */
static int take_available(void *o, const struct pl_option *option, const char *s,
			  struct pl_err *err)
{
	struct srift_question *q = o;

	for (;;) {
		const size_t len = strcspn(s, ",");
		const char *equals = memchr(s, '=', len);
		const size_t name_len = equals ? (size_t)(equals - s) : 0;
		const char *value = equals ? equals + 1 : s;
		struct pl_market_limit *limit = &q->limit[q->rule.n_limits];

		*limit = (struct pl_market_limit){.name = equals ? s : NULL, .len = name_len};
		if ((equals && name_len == 0) ||
		    parse_limit(value, len - (size_t)(value - s), limit))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants NAME=16, NAME=8+4 (spot, on demand) or 16, "
					  "at least 1, not \"%.*s\"; --exclude leaves a type out",
					  option->name, (int)len, s);
		if (repeated(q, limit->name, name_len))
			return pl_err_set(err, PL_EUSAGE, "--%s: \"%.*s\" is given twice",
					  option->name, (int)len, s);
		if (++q->rule.n_limits == SRIFT_LIMITS_MAX)
			return pl_err_set(err, PL_EUSAGE, "--%s: too many", option->name);
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

static int take_names(char **name, size_t *n, const struct pl_option *option, const char *s,
		      struct pl_err *err)
{
	for (;;) {
		const size_t len = strcspn(s, ",");

		if (len == 0 || *n == SRIFT_LIMITS_MAX)
			return pl_err_set(err, PL_EUSAGE, "--%s wants names of instances",
					  option->name);
		name[*n] = pl_string_copy(s, len);
		if (!name[*n])
			return pl_err_nomem(err);
		++*n;
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

static int take_excluded(void *o, const struct pl_option *option, const char *s, struct pl_err *err)
{
	struct srift_question *q = o;

	return take_names(q->excluded, &q->rule.n_excluded, option, s, err);
}

static int take_preferred(void *o, const struct pl_option *option, const char *s,
			  struct pl_err *err)
{
	struct srift_question *q = o;

	return take_names(q->preferred, &q->rule.n_preferred, option, s, err);
}

static int take_batch(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct srift_question *q = o;

	q->any.on = strcmp(value, "auto") == 0;
	return q->any.on ? 0 : pl_take_whole(o, option, value, err);
}

/* "90@256": of a batch */
static int take_epochs(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	struct srift_question *q = o;
	const size_t len = strcspn(value, "@");

	if (value[len] && !pl_double_parse(value, len, &q->any.epochs) && q->any.epochs > 0 &&
	    q->any.epochs <= 1e12 &&
	    !pl_uint_parse(value + len + 1, strlen(value + len + 1), SRIFT_BATCH_MAX,
			   &q->any.epochs_batch) &&
	    q->any.epochs_batch)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants epochs and their batch, as 90@256, not \"%s\"", option->name,
			  value);
}

#define AT(member) PL_OPTION_AT(struct srift_question, member)

/* clang-format off */
static const struct pl_option table[] = {
	SRIFT_JOB_ROWS,
	{"batch", required_argument, 0, take_batch, SRIFT_AT(batch),
	 1, SRIFT_BATCH_MAX},
	{"batches", required_argument, 0, srift_take_list, AT(any.batches),
	 1, SRIFT_BATCH_MAX},
	{"samples", required_argument, 0, pl_take_whole, AT(any.samples),
	 1, PL_BATCH_SAMPLES_MAX},
	{"epochs", required_argument, 0, .take = take_epochs},
	{"points", required_argument, 0, srift_take_history, AT(any.points)},
	{"epoch-law", required_argument, 0, pl_take_word, AT(any.form),
	 .words = pl_epoch_form_name},
	{"catalogue", required_argument, 0, pl_take_filled, AT(catalogue)},
	{"objective", required_argument, 0, .take = take_objective},
	{"time-limit", required_argument, 0, pl_take_seconds,
	 AT(goal.time_limit_s), .least = 1e-9, .most = 1e12},
	{"budget", required_argument, 0, take_dollars, AT(goal.budget)},
	{"available", required_argument, 0, .take = take_available},
	{"exclude", required_argument, 0, .take = take_excluded},
	{"prefer", required_argument, 0, .take = take_preferred},
	{"region", required_argument, 0, pl_take_text, AT(rule.region)},
	{"zone", required_argument, 0, pl_take_text, AT(rule.zone)},
	{"market", required_argument, 0, .take = take_market},
	SRIFT_NETWORK_ROWS,
	SRIFT_HUB_ROWS,
	{"eager", optional_argument, 0, pl_take_whole, AT(eager),
	 1, 1000000, .absent = PL_EAGER_STEP},
	{"work", required_argument, 0, pl_take_whole, AT(work), 1, UINT64_MAX},
	{"search-time", required_argument, 0, pl_take_seconds, AT(search_s),
	 .least = 1e-9, .most = 1e12},
	{"pareto", no_argument, 0, pl_take_flag, AT(pareto)},
	{"history", required_argument, 0, srift_take_history, AT(history)},
	{"spot-history", required_argument, 0, srift_take_history,
	 AT(spot_history)},
	{"confidence", required_argument, 0, pl_take_number, AT(confidence),
	 .least = 0.5, .most = 0.99},
	{"save", required_argument, 0, pl_take_seconds, AT(save_s),
	 .least = 0, .most = 1e9},
	{0},
};
/* clang-format on */

static int check_batch(const struct srift_question *q)
{
	const struct srift_options *o = &q->o;
	const struct srift_auto *a = &q->any;

	if (a->on && (o->batch || o->iterations))
		return srift_usage("--batch=auto or --%s: not both",
				   o->batch ? "batch=B" : "iterations");
	if (a->on && !a->points.n && !a->epochs_batch)
		return srift_usage("--batch=auto: --points or --epochs is wanted");
	if (!a->on && (a->batches.n || a->samples || a->epochs_batch || a->points.n || a->form))
		return srift_usage("--batches, --samples, --epochs, --points and --epoch-law go "
				   "with --batch=auto");
	if (!a->on && (!o->batch || !o->iterations))
		return srift_usage("%s is wanted", o->batch ? "--iterations" : "--batch");
	for (size_t i = 0; i < a->points.n; i++)
		if (pl_tool_spares(SRIFT_TOOL, o->output, a->points.file[i]))
			return PL_EXIT_USAGE;
	return PL_EXIT_DONE;
}

static int check(struct srift_question *q, int n_arguments)
{
	const struct srift_options *o = &q->o;

	if (n_arguments > 0)
		return srift_usage("recommend takes options only");
	if (!o->n_profiles || !q->catalogue)
		return srift_usage("%s is wanted", o->n_profiles ? "--catalogue" : "--profile");
	if (check_batch(q))
		return PL_EXIT_USAGE;
	if (q->eager && q->pareto)
		return srift_usage("--eager or --pareto: not both");
	if (q->eager && q->spot_history.n)
		return srift_usage("--eager or --spot-history: not both");
	if (srift_has_hubs(o) && !o->hub.machine)
		return srift_usage("--hubs needs --hub-machine, the type of the hubs");
	if (srift_has_hubs(o) && q->spot_history.n)
		return srift_usage("--hubs or --spot-history: not both");
	if (!q->spot_history.n && !isnan(q->save_s))
		return srift_usage("--spot-history and --save go together");
	q->o.near = q->rule.zone ? q->rule.zone : q->rule.region;
	q->goal.batch = o->batch;
	q->goal.iterations = o->iterations;
	q->rule.limit = q->limit;
	q->rule.hub = o->hub.machine;
	q->rule.excluded = (const char *const *)q->excluded;
	q->rule.preferred = (const char *const *)q->preferred;
	if (pl_tool_spares(SRIFT_TOOL, o->output, q->catalogue))
		return PL_EXIT_USAGE;
	return srift_options_check_network(o);
}

void srift_question_fini(struct srift_question *q)
{
	for (size_t i = 0; i < q->rule.n_excluded; i++)
		free(q->excluded[i]);
	for (size_t i = 0; i < q->rule.n_preferred; i++)
		free(q->preferred[i]);
	free(q->excluded);
	free(q->preferred);
	free(q->limit);
	memset(q, 0, sizeof(*q));
}

int srift_question_parse(struct srift_question *q, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_recommend_help};
	int status;

	*q = (struct srift_question){
		.goal = {.time_limit_s = INFINITY, .budget = INFINITY},
		.work = WORK,
		.search_s = INFINITY,
		.confidence = 0.95,
		.save_s = NAN,
	};
	srift_options_init(&q->o);
	q->limit = pl_array_create(SRIFT_LIMITS_MAX, sizeof(*q->limit));
	q->excluded = pl_array_create(SRIFT_LIMITS_MAX, sizeof(*q->excluded));
	q->preferred = pl_array_create(SRIFT_LIMITS_MAX, sizeof(*q->preferred));
	if (!q->limit || !q->excluded || !q->preferred) {
		srift_warn("out of memory");
		return PL_EXIT_SYSTEM;
	}
	status = pl_options_parse(&options, argc, argv, q, &q->o.done);
	if (status != PL_EXIT_DONE || q->o.done)
		return status;
	return check(q, argc - optind);
}
