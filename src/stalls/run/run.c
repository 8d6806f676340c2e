/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - plink-stalls run: a training script in the five steps */
#include "config.h"

#include "src/stalls/run/run.h"

#include "base/mem.h"
#include "base/stop.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "planner/srift/profile/number.h"
#include "planner/stalls/parts.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WHOLE 0.99 /* of the data in memory, or out of it */
#define STEADY 1.1 /* mean over median */

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static struct pl_stall_run *ours(const struct stalls_run *r)
{
	return &r->table.runs.v[r->number];
}

/* What was measured before, if the output is there; a run of ours in it. */
static int open_runs(struct stalls_run *r, struct pl_err *err)
{
	struct pl_stall_runs *runs = &r->table.runs;

	if (access(r->output, F_OK) == 0 && pl_stall_runs_read(runs, r->output, err))
		return -1;
	while (r->number < runs->n &&
	       (strcmp(ours(r)->model, r->model) != 0 || strcmp(ours(r)->machine, r->machine) != 0))
		r->number++;
	if (r->number == runs->n && !pl_stall_runs_add(runs, r->model, r->machine))
		return pl_err_nomem(err);
	if (!ours(r)->script)
		ours(r)->script = pl_string_copy(r->script, strlen(r->script));
	if (!ours(r)->script)
		return pl_err_nomem(err);
	if (strcmp(ours(r)->script, r->script) != 0)
		return pl_err_set(err, PL_EINPUT,
				  "%s has %s on %s from the script %s, not %s: give another "
				  "--model, --machine or --output",
				  r->output, r->model, r->machine, ours(r)->script, r->script);
	return 0;
}

static int write_runs(const void *runs, FILE *out, struct pl_err *err)
{
	return pl_stall_runs_write(runs, out, err);
}

static int save(const struct stalls_run *r, struct pl_err *err)
{
	return pl_outfile_write(r->output, write_runs, &r->table.runs, err);
}

static bool any_measured(const struct pl_stall_run *run)
{
	for (int i = 0; i < PL_STALL_STEPS; i++)
		if (!isnan(run->t_s[i]))
			return true;
	return false;
}

/* All steps are of the same samples on the same GPUs. */
static int check_alike(const struct stalls_run *r, enum pl_stall_step step,
		       const struct stalls_taken *t, struct pl_err *err)
{
	const struct pl_stall_run *run = ours(r);

	if (step == PL_STALL_T1 && t->world != 1)
		return pl_err_set(err, PL_EINPUT,
				  "the command started %" PRIu64
				  " processes, not one: use torchrun with --nproc_per_node",
				  t->world);
	if (step == PL_STALL_T5 && t->world < r->machines)
		return pl_err_set(err, PL_EINPUT,
				  "the command started %" PRIu64 " processes on %" PRIu64
				  " machines: each needs one at least",
				  t->world, r->machines);
	if (!any_measured(run))
		return 0;
	if (t->batch != run->batch)
		return pl_err_set(err, PL_EINPUT,
				  "%" PRIu64 " samples of a GPU in an iteration, but %" PRIu64
				  " in the steps before: the script divides its batch by the "
				  "number of processes, or has other options",
				  t->batch, run->batch);
	if (step != PL_STALL_T1 && run->gpus > 1 && t->world != run->gpus)
		return pl_err_set(err, PL_EINPUT,
				  "%" PRIu64 " processes, but %" PRIu64 " in the steps before",
				  t->world, run->gpus);
	return 0;
}

/* A mean far above the median is the machine's doing, not the training's. */
static void say_unsteady(enum pl_stall_step step, const struct stalls_taken *t)
{
	if (t->seconds > STEADY * t->median)
		pl_tool_warn(STALLS_TOOL,
			     "%s: a few iterations took much longer than the others (mean %s, "
			     "median %s): is the machine or its storage busy?",
			     pl_stall_step_name(step), PL_TIME_TEXT(t->seconds),
			     PL_TIME_TEXT(t->median));
}

static int keep(struct stalls_run *r, enum pl_stall_step step, const struct stalls_taken *t,
		struct pl_err *err)
{
	struct pl_stall_run *run = ours(r);

	if (check_alike(r, step, t, err))
		return -1;
	run->t_s[step] = t->seconds;
	run->iterations[step] = t->iterations;
	run->error_s[step] = t->error;
	run->batch = t->batch;
	run->samples = t->samples;
	if (step != PL_STALL_T1)
		run->gpus = t->world;
	if (step == PL_STALL_T3 || step == PL_STALL_T4)
		run->workers = t->workers;
	if (t->layers) {
		run->layers = t->layers;
		run->gradients = t->gradients;
	}
	if (step == PL_STALL_T5) {
		run->machines = r->machines;
		if (r->instance)
			run->apart = pl_string_copy(r->instance, strlen(r->instance));
		if (r->instance && !run->apart)
			return pl_err_nomem(err);
	}
	say_unsteady(step, t);
	if (t->iterations < r->iterations)
		pl_tool_warn(STALLS_TOOL,
			     "%s: the script ended after %" PRIu64 " iterations of %" PRIu64,
			     pl_stall_step_name(step), t->iterations, r->iterations);
	pl_tool_say(STALLS_TOOL, "%s: %s, mean of %" PRIu64 " iterations", pl_stall_step_name(step),
		    PL_TIME_TEXT(t->seconds), t->iterations);
	if (save(r, err) == 0)
		return 0;
	run->t_s[step] = NAN;
	return -1;
}

