/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend-text.c - which machines to rent, for people */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/text/size.h"
#include "src/srift/units.h"

#include <inttypes.h>
#include <math.h>

void srift_write_choice(const struct pl_market *m, const struct pl_srift_choice *c, FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_market_type *type = &m->type[i];

		if (c->count[i] == 0)
			continue;
		fprintf(out, "%s%" PRIu32 "x%s@%" PRIu64, comma, c->count[i], type->instance->name,
			type->batch[c->batch[i]]);
		comma = ",";
	}
	if (c->hubs)
		fprintf(out, " with %" PRIu32 " hub%s", c->hubs, c->hubs == 1 ? "" : "s");
}

/* A line for each kind of the @count machines. */
static void write_stocks(const struct pl_market_type *type, const char *name, size_t count,
			 const char *what, FILE *out)
{
	for (size_t k = 0; k < type->n_stocks; k++) {
		const struct pl_market_stock *stock = &type->stock[k];
		const size_t n = pl_market_count(type, count, stock->kind);
		const char *zone = type->zone[stock->kind];

		if (n > 0)
			fprintf(out, "  %zu x %s%s%s: %s, %s an hour each%s\n", n, name,
				*zone ? " in " : "", zone,
				stock->kind == PL_SPOT ? "spot" : "on demand",
				SRIFT_MONEY(stock->price_per_hour), what);
	}
}

static void write_machines(const struct srift_advice *a, FILE *out)
{
	const struct pl_srift_choice *c = &a->answer.best.choice;
	const struct pl_market *market = srift_risks_market(a);

	for (size_t i = 0; i < market->n_types; i++)
		if (c->count[i])
			write_stocks(&market->type[i], market->type[i].instance->name, c->count[i],
				     "", out);
	if (c->hubs)
		write_stocks(&market->hub, a->q->o.hub.machine, c->hubs, ", hubs", out);
}

/* "751 s, $3.88895", and by how much that breaks limits. */
static void write_job(const struct pl_srift_goal *goal, const struct pl_quote *q, FILE *out)
{
	const double s = pl_goal_seconds(goal, q->seconds);
	const double dollars = pl_goal_dollars(goal, q->seconds, q->per_hour);

	fprintf(out, "%s, %s", PL_TIME_TEXT(s), SRIFT_MONEY(dollars));
	if (s > goal->time_limit_s)
		fprintf(out, ", %s too long", PL_TIME_TEXT(s - goal->time_limit_s));
	if (dollars > goal->budget)
		fprintf(out, ", %s too dear", SRIFT_MONEY(dollars - goal->budget));
}

static void write_limits(const struct srift_advice *a, FILE *out)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	const struct pl_quote *q = &a->answer.best;

	if (goal->time_limit_s < INFINITY)
		fprintf(out, "time limit %s, %s left\n", PL_TIME_TEXT(goal->time_limit_s),
			PL_TIME_TEXT(goal->time_limit_s - pl_goal_seconds(goal, q->seconds)));
	if (goal->budget < INFINITY)
		fprintf(out, "budget     %s, %s left\n", SRIFT_MONEY(goal->budget),
			SRIFT_MONEY(goal->budget - pl_goal_dollars(goal, q->seconds, q->per_hour)));
}

/* Of the line of a quote. */
static void write_interpolated(const struct srift_advice *a, const struct pl_quote *q, FILE *out)
{
	size_t between[2];

	if (srift_interpolated(a, q, between))
		fprintf(out, ", interpolated between %zu and %zu ranks", between[0], between[1]);
}

void srift_write_unknown(const struct srift_advice *a, FILE *out)
{
	for (size_t i = 0; i < a->n_unknown; i++) {
		const size_t *n = a->unknown[i];

		fprintf(out, i ? ", " : ", but for choices of ");
		if (n[0] == n[1])
			fprintf(out, "%zu", n[0]);
		else
			fprintf(out, "%zu to %zu", n[0], n[1]);
	}
	if (a->n_unknown)
		fprintf(out, " ranks, for which the network is not known");
}

static void write_proof(const struct srift_advice *a, FILE *out)
{
	const struct pl_srift_answer *v = &a->answer;
	const struct pl_srift_goal *goal = &a->q->goal;
	const bool by_time = goal->objective == PL_OBJECTIVE_TIME;
	const double value = pl_goal_value(goal, v->best.seconds, v->best.per_hour);
	const char *when = srift_risks_has_losses(a) ? "without losses, " : "";

	if (v->exact)
		fprintf(out, "proof      %sno choice is %s", when, by_time ? "faster" : "cheaper");
	else
		fprintf(out, "proof      %sno choice is below %s, %.3g %% less", when,
			by_time ? PL_TIME_TEXT(v->bound) : SRIFT_MONEY(v->bound),
			value > 0 ? 100 * (1 - v->bound / value) : 0);
	srift_write_unknown(a, out);
	fprintf(out, "; %" PRIu64 " choices simulated, %" PRIu64 " units of work\n", v->simulated,
		v->work);
	if (v->programs)
		fprintf(out,
			"           the choice by %s, the bound by %s; %" PRIu64
			" integer programmes\n",
			v->by_program ? "an integer programme" : "the search",
			v->by_boxes ? "compute time and ranks" : "the search", v->programs);
}

static void write_policy(const struct srift_advice *a, const struct srift_policy *p, FILE *out)
{
	fprintf(out, "%-10s ", p->name);
	if (!p->splits) {
		fprintf(out, "cannot distribute the samples\n");
		return;
	}
	srift_write_choice(&a->market, &p->quote.choice, out);
	fprintf(out, ": ");
	if (p->known)
		write_job(&a->q->goal, &p->quote, out);
	else
		fprintf(out, "the network is not known for so many ranks");
	write_interpolated(a, &p->quote, out);
	fputc('\n', out);
}

