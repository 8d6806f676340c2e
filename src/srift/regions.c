/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - recommend --region=any: in which region of the catalogue? */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "src/srift/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds or dollars of the answer, in the mean with losses if they count. */
static double value(const struct srift_advice *a)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	const struct pl_quote *best = &a->answer.best;
	const struct srift_risks *r = &a->risks;
	const bool by_time = goal->objective == PL_OBJECTIVE_TIME;

	if (r->n_rows)
		return by_time ? r->row[r->chosen].risk.mean_s
			       : r->row[r->chosen].risk.mean_dollars;
	return by_time ? pl_goal_seconds(goal, best->seconds)
		       : pl_goal_dollars(goal, best->seconds, best->per_hour);
}

static void tell(const struct srift_advice *a, const char *what, double v)
{
	srift_say("%s: %s", what,
		  a->q->goal.objective == PL_OBJECTIVE_TIME ? PL_TIME_TEXT(v) : SRIFT_MONEY(v));
}

int srift_try(const struct srift_question *q, const struct pl_replan_times *times, const char *what,
	      double *v, struct pl_err *err)
{
	struct srift_advice a = {.times = *times};
	struct srift_question own = *q;
	int rc = 0;

	*v = NAN;
	if (own.any.on && own.goal.batch == 0)
		rc = srift_choose_batch(&own, times, err);
	if (rc == 0)
		rc = srift_recommend(&a, &own, err);
	if (rc == 0) {
		*v = value(&a);
		tell(&a, what, *v);
	} else if (err->code == PL_EPARTIAL || err->code == PL_EUSAGE) {
		srift_say("%s: %s", what, err->text);
		rc = 0;
	}
	srift_advice_fini(&a);
	return rc;
}

static bool is_first(const struct pl_catalogue *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(c->offer[k].region, c->offer[i].region) == 0)
			return false;
	return true;
}

static void go_to(struct srift_question *q, const char *region)
{
	q->rule.region = region;
	if (!q->rule.zone)
		q->o.near = region;
}

static int try_all(struct srift_question *q, const struct pl_catalogue *c,
		   const struct pl_replan_times *times, char **best, struct pl_err *err)
{
	double least = INFINITY, v;
	char what[128];

	for (size_t i = 0; i < c->n; i++) {
		const char *region = c->offer[i].region;

		if (!is_first(c, i))
			continue;
		go_to(q, region);
		snprintf(what, sizeof(what), "region %s", region);
		if (srift_try(q, times, what, &v, err))
			return -1;
		q->n_regions++;
		if (!(v < least))
			continue;
		least = v;
		free(*best);
		*best = pl_string_copy(region, strlen(region));
		if (!*best)
			return pl_err_nomem(err);
	}
	return 0;
}

int srift_choose_region(struct srift_question *q, const struct pl_replan_times *times,
			char **region, struct pl_err *err)
{
	struct pl_catalogue c = {0};
	int rc = pl_catalogue_read(&c, q->catalogue, err);

	if (rc == 0)
		rc = try_all(q, &c, times, region, err);
	if (rc == 0 && !*region)
		rc = pl_err_set(err, PL_EPARTIAL, "none of %zu regions has a choice", q->n_regions);
	go_to(q, *region);
	pl_catalogue_fini(&c);
	return rc;
}
