/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.c - recommend --spot-history: choices of machines, some of which are taken away */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "src/srift/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT 100
#define ROUNDING 1e-9 /* of means of replays */

void srift_risks_fini(struct srift_risks *r)
{
	pl_lifetimes_fini(&r->lives);
	free(r->cap);
	free(r->row);
	memset(r, 0, sizeof(*r));
}

/* Does the catalogue have it as a spot machine? */
static bool is_offered(const struct pl_catalogue *c, const char *type)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->offer[i].instance, type) == 0 && !isnan(c->offer[i].price[PL_SPOT]))
			return true;
	return false;
}

static void take_price(struct pl_catalogue *c, const char *type, double price)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->offer[i].instance, type) == 0 && !isnan(c->offer[i].price[PL_SPOT]))
			c->offer[i].price[PL_SPOT] = price;
}

/* What the files tell of a type. */
static int take_type(struct srift_advice *a, const char *type, struct pl_market_rule *rule,
		     struct pl_err *err)
{
	struct srift_risks *r = &a->risks;
	const struct pl_life_group *g;
	size_t n;

	if (!is_offered(&a->catalogue, type))
		return 0;
	g = pl_lifetimes_find(&r->lives, type, rule->region, &n);
	if (n > 1 && !pl_lifetimes_want(&r->lives, type, rule->region, err))
		return -1;
	if (!g || g->n == 0) {
		srift_say("no lifetime of %s is recorded: it is not considered as a spot machine",
			  type);
		r->cap[rule->n_caps++] = (struct pl_market_cap){type, PL_SPOT, 0};
		return 0;
	}
	if (g->n_lost == 0)
		srift_say("none of %zu machines %s was lost: taken to stay%s", g->n, type,
			  r->lives.limit_s > 0 ? " until the provider's limit" : "");
	if (g->prices.n)
		take_price(&a->catalogue, type, pl_prices_mean(&g->prices));
	return 0;
}

/* That a checkpoint takes: as given, or of the profile. NaN: not known. */
static double save_s(const struct srift_advice *a)
{
	const struct pl_profile_number *number =
		pl_profile_number_find(&a->profile.numbers, "checkpoint_s", NULL);

	return isnan(a->q->save_s) && number ? number->value : a->q->save_s;
}

int srift_risks_read(struct srift_advice *a, struct pl_market_rule *rule, struct pl_err *err)
{
	const struct srift_question *q = a->q;
	struct srift_risks *r = &a->risks;

	if (isnan(save_s(a)))
		return pl_err_set(err, PL_EUSAGE,
				  "--spot-history and --save go together, if the profile has no "
				  "checkpoint_s");
	for (size_t i = 0; i < q->spot_history.n; i++)
		if (pl_lifetimes_read(&r->lives, q->spot_history.file[i], err))
			return -1;
	r->cap = pl_array_create(a->profile.n_instances + rule->n_caps, sizeof(*r->cap));
	if (!r->cap)
		return pl_err_nomem(err);
	for (size_t i = 0; i < rule->n_caps; i++)
		r->cap[i] = rule->cap[i];
	rule->cap = r->cap;
	for (size_t i = 0; i < a->profile.n_instances; i++)
		if (take_type(a, a->profile.instance[i].name, rule, err))
			return -1;
	return 0;
}

/* The same types at the same places, none of them as a spot machine. False: there are none on
 * demand, or the market has no others. */
static bool make_on_demand(struct pl_market *to, const struct srift_advice *a,
			   const struct pl_market_rule *rule)
{
	struct pl_market_rule only = *rule;
	struct pl_market found;

	only.refused[PL_SPOT] = true;
	if (rule->refused[PL_SPOT] || rule->refused[PL_ON_DEMAND] ||
	    pl_market_init(&found, &a->profile, &a->catalogue, &only, NULL))
		return false;
	*to = a->market;
	for (size_t i = 0; i < to->n_types; i++) {
		to->type[i].available = 0;
		for (size_t k = 0; k < found.n_types; k++)
			if (found.type[k].instance == to->type[i].instance)
				to->type[i] = found.type[k];
	}
	return true;
}

/* Adds to @front the choices that no other one beats. */
static int search_front(struct pl_srift_answer *front, struct pl_sim *sim,
			const struct srift_question *q, struct pl_err *err)
{
	const struct pl_effort e = srift_effort(q);
	size_t available[PL_MARKET_TYPES_MAX];

	pl_search_all(sim->market, available);
	return pl_search(front, sim, &q->goal, available, &e, true, err);
}

static int search_on_demand(struct pl_srift_answer *front, const struct srift_advice *a,
			    struct pl_err *err)
{
	struct pl_sim sim;
	int rc;

