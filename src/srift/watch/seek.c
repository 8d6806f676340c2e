/* SPDX-License-Identifier: BSD-3-Clause */
/* seek.c - machines for a job that is watched, by plink-srift recommend's search */
#include "config.h"

#include "src/srift/watch/drive.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "src/srift/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_TRIES 16

/* What is available for one search, unless base says so. */
struct supply {
	struct pl_market_limit *limit;
	size_t n_limits;
	struct pl_market_cap *cap;
	size_t n_caps;
};

static void supply_fini(struct supply *s)
{
	free(s->limit);
	free(s->cap);
	*s = (struct supply){0};
}

static int supply_init(struct supply *s, const struct pl_replan *q)
{
	*s = (struct supply){
		.limit = pl_array_create(q->up->n + 1, sizeof(*s->limit)),
		.cap = pl_array_create(q->n_excluded + 1, sizeof(*s->cap)),
	};
	if (s->limit && s->cap)
		return 0;
	supply_fini(s);
	return -1;
}

/* How many are up of a type and kind. */
static size_t count_up(const struct pl_srift_fleet *up, const char *type, bool spot)
{
	for (size_t i = 0; i < up->n; i++)
		if (up->part[i].spot == spot && strcmp(up->part[i].type, type) == 0)
			return up->part[i].count;
	return 0;
}

/* Those that are up, and no others. */
static void limit_to_up(struct supply *s, const struct pl_srift_fleet *up)
{
	for (size_t i = 0; i < up->n; i++) {
		const char *type = up->part[i].type;

		s->limit[s->n_limits++] = (struct pl_market_limit){
			.name = type,
			.len = strlen(type),
			.available = {[PL_SPOT] = count_up(up, type, true),
				      [PL_ON_DEMAND] = count_up(up, type, false)},
		};
	}
	s->limit[s->n_limits++] = (struct pl_market_limit){0};
}

/* Of a type and kind that ran out those that are up. */
static void cap_excluded(struct supply *s, const struct pl_replan *q)
{
	for (size_t i = 0; i < q->n_excluded; i++) {
		const struct pl_depleted *d = &q->excluded[i];

		s->cap[s->n_caps++] = (struct pl_market_cap){
			.name = d->type,
			.kind = d->spot ? PL_SPOT : PL_ON_DEMAND,
			.most = count_up(q->up, d->type, d->spot),
		};
	}
}

/* The choice, a part for each type and kind. */
static int take_choice(struct pl_srift_fleet *fleet, const struct srift_advice *a)
{
	const struct pl_quote *best = &a->answer.best;
	const struct pl_market *market = srift_risks_market(a);
	const struct srift_risks *r = &a->risks;

	fleet->iteration_s = best->seconds;
	if (r->n_rows) {
		fleet->mean_s = r->row[r->chosen].risk.mean_s;
		fleet->likely_s = r->row[r->chosen].risk.p_s;
	}
	for (size_t i = 0; i < market->n_types; i++) {
		const struct pl_market_type *type = &market->type[i];
		const size_t count = best->choice.count[i];

		for (size_t k = 0; count && k < type->n_stocks; k++) {
			const struct pl_market_stock *stock = &type->stock[k];
			const struct pl_fleet_part part = {
				.type = type->instance->name,
				.spot = stock->kind == PL_SPOT,
				.count = pl_market_count(type, count, stock->kind),
				.batch = type->batch[best->choice.batch[i]],
				.price_per_hour = stock->price_per_hour,
			};

			if (part.count && pl_fleet_add(fleet, &part))
				return -1;
		}
	}
	return 0;
}

static bool needs_launch(const struct pl_srift_fleet *fleet, const struct pl_srift_fleet *up)
{
	for (size_t i = 0; i < fleet->n; i++)
		if (fleet->part[i].count > count_up(up, fleet->part[i].type, fleet->part[i].spot))
			return true;
	return false;
}

static int ask(const struct srift_question *question, struct pl_srift_fleet *fleet,
	       struct pl_err *err)
{
	struct srift_advice a = {0};
	int rc = srift_recommend(&a, question, err);

