/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - a short job: started, watched by its log of norms, ended */
#include "config.h"

#include "src/batch/job.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text/number.h"
#include "base/text/words.h"
#include "src/common/tool.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 50
#define LEAST_ITERATIONS 3 /* of a job that was ended early */

extern char **environ;

static void add_number(struct pl_words *env, const char *name, double value)
{
	char number[PL_DOUBLE_CHARS];

	pl_words_add_pair(env, name, pl_double_format(number, value));
}

/* Our environment, without these variables, and they. */
static void make_environment(const struct batch_job *job, const char *norms, struct pl_words *env)
{
	for (char **v = environ; *v; v++)
		if (strncmp(*v, "PLINK_BATCH", 11) != 0)
			pl_words_add(env, *v);
	add_number(env, "PLINK_BATCH_WORKERS", (double)job->workers);
	add_number(env, "PLINK_BATCH_SAMPLES", (double)job->batch);
	add_number(env, "PLINK_BATCH_RATE", job->rate);
	if (norms)
		pl_words_add_pair(env, "PLINK_BATCH_NORMS", norms);
}

static int start(const struct batch_job *job, const char *norms, pid_t *pid, struct pl_err *err)
{
	struct pl_words env = {0};
	int rc = ENOMEM;

	make_environment(job, norms, &env);
	if (!env.failed)
		rc = pl_spawn(
			&(struct pl_spawn){.argv = job->o->argument,
					   .env = env.v,
					   .fd = {PL_SPAWN_NULL, STDERR_FILENO, PL_SPAWN_SAME},
					   .own_group = true},
			pid);
	pl_words_fini(&env);
	errno = rc;
	return rc ? pl_err_errno(err, "cannot start %s", job->o->argument[0]) : 0;
}

/* Iterations in the log so far. */
static size_t count_steps(const char *norms)
{
	FILE *f = fopen(norms, "r");
	size_t n = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		n += strncmp(line, "step ", 5) == 0 && strchr(line, '\n');
	if (f)
		fclose(f);
	return n;
}

/* Waits for the job's iterations, its end, its limit or our stop. */
static void wait_for(const struct batch_job *job, const char *norms, pid_t pid, int64_t end_ns)
{
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (*job->stopped || pl_clock_ns() >= end_ns ||
		    count_steps(norms) >= job->iterations) {
			pl_child_end(pid);
			return;
		}
		poll(NULL, 0, POLL_MS);
	}
	/* what it has left behind: ranks of a launcher that died */
	kill(-pid, SIGKILL);
}

/* What the log tells, or that there is none. */
static int judge(const struct batch_job *job, const char *norms, bool was_stopped,
		 struct pl_batch_point *p, struct pl_err *err)
{
	struct pl_noise noise;

	if (count_steps(norms) < job->o->noise.warmup + LEAST_ITERATIONS) {
		p->end = was_stopped ? PL_POINT_STOPPED : PL_POINT_FAILED;
		return 0;
	}
	if (batch_point_of(norms, &job->o->noise, p, &noise, err)) {
		if (err->code != PL_EPARTIAL)
			return -1;
		p->end = PL_POINT_DIVERGED;
		pl_tool_warn(BATCH_TOOL, "%s:%ld: %s", err->file, err->line, err->text);
		return 0;
	}
	if (p->workers != job->workers || p->batch != job->batch)
		return pl_err_set(err, PL_EINPUT,
				  "the job was started for %zu workers and a batch of %llu "
				  "samples, but its log has %zu and %llu",
				  job->workers, (unsigned long long)job->batch, p->workers,
				  (unsigned long long)p->batch);
	if (isnan(p->seconds))
		return pl_err_set(err, PL_EINPUT, "the job's log has no seconds=");
	return 0;
}

void batch_job_log(const struct batch_options *o, bool kept, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s.%snorms", o->state, kept ? "large." : "");
}

int batch_job_run(const struct batch_job *job, struct pl_batch_point *p, struct pl_err *err)
{
	const int64_t begin_ns = pl_clock_ns();
	const int64_t end_ns = begin_ns + (int64_t)(fmin(job->limit_s, 1e9) * 1e9);
	char norms[PATH_MAX];
	pid_t pid;
	int rc;

	*p = pl_batch_point_of(PL_POINT_MEASURED, job->workers, job->batch);
	p->spent_s = 0;
	batch_job_log(job->o, false, norms);
	unlink(norms);
	if (start(job, norms, &pid, err))
		return -1;
	wait_for(job, norms, pid, end_ns);
	rc = judge(job, norms, *job->stopped || (job->last && pl_clock_ns() >= end_ns), p, err);
	p->spent_s = (double)(pl_clock_ns() - begin_ns) / 1e9;
	return rc;
}

int batch_job_train(const struct batch_job *job, int *status, struct pl_err *err)
{
	pid_t pid;

	if (start(job, NULL, &pid, err))
		return -1;
	while (waitpid(pid, status, WNOHANG) == 0) {
		if (*job->stopped) {
			pl_child_end(pid);
			return pl_err_set(err, PL_EPARTIAL, "the training was interrupted");
		}
		poll(NULL, 0, POLL_MS);
	}
	*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
	return 0;
}
