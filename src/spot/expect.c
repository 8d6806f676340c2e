/* SPDX-License-Identifier: BSD-3-Clause */
/* expect.c - plink-spot expect: when a job ends on machines that may be taken away, and what it
 * costs */
#include "config.h"

#include "base/stats.h"
#include "base/text/size.h"
#include "planner/transient/interval.h"
#include "planner/transient/replay.h"
#include "src/common/json.h"
#include "src/spot/job.h"
#include "src/spot/picture.h"
#include "src/spot/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PERCENT 100
#define SEARCH_REPLAYS 200 /* for advice only */

struct options {
	struct spot_job_options job; /* must be first */
	double deadline_s;           /* 0: none */
	const char *picture;         /* NULL: none */
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	SPOT_JOB_ROWS,
	{"interval", required_argument, 0, pl_take_whole,
	 SPOT_AT(interval), 1, SPOT_STEPS_MAX},
	{"deadline", required_argument, 0, pl_take_seconds, AT(deadline_s),
	 .least = 1e-3, .most = SPOT_TIME_MAX},
	{"picture", required_argument, 0, pl_take_svg, AT(picture)},
	{0},
};
/* clang-format on */

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SPOT_TOOL, .option = table, .help = spot_expect_help};
	int status;

	*o = (struct options){.deadline_s = 0};
	spot_job_options_init(&o->job);
	status = pl_options_parse(&options, argc, argv, o, &o->job.done);
	if (status != PL_EXIT_DONE || o->job.done)
		return status;
	o->job.saves = o->job.interval > 0;
	if (o->job.saves ? isnan(o->job.save_s) && !o->job.profile : !isnan(o->job.save_s))
		return spot_usage("--interval and --save go together");
	status = spot_sources_spare(&o->job.from, o->picture);
	if (status)
		return status;
	return spot_job_options_check(&o->job, argc - optind);
}

struct result {
	const struct options *o;
	struct spot_job job;
	struct pl_spot_expected printed, fixed;
	struct pl_replays replays;
	/* advice where no replay ends: the best interval; steps 0: none */
	struct pl_interval best;
};

static double percentile(const struct pl_replays *r, const double *v, double p)
{
	return v[pl_percentile_index(r->n, p)];
}

/* A mean of those that ended tells nothing of those that did not. */
static double mean_of_all(const struct pl_replays *r, double mean)
{
	return r->n_ended == r->n ? mean : NAN;
}

static void write_time(const char *name, double s, FILE *out)
{
	if (isfinite(s))
		fprintf(out, "%s %s", name, PL_TIME_TEXT(s));
	else
		fprintf(out, "%s -", name);
}

static void write_replays(const struct result *res, FILE *out)
{
	const struct options *o = res->o;
	const struct pl_replays *r = &res->replays;

	fprintf(out, "replays    %zu of seed %" PRIu64 ":", r->n, o->job.seed);
	write_time(" mean", mean_of_all(r, r->mean_s), out);
	write_time(", p50", percentile(r, r->seconds, 0.5), out);
	write_time(", p95", percentile(r, r->seconds, 0.95), out);
	if (r->n_ended == r->n)
		fprintf(out, "\n           %.3g machines lost, %.3g steps computed again\n",
			r->losses, r->redone);
	else
		fprintf(out, "\n           %zu did not end in %d times the time without losses\n",
			r->n - r->n_ended, PL_REPLAY_GIVE_UP);
	if (isfinite(mean_of_all(r, r->mean_dollars)))
		fprintf(out, "cost       mean $%.2f, p50 $%.2f, p95 $%.2f\n", r->mean_dollars,
			percentile(r, r->dollars, 0.5), percentile(r, r->dollars, 0.95));
	if (o->deadline_s > 0)
		fprintf(out, "deadline   %s: met by %.4g %%\n", PL_TIME_TEXT(o->deadline_s),
			PERCENT * pl_replays_within(r, o->deadline_s));
}

