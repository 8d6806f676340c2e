/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-mpirun.c - mpirun with ranks that follow a plan */
#include "config.h"

#include "base/fnv.h"
#include "base/plan/plan.h"
#include "base/stop.h"
#include "base/text/shell.h"
#include "src/common/launcher.h"
#include "src/common/starter.h"
#include "src/common/tool.h"
#include "src/mpirun/check.h"
#include "src/mpirun/grammar.h"
#include "src/mpirun/judge.h"
#include "src/mpirun/line.h"
#include "src/mpirun/options.h"
#include "src/mpirun/setting.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tool[] = PL_MPIRUN_TOOL;

#define PLAN_MAX ((size_t)256 << 20)

/* A handler can reach nothing else. */
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Everything that is known before anything runs. */
struct job {
	const struct pl_mpirun_options *o;
	struct pl_mpi mpi;
	struct pl_grammar grammar;
	struct pl_mpirun_line line;
	struct pl_mpirun_setting setting;
	struct pl_plan plan;
	uint64_t digest;                  /* of the plan's bytes */
	struct pl_mpirun_verdict verdict; /* n is 0 if nothing was checked */
};

static void job_fini(struct job *job)
{
	pl_verdict_fini(&job->verdict);
	pl_plan_fini(&job->plan);
	pl_mpirun_setting_fini(&job->setting);
	pl_mpirun_line_fini(&job->line);
	pl_grammar_fini(&job->grammar);
}

static int fail(const struct pl_err *err)
{
	pl_tool_fail(tool, err);
	return PL_STARTER_FAILED;
}

static int read_plan(struct job *job, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load_file(&text, job->setting.plan, PLAN_MAX, err))
		return -1;
	job->digest = pl_fnv_add(PL_FNV_FIRST, text.data, text.len);
	rc = pl_plan_parse(&job->plan, &text, err);
	pl_text_fini(&text);
	return rc;
}

/* The launchers whose options are known. */
static int ask_launcher(struct job *job, struct pl_err *err)
{
	const char *mpirun = job->o->mpirun;

	if (job->mpi.kind == PL_MPI_OPENMPI_4)
		return pl_grammar_ask(&job->grammar, mpirun, &stopped, err);
	if (job->mpi.kind == PL_MPI_OPENMPI_5)
		return pl_grammar_prrte(&job->grammar, err);
	if (job->mpi.kind == PL_MPI_MPICH)
		return pl_grammar_hydra(&job->grammar, err);
	return pl_err_set(err, PL_EUSAGE,
			  "%s is %s, and only the mpiruns of Open MPI and of MPICH are known; "
			  "libplink-mpi(7) says what to set for others",
			  mpirun, job->mpi.name);
}

static int job_prepare(struct job *job, const char *self, struct pl_err *err)
{
	const struct pl_mpirun_options *o = job->o;

	if (ask_launcher(job, err) ||
	    pl_mpirun_line_parse(&job->line, &job->grammar, o->words, err) ||
	    pl_mpirun_setting_make(&job->setting, o,
				   job->grammar.hydra ? "libplink-mpich.so" : "libplink-mpi.so",
				   self, err))
		return -1;
	return read_plan(job, err);
}

/* mpirun's messages explain why processes did not answer. */
static int judge(struct job *job, const struct pl_check *check, struct pl_err *err)
{
	const struct pl_judge judge = {.check = check,
				       .plan = &job->plan,
				       .digest = job->digest,
				       .mpirun = &job->mpi,
				       .mode = job->o->mode};

	if (check->n == 0) {
		fputs(check->other, stderr);
		return pl_err_set(
			err, PL_EPARTIAL,
			"no process has answered, see above: nothing is run (--no-check would)");
	}
	if (pl_judge(&judge, &job->verdict, err) == 0)
		return 0;
	fputs(check->other, stderr);
	return -1;
}

/* Starts the helper as the program would be started. */
static int check(struct job *job, struct pl_err *err)
{
	char *const helper[] = {job->setting.helper, job->setting.library, NULL};
	const struct pl_mpirun_extra extra = {
		.env = &job->setting.env, .stdin_rank = -1, .program = helper};
	struct pl_words command = {0};
	struct pl_check found = {0};
	int rc;

	rc = pl_mpirun_line_build(&job->line, job->o->mpirun, &extra, &command, err);
	if (rc == 0)
		rc = pl_check_run(&found, command.v, &stopped, err);
	if (rc == 0)
		rc = judge(job, &found, err);
	pl_check_fini(&found);
	pl_words_fini(&command);
	return rc;
}