static void write_front(const struct srift_advice *a, FILE *out)
{
	const struct pl_front *front = &a->answer.front;

	fprintf(out, "seconds and dollars of choices that no other one beats in both%s\n",
		a->answer.exact ? "" : ", as far as it was searched");
	for (size_t i = 0; i < front->n; i++) {
		const struct pl_quote *q = &front->quote[i];

		fprintf(out, "  %s %s ", PL_TIME_TEXT(pl_goal_seconds(&a->q->goal, q->seconds)),
			SRIFT_MONEY(pl_goal_dollars(&a->q->goal, q->seconds, q->per_hour)));
		srift_write_choice(srift_market_of(a, q), &q->choice, out);
		write_interpolated(a, q, out);
		fputc('\n', out);
	}
}

/* The best with hubs, of those within the limits. */
static const struct srift_case *best_with(const struct srift_advice *a)
{
	const struct srift_case *best = NULL;

	for (size_t i = 0; i < a->cases.n; i++) {
		const struct srift_case *c = &a->cases.v[i];

		if (c->n_hubs && c->answer.found &&
		    (!best ||
		     pl_quote_better(&a->market, &a->q->goal, &c->answer.best, &best->answer.best)))
			best = c;
	}
	return best;
}

/* "costs 12.3 % less than", by the objective. */
static void write_difference(const struct srift_advice *a, const struct pl_quote *q,
			     const struct pl_quote *other, FILE *out)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	const double v = pl_goal_value(goal, q->seconds, q->per_hour);
	const double w = pl_goal_value(goal, other->seconds, other->per_hour);

	fprintf(out, "%s ", goal->objective == PL_OBJECTIVE_TIME ? "takes" : "costs");
	if (w > 0 && v != w)
		fprintf(out, "%.3g %% %s than", 100 * fabs(v / w - 1), v < w ? "less" : "more");
	else
		fprintf(out, "as much as");
}

static void write_verdict(const struct srift_advice *a, FILE *out)
{
	const struct srift_case *without = srift_case_without(a);
	const struct srift_case *with = best_with(a);
	const struct pl_quote *best = &a->answer.best;

	if (best->choice.hubs > 0) {
		fprintf(out, "%" PRIu32 " of %s", best->choice.hubs, a->q->o.hub.machine);
		if (!without)
			return;
		if (!without->answer.found) {
			fprintf(out, ": no choice without them is within the limits");
			return;
		}
		fprintf(out, ": the job ");
		write_difference(a, best, &without->answer.best, out);
		fprintf(out, " without");
	} else if (with) {
		fprintf(out, "gain nothing: with %zu the job ", with->n_hubs);
		write_difference(a, &with->answer.best, best, out);
		fprintf(out, " without");
	} else {
		fprintf(out, "gain nothing: no choice with them is within the limits");
	}
}

/* What they gain, and the best choice beside each number of them. */
static void write_hubs(const struct srift_advice *a, FILE *out)
{
	if (a->cases.n == 1 && srift_case_without(a))
		return;
	fprintf(out, "hubs       ");
	write_verdict(a, out);
	fputc('\n', out);
	for (size_t i = 0; i < a->cases.n; i++) {
		const struct srift_case *c = &a->cases.v[i];

		fprintf(out, "  %-8zu ", c->n_hubs);
		if (c->answer.found) {
			srift_write_choice(&c->market, &c->answer.best.choice, out);
			fprintf(out, ": ");
			write_job(&a->q->goal, &c->answer.best, out);
		} else {
			fprintf(out, "%s",
				c->is_possible ? "no choice within the limits"
					       : "more than there are");
		}
		fputc('\n', out);
	}
}

int srift_advice_text(const struct srift_advice *a, FILE *out, struct pl_err *err)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	const struct pl_quote *q = &a->answer.best;

	fprintf(out, "choice     ");
	srift_write_choice(&a->market, &q->choice, out);
	fputc('\n', out);
	if (a->q->n_regions)
		fprintf(out, "region     %s, the best of %zu\n", a->q->rule.region,
			a->q->n_regions);
	if (a->q->any.on)
		srift_write_batch(&a->q->any, out);
	write_machines(a, out);
	fprintf(out, "iteration  %s (%zu draws, seed %" PRIu64 "), %s for 1000, at %s an hour",
		PL_TIME_TEXT(q->seconds), a->q->o.iteration.draws, a->q->o.iteration.seed,
		SRIFT_MONEY(1000 * q->seconds * q->per_hour / 3600), SRIFT_MONEY(q->per_hour));
	write_interpolated(a, q, out);
	fputc('\n', out);
	srift_terms_write(&a->terms, q->choice.hubs > 0, out);
	fprintf(out, "job        ");
	write_job(goal, q, out);
	fprintf(out, " for %" PRIu64 " iterations of %" PRIu64 " samples\n", goal->iterations,
		goal->batch);
	srift_write_rated(&a->q->o, out);
	fprintf(out, "launch     ");
	srift_write_launch(&a->times, out);
	fprintf(out, ", before the iterations\n");
	write_limits(a, out);
	if (a->risks.chosen == 0)
		write_proof(a, out);
	else
		fprintf(out, "proof      none: the best with losses of the choices below\n");
	write_hubs(a, out);
	for (size_t i = 0; i < 2; i++)
		write_policy(a, &a->policy[i], out);
	srift_write_history(&a->history, out);
	srift_write_risks(a, out);
	if (a->q->pareto)
		write_front(a, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}
