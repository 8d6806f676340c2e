/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - when a job on transient machines is expected to end */
#include "config.h"

#include "planner/transient/job.h"

#include "base/pace.h"

#include <math.h>

double pl_spot_steps_per_s(const struct pl_spot_job *job)
{
	double sum = 0;

	for (size_t i = 0; i < job->n_parts; i++)
		sum += (double)job->part[i].count * job->part[i].steps_per_s;
	return fmin(sum, job->most_steps_per_s);
}

double pl_spot_checkpoints(const struct pl_spot_job *job)
{
	return job->interval > 0 ? ceil(job->steps / job->interval) : 0;
}

double pl_spot_plain_s(const struct pl_spot_job *job)
{
	return job->steps / pl_spot_steps_per_s(job) + pl_spot_checkpoints(job) * job->save_s;
}

/* Equation 4 with the losses by @s; each part has its own T_p and T_s. */
static struct pl_spot_expected expect_at(const struct pl_spot_job *job, double s)
{
	struct pl_spot_expected e = {.seconds = pl_spot_plain_s(job)};

	for (size_t i = 0; i < job->n_parts; i++) {
		const struct pl_spot_part *part = &job->part[i];
		double n;

		if (!part->curve)
			continue;
		n = (double)part->count * pl_survival_lost(part->curve, s);
		e.revocations += n;
		e.seconds += n * (part->launch_s + part->join_s);
	}
	return e;
}

struct pl_spot_expected pl_spot_expect(const struct pl_spot_job *job)
{
	return expect_at(job, pl_spot_plain_s(job));
}

/* From below, each round adds to the time. It stays below that of all machines lost; behind the
 * last step of F rounds may become ever shorter. */
struct pl_spot_expected pl_spot_expect_fixed(const struct pl_spot_job *job)
{
	struct pl_spot_expected e = pl_spot_expect(job);
	double before;

	do {
		before = e.seconds;
		e = expect_at(job, before);
	} while (e.seconds > before * (1 + 1e-12));
	return e;
}

bool pl_spot_is_bound(double measured_steps_per_s, double sum_steps_per_s)
{
	static const struct pl_pace_rule rule = {
		.slower = 1 - PL_SPOT_BOUND, .faster = INFINITY, .lasts = 1, .follows = 0};
	struct pl_pace sum = {.expected = sum_steps_per_s};

	return pl_pace_see(&sum, &rule, measured_steps_per_s) == PL_PACE_SLOWER;
}