static int write_text(const void *result, FILE *out, struct pl_err *err)
{
	const struct result *r = result;
	const struct pl_spot_job *job = &r->job.job;

	fprintf(out, "job        %.0f steps at %.4g steps/s, %.0f checkpoints", job->steps,
		pl_spot_steps_per_s(job), pl_spot_checkpoints(job));
	write_time(": without losses", pl_spot_plain_s(job), out);
	fprintf(out, "\nequations  (4) and (5)");
	write_time(":", r->printed.seconds, out);
	fprintf(out, ", %.3g machines lost\n", r->printed.revocations);
	write_time("           with F at the resulting time:", r->fixed.seconds, out);
	fprintf(out, ", %.3g machines lost\n", r->fixed.revocations);
	write_replays(r, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static json_t *expected_json(const struct pl_spot_expected *e)
{
	return json_pack("{so sf}", "seconds", pl_tool_json_number(e->seconds), "lost",
			 e->revocations);
}

static json_t *spread_json(const struct pl_replays *r, const double *v, double mean)
{
	return json_pack("{so so so}", "mean", pl_tool_json_number(mean_of_all(r, mean)), "p50",
			 pl_tool_json_number(percentile(r, v, 0.5)), "p95",
			 pl_tool_json_number(percentile(r, v, 0.95)));
}

static int write_json(const void *result, FILE *out, struct pl_err *err)
{
	const struct result *res = result;
	const struct options *o = res->o;
	const struct pl_spot_job *job = &res->job.job;
	const struct pl_replays *r = &res->replays;
	char seed[32];
	json_t *all = json_pack(
		"{sf sf sf sf so so sI sI so so sf sf so so}", "steps", job->steps, "steps_per_s",
		pl_spot_steps_per_s(job), "checkpoints", pl_spot_checkpoints(job), "plain_s",
		pl_spot_plain_s(job), "printed", expected_json(&res->printed), "fixed_point",
		expected_json(&res->fixed), "replays", (json_int_t)r->n, "ended",
		(json_int_t)r->n_ended, "seconds", spread_json(r, r->seconds, r->mean_s), "dollars",
		spread_json(r, r->dollars, r->mean_dollars), "lost", r->losses, "steps_again",
		r->redone, "in_time",
		o->deadline_s > 0 ? json_real(pl_replays_within(r, o->deadline_s)) : json_null(),
		"best_interval", res->best.steps > 0 ? json_real(res->best.steps) : json_null());

	/* beyond what JSON readers keep of a number */
	snprintf(seed, sizeof(seed), "%" PRIu64, o->job.seed);
	pl_obj_set(&all, "seed", pl_tool_json_text(seed));
	return pl_tool_json_write(SPOT_TOOL, all, out, err);
}

/* Nothing ended: with which interval would it? */
static int advise(const struct options *o, struct result *r, struct pl_err *err)
{
	struct pl_intervals found;

	if (pl_interval_search(&found, &r->job.job, SEARCH_REPLAYS, o->job.seed, err))
		return -1;
	if (found.best.n_ended)
		r->best = found.best;
	if (found.best.n_ended)
		spot_warn("no replay ended in %d times the time without losses; the best interval "
			  "between checkpoints is %.0f steps",
			  PL_REPLAY_GIVE_UP, found.best.steps);
	else
		spot_warn("no replay ended in %d times the time without losses, and none would "
			  "with any other interval between checkpoints: a machine is lost every %s",
			  PL_REPLAY_GIVE_UP, PL_TIME_TEXT(found.between_s));
	return 0;
}

static int compute(struct result *r, const struct options *o, struct pl_err *err)
{
	if (spot_job_make(&r->job, &o->job, err))
		return -1;
	r->printed = pl_spot_expect(&r->job.job);
	r->fixed = pl_spot_expect_fixed(&r->job.job);
	if (pl_replay(&r->replays, &r->job.job, o->job.n_replays, o->job.seed, err))
		return -1;
	return r->replays.n_ended ? 0 : advise(o, r, err);
}

int spot_expect_main(int argc, char **argv)
{
	struct options o;
	struct result r = {.o = &o};
	struct pl_err err = {0};
	int status = parse_options(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.job.done)
		return status;
	if (compute(&r, &o, &err) ||
	    (o.picture && r.replays.n_ended && spot_picture_cloud(o.picture, &r.replays, &err)))
		status = pl_tool_fail(SPOT_TOOL, &err);
	else
		status = pl_tool_output(SPOT_TOOL, o.job.output,
					o.job.json ? write_json : write_text, &r);
	if (status == PL_EXIT_DONE && r.replays.n_ended == 0)
		status = PL_EXIT_PARTIAL;
	pl_replays_fini(&r.replays);
	spot_job_fini(&r.job);
	return status;
}
