/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - plink-batch run: short jobs, then a choice, and the training with
 * it */
#include "config.h"

#include "src/batch/batch.h"
#include "src/batch/job.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "planner/batch/progress.h"
#include "planner/srift/profile/number.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Comparing losses may take this part of what all jobs have taken. */
#define COMPARE_PART 0.5

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

struct search {
	const struct batch_options *o;
	struct pl_points points;
	bool over; /* stopped, or a limit is reached */
};

static int save(const struct search *s, struct pl_err *err)
{
	struct pl_outfile out = {0};

	if (pl_outfile_open(&out, s->o->state, err))
		return -1;
	pl_points_write(&s->points, out.f);
	return pl_outfile_commit(&out, err);
}

/* Starts with the points of an earlier search, if there was one. */
static int load(struct search *s, struct pl_err *err)
{
	char kept[PATH_MAX];

	s->points.samples = s->o->samples;
	s->points.rate = s->o->rate;
	s->points.rate_told = true;
	if (access(s->o->state, F_OK) != 0) {
		batch_job_log(s->o, true, kept);
		unlink(kept);
		return save(s, err);
	}
	return pl_points_read(&s->points, s->o->state, err);
}

/* Seconds of all jobs so far, and those of their workers. */
static void add_up(const struct search *s, double *seconds, double *workers_s)
{
	*seconds = *workers_s = 0;
	for (size_t i = 0; i < s->points.n; i++) {
		const struct pl_batch_point *p = &s->points.point[i];

		if (isnan(p->spent_s))
			continue;
		*seconds += p->spent_s;
		*workers_s += p->spent_s * (double)p->workers;
	}
}

/* What the search may still take with so many workers. */
static double time_left_s(const struct search *s, size_t workers)
{
	const double per_hour = (double)workers * s->o->price;
	double seconds, workers_s, left;

	add_up(s, &seconds, &workers_s);
	left = s->o->search_time_s - seconds;
	if (per_hour > 0)
		left = fmin(left, s->o->search_budget / per_hour * 3600 -
					  workers_s / (double)workers);
	return left;
}

static double rate_of(const struct batch_options *o, uint64_t batch)
{
	const double ratio = (double)batch / (double)o->batches.n[0];

	if (o->rate == PL_RATE_LINEAR)
		return ratio;
	return o->rate == PL_RATE_SQRT ? sqrt(ratio) : 1;
}

static void say_job(const struct pl_batch_point *p)
{
	static const char *const what[] = {
		[PL_POINT_FAILED] = "failed",
		[PL_POINT_DIVERGED] = "diverged",
		[PL_POINT_STOPPED] = "stopped",
	};

	if (p->end == PL_POINT_MEASURED)
		pl_tool_say(BATCH_TOOL,
			    "%zu workers, batch %llu: %s for an iteration, "
			    "after %s",
			    p->workers, (unsigned long long)p->batch,
			    PL_TIME_TEXT(p->seconds), PL_TIME_TEXT(p->spent_s));
	else
		pl_tool_say(BATCH_TOOL, "%zu workers, batch %llu: %s after %s",
			    p->workers, (unsigned long long)p->batch,
			    what[p->end], PL_TIME_TEXT(p->spent_s));
}

/* Index of the smallest batch for so many workers; o->batches.len: none. */
static size_t first_batch(const struct batch_options *o, size_t workers)
{
	size_t i = 0;

	while (i < o->batches.len && o->batches.n[i] < workers)
		i++;
	return i;
}

/* The log of the least workers with the largest batch stays; others go. */
static void keep_log(const struct search *s, const struct pl_batch_point *p)
{
	const struct batch_options *o = s->o;
	char log[PATH_MAX], kept[PATH_MAX];

	batch_job_log(o, false, log);
	batch_job_log(o, true, kept);
	if (p->end != PL_POINT_MEASURED || p->workers != o->workers.n[0] ||
	    p->batch <= o->batches.n[first_batch(o, p->workers)] ||
	    access(kept, F_OK) == 0 || rename(log, kept))
		unlink(log);
}