	if (rc == 0 && take_choice(fleet, &a)) {
		pl_srift_fleet_fini(fleet);
		rc = pl_err_nomem(err);
	}
	srift_advice_fini(&a);
	return rc;
}

/* While machines are launched all of them cost, iterating or not: the search, which knows of
 * iterations only, is given as much less. */
static int ask_within(struct srift_question *question, const struct pl_replan *q, double wait_s,
		      struct pl_srift_fleet *fleet, struct pl_err *err)
{
	question->goal.budget = q->dollars;
	for (int i = 0; i < BUDGET_TRIES; i++) {
		double waiting, dollars;

		if (ask(question, fleet, err))
			return -1;
		waiting = pl_fleet_per_hour(fleet) * wait_s / 3600;
		dollars = waiting + pl_fleet_per_hour(fleet) * fleet->iteration_s *
					    (double)q->iterations / 3600;
		if (dollars <= q->dollars)
			return 0;
		pl_srift_fleet_fini(fleet);
		question->goal.budget =
			fmin(question->goal.budget, q->dollars - waiting) * (1 - 1e-9);
		if (!(question->goal.budget > 0))
			break;
	}
	return pl_err_set(
		err, PL_EPARTIAL,
		"the budget binds: %s are left, but launching and the iterations cost more",
		SRIFT_MONEY(q->dollars));
}

static int seek(const struct srift_question *base, const struct pl_replan *q, bool as_is,
		struct pl_srift_fleet *fleet, struct pl_err *err)
{
	const double left_s = as_is ? q->left_as_is_s : q->left_s;
	struct srift_question question = *base;
	struct supply s;
	int rc;

	if (!(left_s > 0))
		return pl_err_set(err, PL_EPARTIAL, "the time limit binds: %s are left%s",
				  PL_TIME_TEXT(left_s), as_is ? "" : " once machines are launched");
	if (!(q->dollars > 0))
		return pl_err_set(err, PL_EPARTIAL, "the budget binds: %s are left",
				  SRIFT_MONEY(q->dollars));
	if (supply_init(&s, q))
		return pl_err_nomem(err);
	if (as_is) {
		limit_to_up(&s, q->up);
		question.rule.limit = s.limit;
		question.rule.n_limits = s.n_limits;
	}
	cap_excluded(&s, q);
	question.rule.cap = s.cap;
	question.rule.n_caps = s.n_caps;
	question.o.iterations = question.goal.iterations = q->iterations;
	question.goal.time_limit_s = left_s;
	question.search_s = fmin(base->search_s, q->solve_s);
	rc = ask_within(&question, q, as_is ? 0 : q->launch_s, fleet, err);
	supply_fini(&s);
	return rc;
}

/* Seconds, or dollars, until all is done; with losses, if they are known. */
static double value(const struct srift_question *base, const struct pl_replan *q,
		    const struct pl_srift_fleet *fleet)
{
	const double wait_s = needs_launch(fleet, q->up) ? q->launch_s : 0;
	const double all_s =
		wait_s +
		(fleet->mean_s > 0 ? fleet->mean_s : fleet->iteration_s * (double)q->iterations);

	return base->goal.objective == PL_OBJECTIVE_TIME ? all_s
							 : all_s * pl_fleet_per_hour(fleet) / 3600;
}

int srift_seek(const struct srift_question *base, const struct pl_replan *q,
	       struct pl_srift_fleet *fleet, struct pl_err *err)
{
	struct pl_srift_fleet as_is = {0};
	struct pl_err why = {0};
	int rc;

	if (q->up->n && seek(base, q, true, &as_is, &why) && why.code != PL_EPARTIAL &&
	    why.code != PL_EUSAGE) {
		if (err)
			*err = why;
		return -1;
	}
	rc = seek(base, q, false, fleet, err);
	if (as_is.n == 0 || (rc && err && err->code != PL_EPARTIAL))
		return rc;
	if (rc || value(base, q, &as_is) <= value(base, q, fleet)) {
		pl_srift_fleet_fini(fleet);
		*fleet = as_is;
		return 0;
	}
	pl_srift_fleet_fini(&as_is);
	return 0;
}
