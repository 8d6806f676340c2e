/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.c - recommend --hubs: the best choice beside each number of hubs */
#include "config.h"

#include "src/srift/recommend.h"

#include "base/mem.h"
#include "planner/srift/search/boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --hubs=auto: all numbers up to this, then powers of two. */
#define ALL_HUBS 8

static void close_case(struct srift_case *c)
{
	pl_sim_fini(&c->sim);
	srift_hub_network_fini(&c->network);
	c->is_open = false;
}

void srift_cases_fini(struct srift_cases *cases)
{
	for (size_t i = 0; i < cases->n; i++) {
		if (cases->v[i].is_open)
			close_case(&cases->v[i]);
		pl_answer_fini(&cases->v[i].answer);
	}
	free(cases->v);
	memset(cases, 0, sizeof(*cases));
}

/* Those that can be of use: each worker takes a sample at least, and hubs as many as workers. */
static void list_any(const struct srift_advice *a, struct srift_list *number)
{
	const struct srift_plans *plans = &a->network.plans;
	size_t most = a->market.hub.available;

	if (plans->n > 0 && plans->n_hubs < most)
		most = plans->n_hubs;
	if (a->q->goal.batch < most)
		most = (size_t)a->q->goal.batch;
	for (size_t n = 0; n <= most && n <= SRIFT_HUBS_MAX; n = n < ALL_HUBS ? n + 1 : 2 * n)
		number->v[number->n++] = n;
}

/* Looks for the best choice beside so many hubs. */
static int search(struct srift_advice *a, struct srift_case *c, struct pl_err *err)
{
	const struct srift_question *q = a->q;
	const struct pl_effort e = srift_effort(q);
	size_t available[PL_MARKET_TYPES_MAX];

	c->is_open = true;
	if (srift_hub_network_init(&c->network, &a->network, &q->o, &c->market, c->n_hubs, err) ||
	    pl_sim_init(&c->sim, &c->market, c->network.comm, c->network.n_comms, &q->o.iteration,
			err))
		return -1;
	if (q->eager)
		return pl_search_eager(&c->answer, &c->sim, &q->goal, q->eager, &e, err);
	pl_search_all(&c->market, available);
	return pl_search_bounded(&c->answer, &c->sim, &q->goal, available, &e, q->pareto, err);
}

/* Is the answer of @c better than that of @best, or the only one? */
static bool is_better(const struct srift_advice *a, const struct srift_case *c,
		      const struct srift_case *best)
{
	if (!best)
		return true;
	if (!c->answer.found || !best->answer.found)
		return c->answer.found;
	return pl_quote_better(&a->market, &a->q->goal, &c->answer.best, &best->answer.best);
}

/* Only the best one stays open, or the first, where none has a choice. */
static int try_case(struct srift_advice *a, struct srift_case *c, struct pl_err *err)
{
	struct srift_cases *cases = &a->cases;

	c->is_possible =
		pl_market_take_hubs(&c->market, &a->market, a->q->o.hub.machine, c->n_hubs);
	if (!c->is_possible)
		return 0;
	if (search(a, c, err))
		return -1;
	if (!is_better(a, c, cases->best)) {
		close_case(c);
		return 0;
	}
	if (cases->best)
		close_case(cases->best);
	cases->best = c;
	return 0;
}

/* Its answer, which is proved only as far as all are. */
static int take_best(struct srift_advice *a, struct pl_err *err)
{
	struct srift_cases *cases = &a->cases;
	struct pl_srift_answer *to = &a->answer;

	a->market = cases->best->market;
	*to = cases->best->answer;
	cases->best->answer.front = (struct pl_front){0};
	for (size_t i = 0; i < cases->n; i++) {
		const struct srift_case *c = &cases->v[i];
		const struct pl_srift_answer *from = &c->answer;

		if (c == cases->best || !c->is_possible)
			continue;
		to->exact &= from->exact;
		to->bound = fmin(to->bound, from->bound);
		to->programs += from->programs;
		to->work += from->work;
		to->simulated += from->simulated;
		for (size_t k = 0; k < from->front.n; k++)
			if (pl_front_add(&to->front, &from->front.quote[k]))
				return pl_err_nomem(err);
	}
	return 0;
}

int srift_cases_search(struct srift_advice *a, struct pl_err *err)
{
	struct srift_list number = a->q->o.hub.number;
	struct srift_cases *cases = &a->cases;

	if (a->q->o.hub.any)
		list_any(a, &number);
	if (number.n == 0)
		number.v[number.n++] = 0;
	cases->v = pl_array_create(number.n, sizeof(*cases->v));
	if (!cases->v)
		return pl_err_nomem(err);
	while (cases->n < number.n) {
		struct srift_case *c = &cases->v[cases->n];

		c->n_hubs = number.v[cases->n++];
		if (try_case(a, c, err))
			return -1;
	}
	if (cases->best)
		return take_best(a, err);
	return pl_err_set(err, PL_EPARTIAL,
			  "availability binds: %zu of %s can be had, fewer than --hubs",
			  a->market.hub.available, a->q->o.hub.machine);
}

const struct pl_market *srift_market_of(const struct srift_advice *a, const struct pl_quote *q)
{
	for (size_t i = 0; i < a->cases.n; i++)
		if (a->cases.v[i].n_hubs == q->choice.hubs)
			return &a->cases.v[i].market;
	return &a->market;
}

const struct srift_case *srift_case_without(const struct srift_advice *a)
{
	return a->cases.n && a->cases.v[0].n_hubs == 0 ? &a->cases.v[0] : NULL;
}