/* Runs a job, and keeps what it tells. */
static int measure(struct search *s, size_t workers, uint64_t batch,
		   struct pl_err *err)
{
	const double left_s = time_left_s(s, workers);
	const struct batch_job job = {
		.o = s->o,
		.workers = workers,
		.batch = batch,
		.iterations = s->o->noise.warmup + (size_t)s->o->iterations,
		.rate = rate_of(s->o, batch),
		.limit_s = fmin(left_s, s->o->job_limit_s),
		.last = left_s < s->o->job_limit_s,
		.stopped = &stopped};
	struct pl_batch_point p;

	if (pl_points_has(&s->points, workers, (double)batch))
		return 0;
	if (stopped || !(left_s > 0)) {
		s->over = true;
		return 0;
	}
	if (batch_job_run(&job, &p, err))
		return -1;
	keep_log(s, &p);
	if (pl_points_add(&s->points, &p))
		return pl_err_nomem(err);
	say_job(&p);
	if (p.end == PL_POINT_STOPPED)
		s->over = true;
	return save(s, err);
}

/* The least batch with so many workers, and the largest that works; or all. */
static int search_workers(struct search *s, size_t workers, struct pl_err *err)
{
	const struct batch_list *batches = &s->o->batches;
	const size_t first = first_batch(s->o, workers);

	if (first == batches->len)
		return 0;
	if (measure(s, workers, batches->n[first], err))
		return -1;
	if (!s->over &&
	    !pl_points_has(&s->points, workers, (double)batches->n[first]))
		return pl_err_set(err, PL_EPARTIAL,
				  "the job fails with %zu workers and the "
				  "smallest batch",
				  workers);
	for (size_t i = batches->len; !s->over && i-- > first + 1;) {
		if (pl_points_rule_out(&s->points, workers,
				       (double)batches->n[i]))
			continue;
		if (measure(s, workers, batches->n[i], err))
			return -1;
		if (!s->o->full &&
		    pl_points_has(&s->points, workers, (double)batches->n[i]))
			break;
	}
	return 0;
}

static struct pl_batch_point *point_of(struct search *s, size_t workers,
				       uint64_t batch)
{
	for (size_t i = 0; i < s->points.n; i++) {
		struct pl_batch_point *p = &s->points.point[i];

		if (p->workers == workers && p->batch == batch &&
		    p->end == PL_POINT_MEASURED)
			return p;
	}
	return NULL;
}

/* Iterations of batch @small with enough samples for a comparison. */
static size_t enough(const struct pl_norms *large, uint64_t small)
{
	const double samples =
		((double)large->step[large->n - 1].iteration + 1) *
		(double)large->batch * PL_PROGRESS_MORE;

	return 2 + (size_t)(samples / (double)small);
}

/* The job of the points with the smaller batch once more, for as many samples
 * as the one had whose log is @large: where do both have the same loss? */
static int compare_with(struct search *s, const struct pl_norms *large,
			struct pl_err *err)
{
	const struct batch_options *o = s->o;
	const size_t workers = (size_t)o->workers.n[0];
	const uint64_t batch = o->batches.n[first_batch(o, workers)];
	struct pl_batch_point *small = point_of(s, workers, batch);
	struct pl_batch_point *most = point_of(s, workers, large->batch);
	struct batch_job job = {.o = o,
				.workers = workers,
				.batch = batch,
				.iterations = enough(large, batch),
				.rate = rate_of(o, batch),
				.stopped = &stopped};
	struct pl_batch_point p;
	struct pl_norms norms = {0};
	char log[PATH_MAX];
	double seconds, workers_s;

