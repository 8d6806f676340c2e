/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - a job as the command line describes it */
#include "config.h"

#include "src/spot/job.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "src/spot/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX 100000
#define SPEED_MAX 1e9
#define MONTH_S (30 * 86400.0)

const char *const spot_on_loss_name[] = {
	[SPOT_WAIT] = "wait",
	[SPOT_GO_ON] = "go-on",
	NULL,
};

const char *const spot_mode_name[] = {
	[SPOT_ASYNCHRONOUS] = "asynchronous",
	[SPOT_SYNCHRONOUS] = "synchronous",
	NULL,
};

void spot_job_options_init(struct spot_job_options *o)
{
	*o = (struct spot_job_options){
		.save_s = NAN,
		.launch_s = NAN,
		.join_s = NAN,
		.restart_s = NAN,
		.replacements = SIZE_MAX,
		.n_replays = 10000,
		.seed = 1,
	};
}

int spot_job_options_check(const struct spot_job_options *o, int n_arguments)
{
	const bool has_files = o->from.n_files || o->from.n_histories;
	int status;

	if (n_arguments > 0)
		return spot_usage("this verb takes options only");
	if (!o->machines && !o->on_demand)
		return spot_usage("--machines is wanted");
	if (!o->steps)
		return spot_usage("--steps is wanted");
	if (o->machines && has_files && o->life_s > 0)
		return spot_usage("--life replaces the files: give one of both");
	if (o->machines && !has_files && !(o->life_s > 0) && !o->catalogue)
		return spot_usage("--lifetimes, --history or --life is wanted");
	status = spot_sources_spare(&o->from, o->output);
	if (status == PL_EXIT_DONE)
		status = pl_tool_spares(SPOT_TOOL, o->output, o->profile);
	return status ? status : pl_tool_spares(SPOT_TOOL, o->output, o->catalogue);
}

void spot_job_fini(struct spot_job *job)
{
	for (size_t i = 0; i < job->job.n_parts; i++) {
		free(job->type[i]);
		pl_survival_fini(&job->curve[i]);
	}
	free(job->type);
	free(job->curve);
	free(job->part);
	pl_lifetimes_fini(&job->lifetimes);
	pl_catalogue_fini(&job->catalogue);
	pl_profile_numbers_fini(&job->numbers);
	*job = (struct spot_job){0};
}

/* Steps a second of a machine of that type, by the profile; NaN: not known. */
static double known_speed(const struct spot_job *job, const char *type)
{
	const struct pl_profile_number *step =
		pl_profile_number_find(&job->numbers, "step_s", type);

	if (!step)
		return NAN;
	pl_tool_say(SPOT_TOOL, "%s: a step takes %s (%s)", type, PL_TIME_TEXT(step->value),
		    PL_ORIGIN_TEXT(&step->origin));
	return 1 / step->value;
}

/* "4xK80@4.56": machines, type, steps a second of each, which a profile may know */
static int parse_part(struct spot_job *job, const char *option, const char *s, size_t len,
		      struct pl_err *err)
{
	const size_t digits = strspn(s, "0123456789");
	const char *at = memrchr(s, '@', len);
	const size_t name_end = at ? (size_t)(at - s) : len;
	struct pl_spot_part part = {.price_per_hour = NAN};
	uint64_t count = 0;
	char *type;

	if ((!at && !job->has_profile) || digits + 1 >= name_end || s[digits] != 'x' ||
	    pl_uint_parse(s, digits, COUNT_MAX, &count) || count == 0 ||
	    (at && (pl_double_parse(at + 1, len - name_end - 1, &part.steps_per_s) ||
		    !(part.steps_per_s >= 0 && part.steps_per_s <= SPEED_MAX))))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s: \"%.*s\" is not like 4xNAME@2.5: machines, their type, "
				  "steps a second of each",
				  option, (int)len, s);
	part.count = (size_t)count;
	type = pl_string_copy(s + digits + 1, name_end - digits - 1);
	if (!type)
		return pl_err_nomem(err);
	if (!at)
		part.steps_per_s = known_speed(job, type);
	job->type[job->job.n_parts] = type;
	job->part[job->job.n_parts++] = part;
	if (isnan(part.steps_per_s))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s: the profile has no step_s of %s: give its steps a second, "
				  "as 4xNAME@2.5",
				  option, type);
	return 0;
}

static size_t n_words(const char *s)
{
	size_t n = s != NULL;

	for (; s && *s; s++)
		n += *s == ',';
	return n;
}

static int parse_parts(struct spot_job *job, const char *option, const char *s, struct pl_err *err)
{
	while (s) {
		const size_t len = strcspn(s, ",");

		if (parse_part(job, option, s, len, err))
			return -1;
		s = s[len] ? s + len + 1 : NULL;
	}
	return 0;
}

