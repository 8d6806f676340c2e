/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c - how often a job should save its work */
#include "config.h"

#include "planner/transient/interval.h"

#include <math.h>

#define COARSE 8 /* half octaves to each side */
#define FINE 3   /* eighths of an octave to each side */

double pl_spot_between_s(const struct pl_spot_job *job)
{
	double sum = 0;

	for (size_t i = 0; i < job->n_parts; i++)
		if (job->part[i].curve)
			sum += (double)job->part[i].count / pl_survival_mean_s(job->part[i].curve);
	return 1 / sum;
}

double pl_interval_young_s(double save_s, double between_s)
{
	return sqrt(2 * save_s * between_s);
}

double pl_interval_daly_s(double save_s, double between_s)
{
	const double x = save_s / (2 * between_s);

	if (x >= 1)
		return between_s;
	return sqrt(2 * save_s * between_s) * (1 + sqrt(x) / 3 + x / 9) - save_s;
}

/* Whole steps that can be computed in @s. */
static double to_steps(const struct pl_spot_job *job, double s)
{
	const double steps = round(s * pl_spot_steps_per_s(job));

	return fmin(fmax(steps, 1), job->steps);
}

struct search {
	const struct pl_spot_job *job;
	size_t n;
	uint64_t seed;
	struct pl_err *err;
};

static int try_steps(const struct search *s, double steps, struct pl_interval *out)
{
	struct pl_spot_job job = *s->job;
	struct pl_replays r = {0};

	job.interval = steps;
	if (pl_replay(&r, &job, s->n, s->seed, s->err))
		return -1;
	*out = (struct pl_interval){steps, r.mean_s, r.n_ended};
	pl_replays_fini(&r);
	return 0;
}

static bool is_better(const struct pl_interval *a, const struct pl_interval *b)
{
	if (a->n_ended != b->n_ended)
		return a->n_ended > b->n_ended;
	return a->mean_s < b->mean_s;
}

/* Tries @center * 2^(i / octave) for |i| <= @each_side. */
static int look_around(const struct search *s, double center, int each_side, int octave,
		       struct pl_interval *best)
{
	double before = 0;

	for (int i = -each_side; i <= each_side; i++) {
		const double steps =
			fmin(fmax(round(center * exp2((double)i / octave)), 1), s->job->steps);
		struct pl_interval tried;

		if (steps == before)
			continue;
		if (try_steps(s, steps, &tried))
			return -1;
		if (is_better(&tried, best))
			*best = tried;
		before = steps;
	}
	return 0;
}

int pl_interval_search(struct pl_intervals *found, const struct pl_spot_job *job, size_t n,
		       uint64_t seed, struct pl_err *err)
{
	const struct search s = {job, n, seed, err};
	const double between_s = pl_spot_between_s(job);

	*found = (struct pl_intervals){.between_s = between_s};
	if (try_steps(&s, to_steps(job, pl_interval_young_s(job->save_s, between_s)),
		      &found->young) ||
	    try_steps(&s, to_steps(job, pl_interval_daly_s(job->save_s, between_s)), &found->daly))
		return -1;
	found->best = is_better(&found->daly, &found->young) ? found->daly : found->young;
	if (isinf(between_s) || job->save_s == 0)
		return 0;
	if (look_around(&s, found->young.steps, COARSE, 2, &found->best))
		return -1;
	return look_around(&s, found->best.steps, FINE, 8, &found->best);
}
