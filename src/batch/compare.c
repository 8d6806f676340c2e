/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - what the largest batch costs in epochs, from losses */
#include "config.h"

#include "src/batch/job.h"
#include "src/batch/search.h"

#include "planner/batch/progress.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Comparing losses may take this part of what all jobs have taken. */
#define COMPARE_PART 0.5

/* Is it known what a batch as large costs in epochs? */
static bool is_compared(const struct batch_search *s, const struct pl_batch_point *p)
{
	for (size_t i = 0; i < s->points.n; i++)
		if (s->points.point[i].batch >= p->batch && !isnan(s->points.point[i].relative))
			return true;
	return false;
}

void batch_compare_keep(const struct batch_search *s, const struct pl_batch_point *p)
{
	const struct batch_options *o = s->o;
	char log[PATH_MAX], kept[PATH_MAX];

	batch_job_log(o, false, log);
	batch_job_log(o, true, kept);
	if (p->end != PL_POINT_MEASURED || p->workers != o->workers.n[0] ||
	    p->batch <= o->batches.n[batch_first(o, p->workers)] || access(kept, F_OK) == 0 ||
	    is_compared(s, p) || rename(log, kept))
		unlink(log);
}

static struct pl_batch_point *point_of(struct batch_search *s, size_t workers, uint64_t batch)
{
	for (size_t i = 0; i < s->points.n; i++) {
		struct pl_batch_point *p = &s->points.point[i];

		if (p->workers == workers && p->batch == batch && p->end == PL_POINT_MEASURED)
			return p;
	}
	return NULL;
}

/* Leaves out the iterations without a loss. */
static void drop_lossless(struct pl_norms *norms)
{
	size_t n = 0;

	for (size_t i = 0; i < norms->n; i++)
		if (isfinite(norms->step[i].loss))
			norms->step[n++] = norms->step[i];
	norms->n = n;
}

/* Lines of a log of batch @small with enough samples for a comparison. */
static size_t enough(const struct pl_norms *large, uint64_t small)
{
	const double lines =
		(double)(large->n - 1) * (double)large->batch * PL_PROGRESS_MORE / (double)small;

	return 2 + (size_t)fmin(ceil(lines), 1e9);
}

static void say_compared(const struct batch_job *job, const struct pl_norms *large, double ratio,
			 const char *why)
{
	if (isnan(ratio))
		pl_tool_say(BATCH_TOOL,
			    "the losses do not tell what batch %llu costs in epochs: %s; the noise "
			    "is used instead",
			    (unsigned long long)large->batch, why);
	else
		pl_tool_say(BATCH_TOOL, "batch %llu takes %.3g times the epochs of batch %llu",
			    (unsigned long long)large->batch, ratio,
			    (unsigned long long)job->batch);
}

/* Runs the job. What the larger batch takes in epochs in terms of it; NaN, with the reason in *why.
 * What it took in all is added to *spent_s. */
static double measure_ratio(const struct batch_job *job, const struct pl_norms *large,
			    double *spent_s, const char **why, struct pl_err *err)
{
	struct pl_batch_point p;
	struct pl_norms norms = {0};
	char log[PATH_MAX];
	double ratio = NAN;
	int rc = batch_job_run(job, &p, err);

	*spent_s = (isnan(*spent_s) ? 0 : *spent_s) + p.spent_s;
	batch_job_log(job->o, false, log);
	if (rc == 0 && p.end == PL_POINT_MEASURED)
		rc = pl_norms_read(&norms, log, err);
	unlink(log);
	drop_lossless(&norms);
	*why = rc ? err->text : "the job with the smaller batch failed";
	if (rc == 0 && p.end == PL_POINT_MEASURED)
		ratio = pl_batch_progress(&norms, large, why);
	pl_norms_fini(&norms);
	return ratio;
}

/* The job with the smallest batch once more, for as many samples as the one had whose log is
 * @large: where do both have the same loss? */
static int compare_with(struct batch_search *s, const struct pl_norms *large, struct pl_err *err)
{
	const struct batch_options *o = s->o;
	const size_t workers = (size_t)o->workers.n[0];
	const uint64_t batch = o->batches.n[batch_first(o, workers)];
	struct pl_batch_point *small = point_of(s, workers, batch);
	struct pl_batch_point *most = point_of(s, workers, large->batch);
	struct batch_job job = {.o = o,
				.workers = workers,
				.batch = batch,
				.iterations = enough(large, batch),
				.rate = batch_rate_of(o, batch),
				.stopped = s->stopped};
	const char *why = pl_batch_progress_unfit(large);
	const double left_s = batch_search_left_s(s, workers);
	struct pl_err fault;
	double seconds, workers_s, ratio = NAN;

	if (!small || !most)
		return 0;
	if (!why) {
		batch_search_spent(s, &seconds, &workers_s);
		job.limit_s = fmin(COMPARE_PART * workers_s / (double)workers, o->job_limit_s);
		job.last = left_s < job.limit_s;
		job.limit_s = fmax(0, fmin(job.limit_s, left_s));
		pl_tool_say(BATCH_TOOL,
			    "%zu workers, batch %llu, once more: to compare its losses with those "
			    "of batch %llu",
			    workers, (unsigned long long)batch, (unsigned long long)large->batch);
		ratio = measure_ratio(&job, large, &small->spent_s, &why, &fault);
	}
	s->over = *s->stopped || (job.last && isnan(ratio));
	if (!s->over)
		say_compared(&job, large, ratio, why);
	for (size_t i = 0; !isnan(ratio) && i < s->points.n; i++)
		s->points.point[i].relative = NAN;
	if (!isnan(ratio)) {
		most->relative = ratio;
		small->relative = 1;
	}
	return batch_search_save(s, err);
}

int batch_compare(struct batch_search *s, struct pl_err *err)
{
	const size_t workers = (size_t)s->o->workers.n[0];
	struct pl_norms large = {0};
	struct pl_err fault;
	char kept[PATH_MAX];
	int rc = 0;

	batch_job_log(s->o, true, kept);
	if (access(kept, F_OK) != 0)
		return 0;
	if (pl_norms_read(&large, kept, &fault))
		pl_tool_warn(BATCH_TOOL, "%s: %s", kept, fault.text);
	drop_lossless(&large);
	if (large.n > 0 && large.workers == workers &&
	    batch_first(s->o, workers) < s->o->batches.len)
		rc = compare_with(s, &large, err);
	pl_norms_fini(&large);
	if (!s->over)
		unlink(kept);
	return rc;
}
