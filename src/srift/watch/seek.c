/* SPDX-License-Identifier: BSD-3-Clause */
/* seek.c - machines for a job that is watched, by plink-srift recommend's
 * search */
#include "config.h"

#include "src/srift/watch/drive.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_TRIES 16

/* What is available for one search. */
struct supply {
	struct pl_market_limit *limit;
	size_t n_limits;
	const char **excluded;
	size_t n_excluded;
};

static void supply_fini(struct supply *s)
{
	free(s->limit);
	free(s->excluded);
	*s = (struct supply){0};
}

static int supply_init(struct supply *s, const struct srift_question *base,
		       const struct pl_replan *q)
{
	*s = (struct supply){
		.limit = pl_array_create(base->rule.n_limits + 1 + q->up->n +
						 q->n_excluded,
					 sizeof(*s->limit)),
		.excluded =
			pl_array_create(base->rule.n_excluded + q->n_excluded,
					sizeof(*s->excluded)),
	};
	if (s->limit && s->excluded)
		return 0;
	supply_fini(s);
	return -1;
}

/* How many are up of a type and kind. */
static size_t count_up(const struct pl_srift_fleet *up, const char *type,
		       bool spot)
{
	for (size_t i = 0; i < up->n; i++)
		if (up->part[i].spot == spot &&
		    strcmp(up->part[i].type, type) == 0)
			return up->part[i].count;
	return 0;
}

static bool has_limit(const struct supply *s, const char *name, size_t len)
{
	for (size_t i = 0; i < s->n_limits; i++)
		if (s->limit[i].name && s->limit[i].len == len &&
		    memcmp(s->limit[i].name, name, len) == 0)
			return true;
	return false;
}

static bool is_excluded(const struct supply *s, const char *name)
{
	for (size_t i = 0; i < s->n_excluded; i++)
		if (strcmp(s->excluded[i], name) == 0)
			return true;
	return false;
}

/* Of that type those that are up, and no more. */
static void limit_to_up(struct supply *s, const struct pl_srift_fleet *up,
			const char *type)
{
	const size_t spot = count_up(up, type, true),
		     on_demand = count_up(up, type, false), len = strlen(type);

	if (spot + on_demand == 0) {
		if (!is_excluded(s, type))
			s->excluded[s->n_excluded++] = type;
	} else if (!has_limit(s, type, len)) {
		s->limit[s->n_limits++] = (struct pl_market_limit){
			.name = type,
			.len = len,
			.available =
				{[PL_SPOT] = spot, [PL_ON_DEMAND] = on_demand},
		};
	}
}

/* What base says, but for types that ran out; or, with @as_is, none but what is
 * up. */
static void fill(struct supply *s, const struct srift_question *base,
		 const struct pl_replan *q, bool as_is)
{
	for (size_t i = 0; i < base->rule.n_excluded; i++)
		s->excluded[s->n_excluded++] = base->rule.excluded[i];
	for (size_t i = 0; i < q->n_excluded; i++)
		limit_to_up(s, q->up, q->excluded[i]);
	for (size_t i = 0; as_is && i < q->up->n; i++)
		limit_to_up(s, q->up, q->up->part[i].type);
	if (as_is) {
		s->limit[s->n_limits++] = (struct pl_market_limit){0};
		return;
	}
	for (size_t i = 0; i < base->rule.n_limits; i++) {
		const struct pl_market_limit *l = &base->rule.limit[i];

		if (!l->name || !has_limit(s, l->name, l->len))
			s->limit[s->n_limits++] = *l;
	}
}

/* The choice, a part for each type and kind. */
static int take_choice(struct pl_srift_fleet *fleet,
		       const struct srift_advice *a)
{
	const struct pl_quote *best = &a->answer.best;

	fleet->iteration_s = best->seconds;
	for (size_t i = 0; i < a->market.n_types; i++) {
		const struct pl_market_type *type = &a->market.type[i];
		const size_t count = best->choice.count[i];

		for (size_t k = 0; count && k < type->n_stocks; k++) {
			const struct pl_market_stock *stock = &type->stock[k];
			const struct pl_fleet_part part = {
				.type = type->instance->name,
				.spot = stock->kind == PL_SPOT,
				.count = pl_market_count(type, count,
							 stock->kind),
				.batch = type->batch[best->choice.batch[i]],
				.price_per_hour = stock->price_per_hour,
			};

			if (part.count && pl_fleet_add(fleet, &part))
				return -1;
		}
	}
	return 0;
}