/* Data out of memory, or into it; a warning if that fails. */
static int prepare(struct stalls_run *r, enum pl_stall_step step, struct pl_err *err)
{
	struct stalls_cached c;
	double share;
	int rc;

	if ((step != PL_STALL_T3 && step != PL_STALL_T4) || !r->data)
		return 0;
	rc = step == PL_STALL_T3 ? stalls_cache_drop(r, &c, err) : stalls_cache_fill(r, &c, err);
	if (rc)
		return -1;
	ours(r)->data_bytes = c.bytes;
	share = (double)c.cached_bytes / (double)c.bytes;
	if (step == PL_STALL_T3 && share > 1 - WHOLE)
		pl_tool_warn(STALLS_TOOL,
			     "%s: %.0f %% of the data stays in memory (files are open elsewhere, "
			     "or the file system is in memory): t3 and fetch will be too short",
			     r->data, 100 * share);
	if (step == PL_STALL_T4 && share < WHOLE)
		pl_tool_warn(STALLS_TOOL,
			     "%s: only %.0f %% of the data stays in memory: t4 and prep will be "
			     "too long, fetch too short",
			     r->data, 100 * share);
	return 0;
}

/* Why a step is left out, or NULL. */
static const char *left_out(const struct stalls_run *r, enum pl_stall_step step)
{
	if (!isnan(ours(r)->t_s[step]))
		return "was measured before";
	if (step == PL_STALL_T2 && !r->several)
		return "is the same as t1 with one process";
	if (step == PL_STALL_T3 && !r->data)
		return "needs --data, the files to drop from memory";
	return NULL;
}

static int run_steps(struct stalls_run *r, struct pl_err *err)
{
	for (int i = 0; i < PL_STALL_STEPS; i++) {
		const enum pl_stall_step step = (enum pl_stall_step)i;
		struct stalls_taken taken = {.seconds = 0};
		const char *why = left_out(r, step);
		struct pl_err fault = {0};

		if (r->wanted[i] && why)
			pl_tool_say(STALLS_TOOL, "%s %s", pl_stall_step_name(step), why);
		if (!r->wanted[i] || why)
			continue;
		if (prepare(r, step, &fault) || stalls_launch(r, step, &taken, &fault) ||
		    keep(r, step, &taken, &fault))
			return pl_err_set(
				err, fault.code, "%s: %s%s%s", pl_stall_step_name(step), fault.text,
				any_measured(ours(r))
					? "; the same command continues after the steps in "
					: "",
				any_measured(ours(r)) ? r->output : "");
	}
	return 0;
}

/* The stalls that are known go into the profile. */
static int note_stalls(const struct stalls_run *r, struct pl_err *err)
{
	static const char *const names[PL_STALLS] = {
		[PL_STALL_INTERCONNECT] = "interconnect_s",
		[PL_STALL_NETWORK] = "network_s",
		[PL_STALL_PREP] = "prep_s",
		[PL_STALL_FETCH] = "fetch_s",
	};
	const struct pl_stall_run *run = &r->table.runs.v[r->number];
	const struct pl_stall_parts parts = pl_stall_parts_of(run);
	struct pl_profile_noted noted[PL_STALLS];
	size_t n = 0;

	for (int i = 0; i < PL_STALLS; i++)
		if (!isnan(parts.s[i]))
			noted[n++] = (struct pl_profile_noted){
				.name = names[i],
				.instance = run->machine,
				.batch = (double)(run->batch * run->gpus),
				.value = parts.s[i],
				.origin = PL_ORIGIN_MEASURED,
				.with = "plink-stalls run",
			};
	if (!r->profile || n == 0)
		return 0;
	return pl_profile_note(r->profile, noted, n, err);
}

int stalls_run(int argc, char **argv)
{
	struct stalls_run r = {.stop = &stopped};
	struct pl_err err = {0};
	bool done = false;
	int status = stalls_run_parse(&r, argc, argv, &done);

	if (status != PL_EXIT_DONE || done)
		return status;
	pl_stop_on_signals(stop);
	pl_progress_begin(&r.progress, STALLS_TOOL);
	if (pl_outfile_try(r.output, &err) || (r.profile && pl_profile_note_try(r.profile, &err)) ||
	    open_runs(&r, &err) || run_steps(&r, &err) || note_stalls(&r, &err))
		status = pl_tool_fail(STALLS_TOOL, &err);
	else
		status = pl_tool_output(STALLS_TOOL, NULL,
					r.json ? stalls_table_json : stalls_table_text, &r.table);
	pl_stall_runs_fini(&r.table.runs);
	return status;
}
