/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - plink-batch run: short jobs, then a choice, and the training with
 * it */
#include "config.h"

#include "src/batch/job.h"
#include "src/batch/search.h"

#include "base/stop.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "planner/srift/profile/number.h"
#include "src/common/tool.h"

#include <math.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

int batch_search_save(const struct batch_search *s, struct pl_err *err)
{
	struct pl_outfile out = {0};

	if (pl_outfile_open(&out, s->o->state, err))
		return -1;
	pl_points_write(&s->points, out.f);
	return pl_outfile_commit(&out, err);
}

/* Starts with the points of an earlier search, if there was one. */
static int load(struct batch_search *s, struct pl_err *err)
{
	char kept[PATH_MAX];

	s->points.samples = s->o->samples;
	s->points.rate = s->o->rate;
	s->points.rate_told = true;
	if (access(s->o->state, F_OK) != 0) {
		batch_job_log(s->o, true, kept);
		unlink(kept);
		return batch_search_save(s, err);
	}
	return pl_points_read(&s->points, s->o->state, err);
}

void batch_search_spent(const struct batch_search *s, double *seconds, double *workers_s)
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

double batch_search_left_s(const struct batch_search *s, size_t workers)
{
	const double per_hour = (double)workers * s->o->price;
	double seconds, workers_s, left;

	batch_search_spent(s, &seconds, &workers_s);
	left = s->o->search_time_s - seconds;
	if (per_hour > 0)
		left = fmin(left,
			    s->o->search_budget / per_hour * 3600 - workers_s / (double)workers);
	return left;
}

double batch_rate_of(const struct batch_options *o, uint64_t batch)
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
		pl_tool_say(BATCH_TOOL, "%zu workers, batch %llu: %s for an iteration, after %s",
			    p->workers, (unsigned long long)p->batch, PL_TIME_TEXT(p->seconds),
			    PL_TIME_TEXT(p->spent_s));
	else
		pl_tool_say(BATCH_TOOL, "%zu workers, batch %llu: %s after %s", p->workers,
			    (unsigned long long)p->batch, what[p->end], PL_TIME_TEXT(p->spent_s));
}

size_t batch_first(const struct batch_options *o, size_t workers)
{
	size_t i = 0;

	while (i < o->batches.len && o->batches.n[i] < workers)
		i++;
	return i;
}

/* Runs a job, and keeps what it tells. */
static int measure(struct batch_search *s, size_t workers, uint64_t batch, struct pl_err *err)
{
	const double left_s = batch_search_left_s(s, workers);
	const struct batch_job job = {.o = s->o,
				      .workers = workers,
				      .batch = batch,
				      .iterations = s->o->noise.warmup + (size_t)s->o->iterations,
				      .rate = batch_rate_of(s->o, batch),
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
	batch_compare_keep(s, &p);
	if (pl_points_add(&s->points, &p))
		return pl_err_nomem(err);
	say_job(&p);
	if (p.end == PL_POINT_STOPPED)
		s->over = true;
	return batch_search_save(s, err);
}

/* The least batch with so many workers, and the largest that works; or all. */
static int search_workers(struct batch_search *s, size_t workers, struct pl_err *err)
{
	const struct batch_list *batches = &s->o->batches;
	const size_t first = batch_first(s->o, workers);

	if (first == batches->len)
		return 0;
	if (measure(s, workers, batches->n[first], err))
		return -1;
	if (!s->over && !pl_points_has(&s->points, workers, (double)batches->n[first]))
		return pl_err_set(err, PL_EPARTIAL,
				  "the job fails with %zu workers and the smallest batch", workers);
	for (size_t i = batches->len; !s->over && i-- > first + 1;) {
		if (pl_points_rule_out(&s->points, workers, (double)batches->n[i]))
			continue;
		if (measure(s, workers, batches->n[i], err))
			return -1;
		if (!s->o->full && pl_points_has(&s->points, workers, (double)batches->n[i]))
			break;
	}
	return 0;
}

static int search(struct batch_search *s, struct pl_err *err)
{
	const struct batch_list *workers = &s->o->workers;

	for (size_t i = 0; i < workers->len && !s->over; i++)
		if ((s->o->full || i == 0 || i + 1 == workers->len) &&
		    search_workers(s, (size_t)workers->n[i], err))
			return -1;
	s->over |= stopped != 0;
	return s->over ? 0 : batch_compare(s, err);
}

static void say_spent(const struct batch_search *s)
{
	double seconds, workers_s;

	batch_search_spent(s, &seconds, &workers_s);
	pl_tool_say(BATCH_TOOL, "the search took %s and $%.4g", PL_TIME_TEXT(seconds),
		    workers_s / 3600 * s->o->price);
}

int batch_run(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
	      struct pl_err *err)
{
	struct batch_search s = {.o = o, .stopped = &stopped};
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
		pl_tool_warn(BATCH_TOOL, "the search was stopped; the same command continues it if "
					 "the limits allow more jobs");
		status = PL_EXIT_PARTIAL;
	}
	pl_points_fini(&s.points);
	return status;
}

int batch_train(const struct batch_options *o, const struct pl_batch_cell *chosen,
		struct pl_err *err)
{
	const struct batch_job job = {.o = o,
				      .workers = chosen->workers,
				      .batch = (uint64_t)chosen->batch,
				      .rate = batch_rate_of(o, (uint64_t)chosen->batch),
				      .limit_s = INFINITY,
				      .stopped = &stopped};
	int status;

	pl_tool_say(BATCH_TOOL, "the training begins: %zu workers, batch %.0f", chosen->workers,
		    chosen->batch);
	if (batch_job_train(&job, &status, err))
		return -1;
	if (status)
		pl_tool_warn(BATCH_TOOL, "the training ended with status %d", status);
	return status ? PL_EXIT_PARTIAL : PL_EXIT_DONE;
}