	if (!small || !most || isnan(large->step[0].loss))
		return 0;
	add_up(s, &seconds, &workers_s);
	job.limit_s = fmin(COMPARE_PART * workers_s / (double)workers,
			   fmin(time_left_s(s, workers), o->job_limit_s));
	if (!(job.limit_s > 0))
		return 0;
	pl_tool_say(BATCH_TOOL,
		    "%zu workers, batch %llu, once more: to compare its losses "
		    "with those of batch %llu",
		    workers, (unsigned long long)batch,
		    (unsigned long long)large->batch);
	if (batch_job_run(&job, &p, err))
		return -1;
	small->spent_s =
		(isnan(small->spent_s) ? 0 : small->spent_s) + p.spent_s;
	s->over = stopped;
	batch_job_log(o, false, log);
	if (p.end == PL_POINT_MEASURED) {
		if (pl_norms_read(&norms, log, err))
			return -1;
		most->relative = pl_batch_progress(&norms, large);
		small->relative = isnan(most->relative) ? NAN : 1;
		pl_norms_fini(&norms);
	}
	unlink(log);
	return save(s, err);
}

/* What the largest batch costs in epochs, if the jobs have losses. */
static int compare(struct search *s, struct pl_err *err)
{
	struct pl_norms large = {0};
	char kept[PATH_MAX];
	int rc = 0;

	batch_job_log(s->o, true, kept);
	if (access(kept, F_OK) != 0)
		return 0;
	if (pl_norms_read(&large, kept, err))
		return -1;
	if (large.n > 0)
		rc = compare_with(s, &large, err);
	pl_norms_fini(&large);
	if (rc == 0 && !s->over)
		unlink(kept);
	return rc;
}

static int search(struct search *s, struct pl_err *err)
{
	const struct batch_list *workers = &s->o->workers;

	for (size_t i = 0; i < workers->len && !s->over; i++)
		if ((s->o->full || i == 0 || i + 1 == workers->len) &&
		    search_workers(s, (size_t)workers->n[i], err))
			return -1;
	return s->over ? 0 : compare(s, err);
}

static void say_spent(const struct search *s)
{
	double seconds, workers_s;

	add_up(s, &seconds, &workers_s);
	pl_tool_say(BATCH_TOOL, "the search took %s and $%.4g",
		    PL_TIME_TEXT(seconds), workers_s / 3600 * s->o->price);
}

int batch_run(const struct batch_options *o, FILE *out,
	      struct pl_batch_cell *chosen, struct pl_err *err)
{
	struct search s = {.o = o};
	int status = o->profile ? pl_profile_note_try(o->profile, err) : 0;

	if (status == 0)
		status = load(&s, err);

	pl_stop_on_signals(stop);
	if (status == 0)
		status = search(&s, err);
	if (status == 0)
		say_spent(&s);
	if (status == 0)
		status = batch_answer(o, &s.points, out, chosen, err);
	if (s.over && (status >= 0 || err->code == PL_EINPUT)) {
		pl_tool_warn(
			BATCH_TOOL,
			"the search was stopped; the same command continues "
			"it if the limits allow more jobs");
		status = PL_EXIT_PARTIAL;
	}
	pl_points_fini(&s.points);
	return status;
}

int batch_train(const struct batch_options *o,
		const struct pl_batch_cell *chosen, struct pl_err *err)
{
	const struct batch_job job = {
		.o = o,
		.workers = chosen->workers,
		.batch = (uint64_t)chosen->batch,
		.rate = rate_of(o, (uint64_t)chosen->batch),
		.limit_s = INFINITY,
		.stopped = &stopped};
	int status;

	pl_tool_say(BATCH_TOOL, "the training begins: %zu workers, batch %.0f",
		    chosen->workers, chosen->batch);
	if (batch_job_train(&job, &status, err))
		return -1;
	if (status)
		pl_tool_warn(BATCH_TOOL, "the training ended with status %d",
			     status);
	return status ? PL_EXIT_PARTIAL : PL_EXIT_DONE;
}