	if (pl_sim_init(&sim, &a->risks.on_demand, a->network.comm, a->network.n_comms,
			&a->q->o.iteration, err))
		return -1;
	rc = search_front(front, &sim, a->q, err);
	pl_sim_fini(&sim);
	return rc;
}

static int add_row(struct srift_advice *a, const struct pl_risks *risks,
		   const struct pl_quote *quote, bool on_demand, struct pl_err *err)
{
	struct srift_risks *r = &a->risks;
	const struct pl_srift_goal *goal = &a->q->goal;
	struct srift_row *row = &r->row[r->n_rows];

	*row = (struct srift_row){.quote = *quote, .on_demand = on_demand};
	if (pl_risk_find(&row->risk, risks, goal, quote, on_demand, err))
		return -1;
	row->allowed = row->risk.p_s <= goal->time_limit_s && row->risk.p_dollars <= goal->budget &&
		       isfinite(row->risk.mean_s);
	r->n_rows++;
	return 0;
}

/* Choices of the fronts but for those of a row before: the first of all, or, among @on_demand, one
 * without spot machines. */
static int add_rows(struct srift_advice *a, const struct pl_risks *risks,
		    const struct pl_front *front, const struct pl_front *others, struct pl_err *err)
{
	const struct pl_quote *best = &a->answer.best;
	struct srift_risks *r = &a->risks;

	r->row = pl_array_create(front->n + others->n + 1, sizeof(*r->row));
	if (!r->row)
		return pl_err_nomem(err);
	if (add_row(a, risks, best, false, err))
		return -1;
	for (size_t i = 0; i < front->n; i++) {
		if (memcmp(&front->quote[i].choice, &best->choice, sizeof(best->choice)) == 0)
			continue;
		if (add_row(a, risks, &front->quote[i], false, err))
			return -1;
		if (others->n && r->row[r->n_rows - 1].risk.n_spot == 0)
			r->n_rows--;
	}
	for (size_t i = 0; i < others->n; i++)
		if (add_row(a, risks, &others->quote[i], true, err))
			return -1;
	return 0;
}

static double value(const struct srift_advice *a, const struct srift_row *row)
{
	return a->q->goal.objective == PL_OBJECTIVE_TIME ? row->risk.mean_s
							 : row->risk.mean_dollars;
}

static int choose(struct srift_advice *a, struct pl_err *err)
{
	struct srift_risks *r = &a->risks;
	double least_s = INFINITY, least_dollars = INFINITY;

	r->chosen = r->n_rows;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct srift_row *row = &r->row[i];

		least_s = fmin(least_s, row->risk.p_s);
		least_dollars = fmin(least_dollars, row->risk.p_dollars);
		if (row->allowed && (r->chosen == r->n_rows ||
				     value(a, row) < (1 - ROUNDING) * value(a, &r->row[r->chosen])))
			r->chosen = i;
	}
	if (r->chosen == r->n_rows)
		return pl_err_set(
			err, PL_EPARTIAL,
			"of %zu choices none keeps the limits in %.4g %% of the replays: in so "
			"many the fastest takes up to %s, the cheapest costs up to %s",
			r->n_rows, PERCENT * r->rules.p, PL_TIME_TEXT(least_s),
			SRIFT_MONEY(least_dollars));
	a->answer.best = r->row[r->chosen].quote;
	return 0;
}

int srift_risks_find(struct srift_advice *a, struct pl_sim *sim, const struct pl_market_rule *rule,
		     struct pl_err *err)
{
	const struct srift_question *q = a->q;
	struct srift_risks *r = &a->risks;
	struct pl_srift_answer front = {0}, others = {0};
	struct pl_risks risks = {0};
	int rc;

	r->rules = (struct pl_risk_rules){
		.launch_s = a->times.launch_s,
		.save_s = save_s(a),
		.p = q->confidence,
		.n_replays = SRIFT_REPLAYS,
		.seed = q->o.iteration.seed,
	};
	rc = pl_risks_init(&risks, &a->market, &r->lives, rule->region, &r->rules, err);
	if (rc == 0)
		rc = search_front(&front, sim, q, err);
	if (rc == 0 && make_on_demand(&r->on_demand, a, rule))
		rc = search_on_demand(&others, a, err);
	if (rc == 0)
		rc = add_rows(a, &risks, &front.front, &others.front, err);
	if (rc == 0)
		rc = choose(a, err);
	pl_answer_fini(&front);
	pl_answer_fini(&others);
	pl_risks_fini(&risks);
	return rc;
}

const struct pl_market *srift_risks_market(const struct srift_advice *a)
{
	const struct srift_risks *r = &a->risks;

	return r->n_rows && r->row[r->chosen].on_demand ? &r->on_demand : &a->market;
}

bool srift_risks_has_losses(const struct srift_advice *a)
{
	const struct srift_risks *r = &a->risks;

	return r->n_rows && (r->chosen > 0 || r->row[0].risk.losses > 0);
}