/* What was given, or else the mean of what was observed. */
static int take_time(double *s, double given_s, const struct pl_history_mean *mean,
		     const char *option, const char *type, struct pl_err *err)
{
	*s = isnan(given_s) && mean ? pl_history_mean_s(mean) : given_s;
	if (!isnan(*s))
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s is wanted: no time of %s is known", option, type);
}

static bool is_offer(const struct pl_offer *offer, const char *type, const char *region)
{
	return strcmp(offer->instance, type) == 0 &&
	       (!region || strcmp(offer->region, region) == 0);
}

/* Where no life is recorded: how many machines the provider says that it takes away, at a constant
 * rate. False: it does not say. */
static bool find_rate(struct spot_job *job, const struct spot_job_options *o, size_t i)
{
	const struct pl_catalogue *c = &job->catalogue;
	const char *type = job->type[i];
	double most = 0, mean_s;

	for (size_t k = 0; k < c->n; k++)
		if (is_offer(&c->offer[k], type, o->region))
			most = fmax(most, c->offer[k].taken);
	if (most == 0)
		return false;
	mean_s = -MONTH_S / log1p(-most);
	pl_survival_constant(&job->curve[i], mean_s);
	spot_warn("no lifetime of %s is recorded: assuming a mean life of %s, as the provider "
		  "takes away some %.3g %% in a month",
		  type, PL_TIME_TEXT(mean_s), 100 * most);
	return true;
}

static bool has_life(const struct spot_job *job, const char *type, const char *region)
{
	size_t n;
	const struct pl_life_group *g = pl_lifetimes_find(&job->lifetimes, type, region, &n);

	return n > 1 || (g && g->n > 0);
}

/* How long machines live, and others take to replace them. */
static int find_lives(struct spot_job *job, const struct spot_job_options *o, size_t i,
		      struct pl_err *err)
{
	struct pl_spot_part *part = &job->part[i];
	const struct pl_life_group *g = NULL;
	struct pl_survival *curve = &job->curve[i];
	const char *type = job->type[i];

	if (o->life_s > 0) {
		pl_survival_constant(curve, o->life_s);
	} else if (has_life(job, type, o->region) || !find_rate(job, o, i)) {
		g = pl_lifetimes_want(&job->lifetimes, type, o->region, err);
		if (!g)
			return -1;
		part->prices = g->prices.n ? &g->prices : NULL;
		if (pl_survival_make(curve, g, job->lifetimes.limit_s, err))
			return -1;
		if (g->n_lost == 0)
			spot_warn("none of %zu machines %s was lost: they are assumed to stay%s",
				  g->n, type,
				  job->lifetimes.limit_s > 0 ? " until the provider's limit" : "");
	}
	part->curve = curve;
	if (take_time(&part->launch_s, o->launch_s, g ? &g->launch : NULL, "launch", type, err) ||
	    take_time(&part->join_s, o->join_s, g ? &g->cold : NULL, "join", type, err))
		return -1;
	if (g && isnan(o->launch_s)) {
		part->launches_s = g->launch_s;
		part->n_launches = g->n_launches;
	}
	if (g && g->warm.n && isnan(job->job.restart_s))
		job->job.restart_s = pl_history_mean_s(&g->warm);
	return 0;
}

/* The least price of that type in the catalogue. */
static double look_up(const struct pl_catalogue *c, const char *type, const char *region,
		      enum pl_market_kind kind)
{
	double least = NAN;

	for (size_t i = 0; i < c->n; i++)
		if (is_offer(&c->offer[i], type, region))
			least = fmin(least, c->offer[i].price[kind]);
	return least;
}

static int take_catalogue(struct spot_job *job, const struct spot_job_options *o,
			  struct pl_err *err)
{
	for (size_t i = 0; i < job->job.n_parts; i++) {
		struct pl_spot_part *part = &job->part[i];
		const bool is_spot = part->curve != NULL;

		part->prices = NULL;
		part->price_per_hour = look_up(&job->catalogue, job->type[i], o->region,
					       is_spot ? PL_SPOT : PL_ON_DEMAND);
		if (isnan(part->price_per_hour))
			return pl_err_at(err, (struct pl_place){o->catalogue, 0, 0},
					 "no %s price of %s%s%s", is_spot ? "spot" : "on-demand",
					 job->type[i], o->region ? " in " : "",
					 o->region ? o->region : "");
	}
	return 0;
}

/* "K80=0.13,P100=0.4": dollars an hour */
static int take_prices(struct spot_job *job, const char *s, struct pl_err *err)
{
	while (s) {
		const size_t len = strcspn(s, ","), name = strcspn(s, "=");
		double price;
		bool found = false;

		if (name >= len || pl_double_parse(s + name + 1, len - name - 1, &price) ||
		    !(price >= 0 && price <= PL_PRICE_MAX))
			return pl_err_set(err, PL_EUSAGE,
					  "--price: \"%.*s\" is not like NAME=0.72, from 0 to %g "
					  "dollars an hour",
					  (int)len, s, PL_PRICE_MAX);
		for (size_t i = 0; i < job->job.n_parts; i++)
			if (strlen(job->type[i]) == name && memcmp(job->type[i], s, name) == 0) {
				job->part[i].price_per_hour = price;
				job->part[i].prices = NULL;
				found = true;
			}
		if (!found)
			return pl_err_set(err, PL_EUSAGE,
					  "--price: the job has no machine \"%.*s\"", (int)name, s);
		s = s[len] ? s + len + 1 : NULL;
	}
	return 0;
}

