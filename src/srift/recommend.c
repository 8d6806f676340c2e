/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend.c - plink-srift recommend: which machines to rent */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/clock.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "planner/srift/search/why.h"
#include "src/common/tool.h"
#include "src/srift/units.h"
#include "src/srift/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void warn(const struct pl_catalogue *c)
{
	if (c->n_unpriced)
		srift_say("%s: instances left out because they have no Linux price: %zu, the first "
			  "%s",
			  c->file, c->n_unpriced, c->unpriced);
}

static int read_all(struct srift_advice *a, struct pl_market_rule *rule, struct pl_err *err)
{
	const struct srift_options *o = &a->q->o;

	if (srift_profile_load(&a->profile, o, err) ||
	    pl_catalogue_read(&a->catalogue, a->q->catalogue, err))
		return -1;
	warn(&a->catalogue);
	if (a->q->spot_history.n && srift_risks_read(a, rule, err))
		return -1;
	if (pl_market_init(&a->market, &a->profile, &a->catalogue, rule, err))
		return -1;
	return srift_network_read(&a->network, o, &a->market, err);
}

struct pl_effort srift_effort(const struct srift_question *q)
{
	struct pl_effort e = {.work = q->work, .deadline_ns = INT64_MAX};

	if (q->search_s < 1e9)
		e.deadline_ns = pl_clock_ns() + (int64_t)(q->search_s * 1e9);
	return e;
}

/* CAP and TAP, whatever limits they break. */
static int ask_policies(struct srift_advice *a, struct pl_sim *sim, struct pl_err *err)
{
	static const struct {
		enum pl_policy policy;
		const char *name;
	} all[] = {{PL_CAP, "CAP"}, {PL_TAP, "TAP"}};

	for (size_t i = 0; i < 2; i++) {
		struct srift_policy *p = &a->policy[i];
		int known;

		p->name = all[i].name;
		p->splits = pl_policy_choose(all[i].policy, &a->market, a->q->goal.batch,
					     &p->quote.choice);
		known = p->splits ? pl_sim_quote(sim, &p->quote, err) : 0;
		if (known < 0)
			return -1;
		p->known = known > 0;
	}
	return 0;
}

/* What the best choice waits for. */
static int take_terms(struct srift_advice *a, struct pl_sim *sim, struct pl_err *err)
{
	const struct pl_origin network =
		srift_network_origin(&a->q->o, a->answer.best.choice.hubs > 0);
	struct pl_selection_part part[PL_MARKET_TYPES_MAX];
	struct pl_selection sel = {.part = part};
	struct pl_iteration it;
	const int known = pl_sim_iterate(sim, &a->answer.best.choice, &sel, &it, err);

	if (known <= 0)
		return known;
	pl_iteration_terms(&a->terms, &it, &sel, &a->profile, &network);
	pl_iteration_fini(&it);
	return 0;
}

static void note_unknown(struct srift_advice *a, const struct pl_sim *sim)
{
	size_t from = 0, *range = a->unknown[0];

	while (a->n_unknown < SRIFT_UNKNOWN_MAX &&
	       pl_sim_next_unknown(sim, a->q->goal.batch, from, range)) {
		from = range[1] + 1;
		range = a->unknown[++a->n_unknown];
	}
}

static int tell_binding(const struct pl_why *why, const struct pl_srift_goal *goal,
			struct pl_err *err)
{
	const char *unproved =
		why->proved < why->needed ? " (the best found in that much work)" : "";

	switch (why->binding) {
	case PL_BINDS_SAMPLES:
		return pl_err_set(err, PL_EPARTIAL,
				  "availability binds: all machines together hold %.0f of %.0f "
				  "samples, %.0f too few",
				  why->limit, why->needed, why->needed - why->limit);
	case PL_BINDS_DIVISOR:
		return pl_err_set(err, PL_EPARTIAL,
				  "the batch binds: machines take multiples of %.0f samples, and "
				  "%.0f is not one: the remainder is %.0f",
				  why->limit, why->needed, fmod(why->needed, why->limit));
	case PL_BINDS_SUM:
		return pl_err_set(err, PL_EPARTIAL,
				  "the batch binds: no choice with a number of ranks for which the "
				  "network is known adds up to %" PRIu64 " samples",
				  goal->batch);
	case PL_BINDS_TIME:
		return pl_err_set(
			err, PL_EPARTIAL,
			"the time limit binds: the fastest choice takes %s%s, %s more than %s",
			PL_TIME_TEXT(why->needed), unproved, PL_TIME_TEXT(why->needed - why->limit),
			PL_TIME_TEXT(why->limit));
	case PL_BINDS_BUDGET:
		return pl_err_set(
			err, PL_EPARTIAL,
			"the budget binds: the cheapest choice costs %s%s, %s more than %s",
			SRIFT_MONEY(why->needed), unproved, SRIFT_MONEY(why->needed - why->limit),
			SRIFT_MONEY(why->limit));
	case PL_BINDS_BOTH:
		return pl_err_set(
			err, PL_EPARTIAL,
			"time limit and budget bind together: the fastest choice within the budget "
			"takes %s, %s too long; the cheapest in time costs %s, %s too much",
			PL_TIME_TEXT(why->seconds_in_budget),
			PL_TIME_TEXT(why->seconds_in_budget - goal->time_limit_s),
			SRIFT_MONEY(why->dollars_in_time),
			SRIFT_MONEY(why->dollars_in_time - goal->budget));
	default:
		return pl_err_set(err, PL_EPARTIAL,
				  "no choice was found in that much work, but there may be one: "
				  "raise --work or --search-time, or leave out --eager");
	}
}

