/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-exec.c - a process with numbers that follow a plan */
#include "config.h"

#include "base/plan/plan.h"
#include "base/text/shell.h"
#include "base/text/words.h"
#include "shim/plan.h"
#include "src/common/starter.h"
#include "src/common/tool.h"
#include "src/exec/change.h"
#include "src/exec/hidden.h"
#include "src/exec/lightgbm.h"
#include "src/exec/numbers.h"
#include "src/exec/options.h"
#include "src/exec/present.h"
#include "src/exec/seat.h"
#include "src/exec/torchrun.h"
#include "src/exec/where.h"

#include <stdio.h>
#include <stdlib.h>

static const char tool[] = PL_EXEC_TOOL;

/* What the command finds in its environment and on its command line. */
struct job {
	const struct pl_exec_options *o;
	struct pl_plan plan;
	struct pl_seat seat;
	struct pl_changes changes;
	struct pl_words command; /* empty: unchanged */
	char *const *rest;       /* what is not changed of the given command */
	bool is_numbered;        /* a launcher has set numbers */
};

static void job_fini(struct job *job)
{
	pl_words_fini(&job->command);
	pl_changes_fini(&job->changes);
	pl_plan_fini(&job->plan);
}

/* If a style was asked for, its rank variable may be missing: the plan has the rank. */
static int number(struct job *job, enum pl_exec_style style, struct pl_err *err)
{
	if (job->o->style != style && !pl_numbers_are_there(style))
		return 0;
	job->is_numbered = true;
	if (pl_numbers_change(style, &job->seat, &job->changes, err))
		return -1;
	return style == PL_EXEC_SLURM ? pl_where_change_slurm(&job->seat, &job->changes, err) : 0;
}

static int number_torchrun(struct job *job, struct pl_err *err)
{
	if (!pl_torchrun_is(job->o->command))
		return pl_err_set(err, PL_EUSAGE,
				  "%s is not torchrun: choose the --style that fits the command",
				  job->o->command[0]);
	return pl_torchrun_change(job->o->command, &job->seat, &job->command, &job->rest, err);
}

static int number_lightgbm(struct job *job, struct pl_err *err)
{
	return pl_lightgbm_change(job->o->command, &job->seat, &job->command, err);
}

/* If launchers are nested, the innermost counts: DeepSpeed's, torchrun's. The outer ones may have
 * numbered this process, too. */