/* A file for standard input: Hydra hands standard input to its rank 0 in any case. */
static void say_input(const struct job *job)
{
	struct stat st;

	if (job->grammar.hydra && job->verdict.first != 0 && fstat(STDIN_FILENO, &st) == 0 &&
	    S_ISREG(st.st_mode))
		pl_tool_warn(tool,
			     "standard input goes to rank %d: MPICH's mpirun has no option for it",
			     job->verdict.new_rank[0]);
}

/* Findings of the check that a user may want to know. */
static void say_found(const struct job *job)
{
	const struct pl_mpirun_verdict *v = &job->verdict;

	if (v->n > 0)
		say_input(job);
	if (v->n_without_plan > 0 && !job->grammar.hydra)
		pl_tool_say(tool,
			    "%zu of %zu processes cannot read %s: the others send it to them in "
			    "MPI_Init; until then their OMPI_COMM_WORLD_RANK is the launcher's",
			    v->n_without_plan, v->n, job->setting.plan);
	if (job->o->verbose && v->n > 0)
		pl_tool_say(tool,
			    "%s, %zu processes load %s; the launcher's rank %d becomes rank 0",
			    job->mpi.name, v->n, job->setting.library, v->first);
	if (job->o->verbose && v->n == 0)
		pl_tool_say(tool,
			    "nothing checked: standard input stays with the launcher's rank 0");
}

static int show_ranks(const struct job *job)
{
	const struct pl_mpirun_verdict *v = &job->verdict;

	for (size_t rank = 0; rank < v->n; rank++)
		printf("%zu -> %d %s\n", rank, v->new_rank[rank],
		       job->plan.hosts.v[v->host_of[rank]].name);
	return pl_tool_end_output(tool) ? PL_STARTER_FAILED : 0;
}

/* Is there nothing that the library would do? */
static bool is_needless(const struct job *job)
{
	const struct pl_mpirun_verdict *v = &job->verdict;

	return job->o->mode == PL_MPIRUN_WORLD && v->n > 0 && v->identity && !job->o->stats &&
	       !getenv("PLINK_STATS");
}

static int build(const struct job *job, struct pl_words *command, struct pl_err *err)
{
	const bool moves = job->verdict.n > 0 && job->verdict.first != 0 && !job->grammar.hydra &&
			   !job->line.has_stdin;
	const struct pl_mpirun_extra extra = {
		.env = &job->setting.env,
		.preload = job->setting.library,
		.stdin_rank = moves ? job->verdict.first : -1,
	};

	if (!is_needless(job))
		return pl_mpirun_line_build(&job->line, job->o->mpirun, &extra, command, err);
	pl_tool_say(tool, "the plan changes no rank: running without it");
	pl_words_add(command, job->o->mpirun);
	for (char *const *word = job->o->words; *word; word++)
		pl_words_add(command, *word);
	return command->failed ? pl_err_nomem(err) : 0;
}

static int print(char *const *command)
{
	char *line = pl_shell_command(command);

	if (!line) {
		pl_tool_warn(tool, "out of memory");
		return PL_STARTER_FAILED;
	}
	puts(line);
	free(line);
	return pl_tool_end_output(tool) ? PL_STARTER_FAILED : 0;
}

static int run(struct job *job, struct pl_err *err)
{
	struct pl_words command = {0};
	int status;

	if (job->o->check && check(job, err))
		return fail(err);
	say_found(job);
	if (!job->o->run)
		return show_ranks(job);
	if (stopped) {
		pl_tool_warn(tool, "interrupted");
		status = PL_STARTER_FAILED;
	} else if (build(job, &command, err)) {
		status = fail(err);
	} else if (job->o->print) {
		status = print(command.v);
	} else {
		status = pl_starter_become(tool, command.v);
	}
	pl_words_fini(&command);
	return status;
}

int main(int argc, char **argv)
{
	struct pl_mpirun_options o;
	struct job job = {.o = &o};
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = pl_mpirun_options_parse(&o, argc, argv);
	if (status || o.done)
		return status;
	pl_stop_on_signals(stop);
	if (pl_mpi_detect(&job.mpi, o.mpirun, &stopped, &err))
		status = fail(&err);
	else if (job.mpi.kind == PL_MPI_NONE)
		status = pl_starter_become(tool, (char *[]){(char *)o.mpirun, NULL});
	else if (job_prepare(&job, argv[0], &err))
		status = fail(&err);
	else
		status = run(&job, &err);
	job_fini(&job);
	return status;
}