/* Where a step needs all machines, they are as fast as the slowest. */
static void take_mode(struct spot_job *job, enum spot_mode mode)
{
	for (size_t i = 0; mode == SPOT_SYNCHRONOUS && i < job->job.n_parts; i++)
		job->job.most_steps_per_s =
			fmin(job->job.most_steps_per_s, job->part[i].steps_per_s);
}

/* A server of parameters that is too slow shows in the measured rate. */
static void take_measured(struct spot_job *job, double measured, enum spot_mode mode)
{
	job->sum_steps_per_s = pl_spot_steps_per_s(&job->job);
	if (measured == 0)
		return;
	job->job.most_steps_per_s = measured;
	if (pl_spot_is_bound(measured, job->sum_steps_per_s))
		spot_warn("%.4g steps a second are %.0f %% of %s, %.4g: the parameter server or "
			  "the network is the limit",
			  measured, 100 * measured / job->sum_steps_per_s,
			  mode == SPOT_SYNCHRONOUS ? "the slowest machine's"
						   : "the sum of the machines",
			  job->sum_steps_per_s);
}

static int make_parts(struct spot_job *job, const struct spot_job_options *o, struct pl_err *err)
{
	const size_t n = n_words(o->machines) + n_words(o->on_demand);
	size_t n_spot;

	job->type = pl_array_create(n, sizeof(*job->type));
	job->part = pl_array_create(n, sizeof(*job->part));
	job->curve = pl_array_create(n, sizeof(*job->curve));
	if (!job->type || !job->part || !job->curve)
		return pl_err_nomem(err);
	job->job.part = job->part;
	if (parse_parts(job, "machines", o->machines, err))
		return -1;
	n_spot = job->job.n_parts;
	if (parse_parts(job, "on-demand", o->on_demand, err))
		return -1;
	for (size_t i = 0; i < n_spot; i++)
		if (find_lives(job, o, i, err))
			return -1;
	return 0;
}

/* What a checkpoint takes: as given, or as the profile has it. */
static int take_save(struct spot_job *job, const struct spot_job_options *o, struct pl_err *err)
{
	const struct pl_profile_number *save =
		pl_profile_number_find(&job->numbers, "checkpoint_s", NULL);

	if (!o->saves || !isnan(o->save_s))
		return 0;
	if (!save)
		return pl_err_set(err, PL_EUSAGE, "--save is wanted: %s has no checkpoint_s",
				  o->profile);
	pl_tool_say(SPOT_TOOL, "a checkpoint takes %s (%s)", PL_TIME_TEXT(save->value),
		    PL_ORIGIN_TEXT(&save->origin));
	job->job.save_s = save->value;
	return 0;
}

int spot_job_make(struct spot_job *job, const struct spot_job_options *o, struct pl_err *err)
{
	*job = (struct spot_job){.job = {
					 .steps = (double)o->steps,
					 .interval = (double)o->interval,
					 .save_s = isnan(o->save_s) ? 0 : o->save_s,
					 .restart_s = o->restart_s,
					 .most_steps_per_s = INFINITY,
					 .replacements = (size_t)o->replacements,
					 .goes_on = o->on_loss == SPOT_GO_ON,
					 .keeps = o->keeps,
				 }};
	if (o->profile && pl_profile_numbers_read(&job->numbers, o->profile, err))
		return -1;
	job->has_profile = o->profile != NULL;
	if (take_save(job, o, err))
		return -1;
	if (o->machines && (o->from.n_files || o->from.n_histories) &&
	    spot_sources_read(&job->lifetimes, &o->from, err))
		return -1;
	if (o->catalogue && pl_catalogue_read(&job->catalogue, o->catalogue, err))
		return -1;
	if (make_parts(job, o, err))
		return -1;
	take_mode(job, o->mode);
	if (!(pl_spot_steps_per_s(&job->job) > 0))
		return pl_err_set(err, PL_EUSAGE, "no machine computes any step");
	for (size_t i = 0; isnan(job->job.restart_s) && i < job->job.n_parts; i++)
		if (job->part[i].curve)
			job->job.restart_s = job->part[i].join_s;
	if (o->catalogue && take_catalogue(job, o, err))
		return -1;
	if (take_prices(job, o->prices, err))
		return -1;
	take_measured(job, o->measured, o->mode);
	return 0;
}