static bool needs_launch(const struct pl_srift_fleet *fleet,
			 const struct pl_srift_fleet *up)
{
	for (size_t i = 0; i < fleet->n; i++)
		if (fleet->part[i].count >
		    count_up(up, fleet->part[i].type, fleet->part[i].spot))
			return true;
	return false;
}

static int ask(const struct srift_question *question,
	       struct pl_srift_fleet *fleet, struct pl_err *err)
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

/* While machines are launched all of them cost, iterating or not: the search,
 * which knows of iterations only, is given as much less. */
static int ask_within(struct srift_question *question,
		      const struct pl_replan *q, double wait_s,
		      struct pl_srift_fleet *fleet, struct pl_err *err)
{
	question->goal.budget = q->dollars;
	for (int i = 0; i < BUDGET_TRIES; i++) {
		double waiting, dollars;

		if (ask(question, fleet, err))
			return -1;
		waiting = pl_fleet_per_hour(fleet) * wait_s / 3600;
		dollars = waiting + pl_fleet_per_hour(fleet) *
					    fleet->iteration_s *
					    (double)q->iterations / 3600;
		if (dollars <= q->dollars)
			return 0;
		pl_srift_fleet_fini(fleet);
		question->goal.budget =
			fmin(question->goal.budget, q->dollars - waiting) *
			(1 - 1e-9);
		if (!(question->goal.budget > 0))
			break;
	}
	return pl_err_set(err, PL_EPARTIAL,
			  "the budget binds: $%.6g are left, but launching and "
			  "the iterations cost more",
			  q->dollars);
}

static int seek(const struct srift_question *base, const struct pl_replan *q,
		bool as_is, struct pl_srift_fleet *fleet, struct pl_err *err)
{
	const double left_s = as_is ? q->left_as_is_s : q->left_s;
	struct srift_question question = *base;
	struct supply s;
	int rc;

	if (!(left_s > 0))
		return pl_err_set(err, PL_EPARTIAL,
				  "the time limit binds: %.6g s are left%s",
				  left_s,
				  as_is ? "" : " once machines are launched");
	if (!(q->dollars > 0))
		return pl_err_set(err, PL_EPARTIAL,
				  "the budget binds: $%.6g are left",
				  q->dollars);
	if (supply_init(&s, base, q))
		return pl_err_nomem(err);
	fill(&s, base, q, as_is);
	question.rule.limit = s.limit;
	question.rule.n_limits = s.n_limits;
	question.rule.excluded = s.excluded;
	question.rule.n_excluded = s.n_excluded;
	question.o.iterations = question.goal.iterations = q->iterations;
	question.goal.time_limit_s = left_s;
	question.search_s = fmin(base->search_s, q->solve_s);
	rc = ask_within(&question, q, as_is ? 0 : q->launch_s, fleet, err);
	supply_fini(&s);
	return rc;
}

/* Seconds, or dollars, until all is done. */
static double value(const struct srift_question *base,
		    const struct pl_replan *q,
		    const struct pl_srift_fleet *fleet)
{
	const double wait_s = needs_launch(fleet, q->up) ? q->launch_s : 0;
	const double all_s =
		wait_s + fleet->iteration_s * (double)q->iterations;

	return base->goal.objective == PL_OBJECTIVE_TIME
		       ? all_s
		       : all_s * pl_fleet_per_hour(fleet) / 3600;
}

int srift_seek(const struct srift_question *base, const struct pl_replan *q,
	       struct pl_srift_fleet *fleet, struct pl_err *err)
{
	struct pl_srift_fleet as_is = {0};
	struct pl_err why = {0};
	int rc;

	if (q->up->n && seek(base, q, true, &as_is, &why) &&
	    why.code != PL_EPARTIAL && why.code != PL_EUSAGE) {
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