static int number_all(struct job *job, struct pl_err *err)
{
	static const enum pl_exec_style all[] = {PL_EXEC_ENV, PL_EXEC_SLURM, PL_EXEC_OPENMPI,
						 PL_EXEC_XGBOOST};
	const size_t n = sizeof(all) / sizeof(*all);

	if (pl_numbers_are_there(PL_EXEC_DEEPSPEED))
		return number(job, PL_EXEC_DEEPSPEED, err);
	if (pl_numbers_are_there(PL_EXEC_ENV) && getenv("TORCHELASTIC_RUN_ID"))
		return number(job, PL_EXEC_ENV, err);
	if (pl_numbers_agree(all, n, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (number(job, all[i], err))
			return -1;
	if (job->is_numbered)
		return 0;
	if (pl_numbers_are_of_host())
		return pl_numbers_check_host(&job->seat, err);
	return pl_err_set(err, PL_EPARTIAL,
			  "there is nothing to number: %s is neither torchrun nor lightgbm, and "
			  "neither RANK nor SLURM_PROCID nor OMPI_COMM_WORLD_RANK nor DMLC_TASK_ID "
			  "nor NODE_RANK is set; start it by a launcher that sets one of them",
			  job->o->command[0]);
}

static int number_nccl(struct job *job, struct pl_err *err)
{
	if (!getenv("NCCL_COMM_ID"))
		return pl_err_set(err, PL_EPARTIAL,
				  "NCCL_COMM_ID is not set; set it to ADDRESS:PORT for all "
				  "processes, or choose another --style");
	return number(job, PL_EXEC_NCCL, err);
}

/* Commands that number their processes themselves: they have hosts, or a list of machines. */
static int renumber_auto(struct job *job, struct pl_err *err)
{
	if (pl_torchrun_is(job->o->command))
		return number_torchrun(job, err);
	if (pl_lightgbm_is(job->o->command))
		return number_lightgbm(job, err);
	return number_all(job, err);
}

static int renumber(struct job *job, struct pl_err *err)
{
	const enum pl_exec_style style = job->o->style;

	switch (style) {
	case PL_EXEC_AUTO:
		return renumber_auto(job, err);
	case PL_EXEC_TORCHRUN:
		return number_torchrun(job, err);
	case PL_EXEC_LIGHTGBM:
		return number_lightgbm(job, err);
	case PL_EXEC_NCCL:
		return number_nccl(job, err);
	default:
		return number(job, style, err);
	}
}

/* torchrun and LightGBM have hosts of their own, which a Slurm step around them need not have. */
static int restrict_plan(struct job *job, struct pl_err *err)
{
	const char *hosts = job->o->hosts;

	if (hosts)
		return pl_present_restrict(&job->plan, hosts, err);
	if (job->o->style == PL_EXEC_SLURM && getenv("SLURM_STEP_TASKS_PER_NODE"))
		return pl_present_match_slurm(&job->plan, err);
	if (pl_torchrun_is(job->o->command) || pl_lightgbm_is(job->o->command))
		return 0;
	return pl_present_restrict_to_slurm(&job->plan, err);
}

static int prepare(struct job *job, struct pl_err *err)
{
	const char *path = job->o->plan;

	if (pl_plan_read(&job->plan, path, err) || pl_shim_check_age(&job->plan, path, err) ||
	    restrict_plan(job, err) || pl_seat_find(&job->seat, &job->plan, err))
		return -1;
	job->rest = job->o->command;
	if (pl_hidden_check_launchers(job->o->command, err) || renumber(job, err) ||
	    pl_where_change(&job->seat, &job->changes, err))
		return -1;
	if (!job->command.n && !pl_where_is_worker() &&
	    pl_torchrun_check_variables(&job->seat, err))
		return -1;
	return pl_hidden_check_options(job->rest, &job->seat, &job->changes, err);
}

static char *const *command_of(const struct job *job)
{
	return job->command.n ? job->command.v : job->o->command;
}

/* Prints "RANK 3 -> 1", a line for each number, and the command if it
 * changes. */
static int show(const struct job *job, FILE *to)
{
	for (size_t i = 0; i < job->changes.n; i++) {
		const struct pl_exec_change *c = &job->changes.v[i];

		fprintf(to, "%s %s -> %s\n", c->name, c->was ? c->was : "(not set)", c->is);
	}
	if (job->command.n) {
		char *line = pl_shell_command(job->command.v);

		if (!line)
			return -1;
		fprintf(to, "%s\n", line);
		free(line);
	}
	return 0;
}

static int fail(const struct pl_err *err)
{
	pl_tool_fail(tool, err);
	return PL_STARTER_FAILED;
}

static int run(const struct job *job)
{
	struct pl_err err = {0};

	if (job->o->print)
		return show(job, stdout) || pl_tool_end_output(tool) ? PL_STARTER_FAILED : 0;
	if (job->o->verbose)
		show(job, stderr);
	if (pl_changes_make(&job->changes, &err))
		return fail(&err);
	return pl_starter_become(tool, command_of(job));
}

int main(int argc, char **argv)
{
	struct pl_exec_options o;
	struct job job = {.o = &o};
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = pl_exec_options_parse(&o, argc, argv);
	if (status || o.done)
		return status;
	status = prepare(&job, &err) ? fail(&err) : run(&job);
	job_fini(&job);
	return status;
}
