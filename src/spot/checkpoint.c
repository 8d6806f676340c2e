/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.c - plink-spot checkpoint: how long a checkpoint takes, and how often a job should
 * make one */
#include "config.h"

#include "base/text/size.h"
#include "planner/transient/interval.h"
#include "src/common/json.h"
#include "src/spot/job.h"
#include "src/spot/saves.h"
#include "src/spot/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PERCENT 100

struct options {
	struct spot_job_options job; /* must be first */
	struct spot_saves_options saves;
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	SPOT_JOB_ROWS,
	{"samples", required_argument, 0, pl_take_filled, AT(saves.samples)},
	{"sizes", required_argument, 0, spot_take_sizes, AT(saves)},
	{"folds", required_argument, 0, pl_take_whole,
	 AT(saves.learning.n_folds), 2, PL_SAMPLES_MAX},
	{"unscaled", no_argument, 0, pl_take_flag,
	 AT(saves.learning.unscaled)},
	{0},
};
/* clang-format on */

static bool has_job(const struct options *o)
{
	return o->job.machines || o->job.on_demand || o->job.steps;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SPOT_TOOL, .option = table, .help = spot_checkpoint_help};
	int status;

	*o = (struct options){.saves = {.learning = {.n_folds = 5}}};
	spot_job_options_init(&o->job);
	o->job.n_replays = 1000;
	status = pl_options_parse(&options, argc, argv, o, &o->job.done);
	if (status != PL_EXIT_DONE || o->job.done)
		return status;
	if (!o->saves.samples != !o->saves.n_sizes)
		return spot_usage("--samples and --sizes go together");
	o->job.saves = !o->saves.samples;
	if (o->job.saves ? isnan(o->job.save_s) && !o->job.profile : !isnan(o->job.save_s))
		return spot_usage("one of --save, --samples and --profile is wanted");
	status = pl_tool_spares(SPOT_TOOL, o->job.output, o->saves.samples);
	if (status == PL_EXIT_DONE)
		status = pl_tool_spares(SPOT_TOOL, o->job.output, o->job.profile);
	if (status || (!has_job(o) && o->saves.samples && argc == optind))
		return status;
	return spot_job_options_check(&o->job, argc - optind);
}

struct result {
	const struct options *o;
	struct spot_saves saves;
	struct spot_job job;
	struct pl_intervals found;
};

static void write_interval(const char *name, const struct result *r, const struct pl_interval *i,
			   FILE *out)
{
	const double plain_s = r->job.job.steps / pl_spot_steps_per_s(&r->job.job);

	fprintf(out, "%-8s every %.0f steps, %s: ", name, i->steps,
		PL_TIME_TEXT(i->steps / pl_spot_steps_per_s(&r->job.job)));
	if (i->n_ended)
		fprintf(out, "mean %s, %.1f %% more than the steps alone\n",
			PL_TIME_TEXT(i->mean_s), PERCENT * (i->mean_s / plain_s - 1));
	else
		fprintf(out, "no replay ends\n");
}

static void write_intervals(const struct result *r, FILE *out)
{
	fprintf(out, "a checkpoint takes %s; ", PL_TIME_TEXT(r->job.job.save_s));
	if (isfinite(r->found.between_s))
		fprintf(out, "a machine is lost every %s", PL_TIME_TEXT(r->found.between_s));
	else
		fprintf(out, "no machine is ever lost");
	fprintf(out, "; %" PRIu64 " replays, seed %" PRIu64 "\n", r->o->job.n_replays,
		r->o->job.seed);
	write_interval("Young", r, &r->found.young, out);
	write_interval("Daly", r, &r->found.daly, out);
	write_interval("best", r, &r->found.best, out);
}

static int write_text(const void *result, FILE *out, struct pl_err *err)
{
	const struct result *r = result;

	if (r->o->saves.samples)
		spot_saves_write(&r->saves, out);
	if (has_job(r->o))
		write_intervals(r, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static json_t *interval_json(const struct pl_interval *i)
{
	return json_pack("{sf so sI}", "steps", i->steps, "mean_s", pl_tool_json_number(i->mean_s),
			 "ended", (json_int_t)i->n_ended);
}

static int write_json(const void *result, FILE *out, struct pl_err *err)
{
	const struct result *r = result;
	const struct options *o = r->o;
	json_t *all = json_pack("{so}", "save", spot_saves_json(&r->saves));
	char seed[32];

	if (has_job(o)) {
		pl_obj_set(&all, "save_s", json_real(r->job.job.save_s));
		pl_obj_set(&all, "between_losses_s", pl_tool_json_number(r->found.between_s));
		pl_obj_set(&all, "replays", pl_tool_json_whole(o->job.n_replays));
		pl_obj_set(&all, "young", interval_json(&r->found.young));
		pl_obj_set(&all, "daly", interval_json(&r->found.daly));
		pl_obj_set(&all, "best", interval_json(&r->found.best));
	}
	/* beyond what JSON readers keep of a number */
	snprintf(seed, sizeof(seed), "%" PRIu64, o->job.seed);
	pl_obj_set(&all, "seed", pl_tool_json_text(seed));
	return pl_tool_json_write(SPOT_TOOL, all, out, err);
}

/* The seconds of a checkpoint go into the profile. */
static int note_save(const struct result *r, const struct options *o, struct pl_err *err)
{
	const struct pl_profile_noted noted = {
		.name = "checkpoint_s",
		.value = r->saves.best_s,
		.origin = PL_ORIGIN_FITTED,
		.with = "plink-spot checkpoint",
	};

	return o->job.profile ? pl_profile_note(o->job.profile, &noted, 1, err) : 0;
}

static int compute(struct result *r, const struct options *o, struct pl_err *err)
{
	if (o->saves.samples &&
	    (spot_saves_learn(&r->saves, &o->saves, o->job.seed, err) || note_save(r, o, err)))
		return -1;
	if (!has_job(o))
		return 0;
	if (spot_job_make(&r->job, &o->job, err))
		return -1;
	if (o->saves.samples)
		r->job.job.save_s = r->saves.best_s;
	return pl_interval_search(&r->found, &r->job.job, o->job.n_replays, o->job.seed, err);
}

int spot_checkpoint_main(int argc, char **argv)
{
	struct options o;
	struct result r = {.o = &o};
	struct pl_err err = {0};
	int status = parse_options(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.job.done)
		return status;
	if (compute(&r, &o, &err))
		status = pl_tool_fail(SPOT_TOOL, &err);
	else
		status = pl_tool_output(SPOT_TOOL, o.job.output,
					o.job.json ? write_json : write_text, &r);
	if (status == PL_EXIT_DONE && has_job(&o) && r.found.best.n_ended == 0) {
		spot_warn("no interval between checkpoints lets the job end in %d times the time "
			  "without losses",
			  PL_REPLAY_GIVE_UP);
		status = PL_EXIT_PARTIAL;
	}
	spot_job_fini(&r.job);
	return status;
}