static void add_text(struct pl_err *err, const char *text)
{
	const struct pl_err before = *err;

	pl_err_set(err, before.code, "%s%s", before.text, text);
}

/* A limit binds only the choices that were considered. */
static void add_unknown(const struct srift_advice *a, struct pl_err *err)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return;
	srift_write_unknown(a, to);
	if (fclose(to) == 0)
		add_text(err, text);
	free(text);
}

static bool is_network_given(const struct srift_options *o)
{
	return o->n_tables || o->n_plans || o->learned || o->rated_bps > 0;
}

/* Of the numbers of hubs. */
static size_t count_searched(const struct srift_cases *cases)
{
	size_t n = 0;

	for (size_t i = 0; i < cases->n; i++)
		n += cases->v[i].is_possible;
	return n;
}

static int tell_why(struct srift_advice *a, struct pl_sim *sim, struct pl_err *err)
{
	const struct pl_effort e = srift_effort(a->q);
	struct pl_why why;

	if (pl_why_none(&why, sim, &a->q->goal, &e, err))
		return -1;
	tell_binding(&why, &a->q->goal, err);
	if (why.binding == PL_BINDS_SUM && !is_network_given(&a->q->o))
		add_text(err, "; nothing is known of the network without --busbw, --model, "
			      "--matrix and --plan, or, for a rough start, --rated");
	if (why.binding == PL_BINDS_TIME || why.binding == PL_BINDS_BUDGET ||
	    why.binding == PL_BINDS_BOTH)
		add_unknown(a, err);
	if (count_searched(&a->cases) > 1)
		add_text(err, "; other numbers of hubs leave no choice, either");
	return -1;
}

int srift_recommend(struct srift_advice *a, const struct srift_question *q, struct pl_err *err)
{
	struct pl_market_rule rule = q->rule;
	struct pl_sim *sim;

	a->q = q;
	if (read_all(a, &rule, err) || srift_cases_search(a, err))
		return -1;
	sim = &a->cases.best->sim;
	note_unknown(a, sim);
	if (a->answer.found ? ask_policies(a, sim, err) : tell_why(a, sim, err))
		return -1;
	if (q->spot_history.n && srift_risks_find(a, sim, &rule, err))
		return -1;
	return take_terms(a, sim, err);
}

bool srift_interpolated(const struct srift_advice *a, const struct pl_quote *q, size_t between[2])
{
	const size_t n_ranks = pl_choice_ranks(&a->market, &q->choice);

	for (size_t i = 0; i < a->market.n_types; i++)
		if (q->choice.count[i] > 0 &&
		    srift_network_between(&a->network, i, n_ranks, between))
			return true;
	return false;
}

void srift_advice_fini(struct srift_advice *a)
{
	srift_risks_fini(&a->risks);
	pl_answer_fini(&a->answer);
	srift_cases_fini(&a->cases);
	pl_history_fini(&a->history);
	srift_network_fini(&a->network);
	pl_catalogue_fini(&a->catalogue);
	pl_profile_fini(&a->profile);
	memset(a, 0, sizeof(*a));
}

static int answer(struct srift_question *q, struct pl_err *err)
{
	struct srift_advice a = {0};
	char *region = NULL;
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, q->o.output, err);

	a.times = PL_REPLAN_TIMES;
	if (rc == 0)
		rc = srift_history_read(&a.history, &q->history, err);
	pl_history_take_times(&a.history, &a.times);
	if (rc == 0 && q->rule.region && strcmp(q->rule.region, "any") == 0)
		rc = srift_choose_region(q, &a.times, &region, err);
	if (rc == 0 && q->any.on)
		rc = srift_choose_batch(q, &a.times, err);
	if (rc == 0)
		rc = srift_recommend(&a, q, err);
	if (rc == 0)
		rc = q->o.json ? srift_advice_json(&a, out.f, err)
			       : srift_advice_text(&a, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	srift_advice_fini(&a);
	free(region);
	return rc;
}

int srift_recommend_main(int argc, char **argv)
{
	struct srift_question q;
	struct pl_err err = {0};
	int status = srift_question_parse(&q, argc, argv);

	if (status == PL_EXIT_DONE && !q.o.done) {
		if (answer(&q, &err))
			status = pl_tool_fail(SRIFT_TOOL, &err);
		else
			status = pl_tool_end_output(SRIFT_TOOL);
	}
	srift_question_fini(&q);
	return status;
}
