/* SPDX-License-Identifier: BSD-3-Clause */
/* promise.c - the order for a workload, and the seconds that its calls will take */
/*
 * The solver knows costs of hops; the predictor knows seconds, and is too slow to search with. So a
 * few orders are found by hops, for all calls together and for each kind apart, and the predictor
 * chooses among them and the given one.
 */
#include "config.h"

#include "order/calls/promise.h"

#include "base/mem.h"
#include "order/calls/blend.h"
#include "order/calls/candidates.h"
#include "order/calls/risk.h"
#include "order/first.h"
#include "order/solve-parts.h"
#include "solver/order/order-search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often weights are raised when an order is slower at some size. */
#define ROUNDS 3
#define RAISE 4.0

/* Half of --moves is for the first search, an eighth for the searches by single kinds of calls
 * together, a sixteenth for each of ROUNDS and MORE. Without --moves the first search has the usual
 * number, but at most this one, and the others the same shares of it. */
#define PARTS_SHARE 4
#define OTHERS_SHARE 8
#define MOVES_MAX 60000

/* The number of extra searches, with other random numbers, for at most so many hosts. */
#define MORE 3
#define MORE_HOSTS 32

/* What was weighed of an order. */
struct verdict {
	bool known, in_seconds;
	struct pl_order_risk risk;
};

struct work {
	struct pl_order_promise *p;
	struct pl_order_result *r;
	const struct pl_order_input *in;
	const struct pl_order_request *q;
	const struct pl_stop *stop;
	struct pl_order_blend blend;
	struct pl_order_candidates orders;
	struct pl_order_odds odds;
	struct verdict *verdict; /* [n_verdicts] by order */
	size_t n_verdicts;
	size_t keeper;  /* the best order that is allowed; SIZE_MAX: none is */
	size_t loser;   /* one that would be better than that and is not; SIZE_MAX: there is none */
	double *weight; /* [blend.n_parts] */
	uint64_t n_more;    /* extra searches for orders of the same cost */
	bool given_allowed; /* may the given order be written? */
};

void pl_order_promise_fini(struct pl_order_promise *p)
{
	pl_order_workload_fini(&p->w);
	free(p->call);
	memset(p, 0, sizeof(*p));
}

bool pl_order_loses(const struct pl_order_promise *p)
{
	for (size_t i = 0; i < p->w.n; i++)
		if (p->call[i].found > p->call[i].given * (1 + PL_ORDER_SLOWER / 100))
			return true;
	return false;
}

size_t pl_order_largest(const struct pl_order_promise *p)
{
	size_t largest = 0;

	for (size_t i = 1; i < p->w.n; i++)
		if (p->w.v[i].what.bytes > p->w.v[largest].what.bytes)
			largest = i;
	return largest;
}

/* The ratio of a call's time in an order to another time of that call. */
static double part_of(const struct work *w, size_t order, size_t call, double time)
{
	return time > 0 ? pl_order_candidate_time(&w->orders, order, call) / time : 1;
}

/* The same ratio to its time in the given order. */
static double ratio(const struct work *w, size_t order, size_t call)
{
	return part_of(w, order, call, pl_order_candidate_time(&w->orders, 0, call));
}

/* The sum of all calls by their weights, each relative to its lowest known time. */
static double score(const struct work *w, size_t order)
{
	double sum = 0;

	for (size_t i = 0; i < w->p->w.n; i++)
		sum += w->p->w.v[i].weight *
		       part_of(w, order, i, pl_order_candidate_least(&w->orders, i));
	return sum;
}

/* How much less time its calls take than in the given order, in percent. */
static double gain(const struct work *w, size_t order)
{
	double sum = 0;

	for (size_t i = 0; i < w->p->w.n; i++)
		sum += w->p->w.v[i].weight * (1 - ratio(w, order, i));
	return 100 * sum;
}

/* A verdict on each order that was predicted. */
static int add_verdicts(struct work *w, struct pl_err *err)
{
	struct verdict *v = realloc(w->verdict, w->orders.n * sizeof(*v));

	if (!v)
		return pl_err_nomem(err);
	w->verdict = v;
	while (w->n_verdicts < w->orders.n)
		v[w->n_verdicts++] = (struct verdict){0};
	return 0;
}

static int weigh(struct work *w, size_t order, struct pl_err *err)
{
	struct verdict *v = &w->verdict[order];

	if (v->known && v->in_seconds == w->orders.in_seconds)
		return 0;
	if (pl_order_weigh(&w->odds, &w->orders, order, &v->risk, err)) {
		if (err->code != PL_EPARTIAL)
			return -1;
		*err = (struct pl_err){.code = PL_OK};
		if (pl_order_candidates_fall_back(&w->orders, "interrupted", err) ||
		    pl_order_weigh(&w->odds, &w->orders, order, &v->risk, err))
			return -1;
	}
	v->known = true;
	v->in_seconds = w->orders.in_seconds;
	return 0;
}

/* Sets the keeper, and the loser. */
static int find_best(struct work *w, struct pl_err *err)
{
	double kept, lost = INFINITY;

	w->keeper = w->given_allowed ? 0 : SIZE_MAX;
	w->loser = SIZE_MAX;
	kept = w->given_allowed ? score(w, 0) : INFINITY;
	if (add_verdicts(w, err))
		return -1;
	for (size_t k = 1; k < w->orders.n; k++) {
		const double sum = score(w, k);

		if (sum >= kept)
			continue;
		if (weigh(w, k, err))
			return -1;
		if (w->verdict[k].risk.chance <= PL_ORDER_CHANCE) {
			kept = sum;
			w->keeper = k;
		} else if (sum < lost) {
			lost = sum;
			w->loser = k;
		}
	}
	if (lost >= kept)
		w->loser = SIZE_MAX;
	return 0;
}

/* A share of the moves of the first search. */
static void set_moves(struct pl_order_request *q, const struct pl_order_model *m, uint64_t share)
{
	const uint64_t usual = pl_order_search_moves(m->n_seats);

	if (q->has_moves)
		q->moves /= 2 * share;
	else if (!m->ring && !q->time_ns)
		q->moves = (usual < MOVES_MAX ? usual : MOVES_MAX) / share;
	q->has_moves = q->has_moves || (!m->ring && !q->time_ns);
}

/* Searches by the hops of @m, with a share of the moves. Adds the result to the candidates; that of
 * the first call is also the answer. */
static int search(struct work *w, const struct pl_order_model *m, uint64_t share,
		  struct pl_err *err)
{
	struct pl_order_request q = *w->q;
	const struct pl_stop early = pl_order_early(w->stop, 2);
	struct pl_order_result r = {0};
	int rc;

	q.min_gain = 0;
	q.seed += w->n_more;
	set_moves(&q, m, share);
	if (share > 1) {
		q.bound = PL_BOUND_NONE;
		q.method = PL_METHOD_SEARCH;
	}
	rc = pl_order_solve(&r, w->in, m, &q, &early, err);
	if (rc == 0 && w->blend.turns && !r.unchanged)
		rc = pl_order_blend_turn(&w->blend, r.host_at, err);
	if (rc == 0)
		rc = pl_order_candidates_add(&w->orders, r.host_at, err);
	if (rc == 0 && !w->r->host_at) {
		*w->r = r;
		return 0;
	}
	w->r->moves += r.moves;
	w->r->solve_seconds += r.solve_seconds;
	w->r->stopped = w->r->stopped || r.stopped;
	pl_order_result_fini(&r);
	return rc;
}

static bool several(const struct work *w)
{
	return w->blend.n_parts > 1 && !w->blend.turns;
}

/* Adds orders for each kind of call alone, if there are several kinds. */
static int search_parts(struct work *w, struct pl_err *err)
{
	int rc = 0;

	for (size_t k = 0; rc == 0 && several(w) && k < w->blend.n_parts && !pl_stop_now(w->stop);
	     k++)
		rc = search(w, &w->blend.part[k], PARTS_SHARE * w->blend.n_parts, err);
	return rc;
}

/* Orders whose hops cost the same may take different times: for few hosts some more are tried,
 * unless the search tried all. */
static int search_more(struct work *w, struct pl_err *err)
{
	int rc = 0;

	while (rc == 0 && several(w) && w->in->hosts.n > PL_ORDER_EXACT_MAX &&
	       w->in->hosts.n <= MORE_HOSTS && w->n_more < MORE && !pl_stop_now(w->stop)) {
		w->n_more++;
		rc = search(w, &w->blend.whole, OTHERS_SHARE, err);
	}
	w->n_more = 0;
	return rc;
}

/* If the order that is best for all is slower at some size, raises that size's weight and searches
 * again. */
static int search_again(struct work *w, struct pl_err *err)
{
	for (size_t i = 0; i < ROUNDS && several(w); i++) {
		if (find_best(w, err))
			return -1;
		if (w->loser == SIZE_MAX || pl_stop_now(w->stop))
			return 0;
		w->weight[w->blend.part_of[w->verdict[w->loser].risk.call]] *= RAISE;
		if (pl_order_blend_weigh(&w->blend, w->weight, &w->p->w, w->in, err) ||
		    search(w, &w->blend.whole, OTHERS_SHARE, err))
			return -1;
	}
	return 0;
}

/* May the given order be written (--pin, --not-first)? */
static int look_at_first(struct work *w, struct pl_err *err)
{
	struct pl_order_first first;

	if (pl_order_first_init(&first, w->in, pl_order_blend_model(&w->blend), w->q, err))
		return -1;
	w->given_allowed = !first.may || first.may[0];
	pl_order_first_fini(&first);
	return 0;
}

/* A smaller gain is not worth a change: nobody would notice it. */
static double gain_wanted(const struct work *w)
{
	return fmax(w->q->min_gain, PL_ORDER_NOTICED);
}

/* The call with the highest ratio. */
static size_t slowest(const struct work *w, size_t order)
{
	size_t call = 0;

	for (size_t i = 1; i < w->p->w.n; i++)
		if (ratio(w, order, i) > ratio(w, order, call))
			call = i;
	return call;
}

static void tell_refused(struct work *w, size_t taken)
{
	struct pl_order_promise *p = w->p;
	const bool loses = ratio(w, taken, slowest(w, taken)) > 1 + PL_ORDER_SLOWER / 100;
	const size_t order = loses ? taken : w->loser; /* accepted, or the price of --pin */

	p->refused_gain = p->refused_loss = NAN;
	if (order == SIZE_MAX || (!loses && gain(w, order) < gain_wanted(w)))
		return;
	p->refused_call = loses ? slowest(w, order) : w->verdict[order].risk.call;
	p->refused_loss = 100 * (ratio(w, order, p->refused_call) - 1);
	p->refused_chance = w->verdict[order].risk.chance;
	p->refused_gain = gain(w, order);
}

static void take_facts(struct pl_order_promise *p, const struct pl_order_candidates *orders)
{
	p->in_seconds = orders->in_seconds;
	p->has_rates = pl_order_forecaster_has_rates(&orders->caster);
	p->knows_rates = pl_order_forecaster_knows_rates(&orders->caster);
	p->n_looked = orders->n;
	snprintf(p->why_not, sizeof(p->why_not), "%s", orders->why_not);
}

/* Compares the calls in the given order and in one of the others. */
static void take_times(struct pl_order_promise *p, const struct pl_order_candidates *orders,
		       size_t order)
{
	for (size_t i = 0; i < p->w.n; i++) {
		p->call[i].given = pl_order_candidate_time(orders, 0, i);
		p->call[i].found = pl_order_candidate_time(orders, order, i);
		p->call[i].least = pl_order_candidate_least(orders, i);
	}
}

/* If all calls that count are of one kind, costs are those of its hops, in the input's unit,
 * although the search used ties as well. */
static const struct pl_order_model *tell_kind(struct work *w)
{
	const struct pl_order_model *m = pl_order_blend_model(&w->blend);
	struct pl_order_promise *p = w->p;
	struct pl_order_result *r = w->r;

	for (size_t i = 0; i < p->w.n; i++)
		p->blended = p->blended || w->blend.part_of[i] != 0;
	if (p->blended || !several(w))
		return m;
	m = &w->blend.part[0];
	r->cost_given = pl_order_model_cost(m, pl_order_candidate(&w->orders, 0));
	r->bound = w->q->bound == PL_BOUND_NONE ? NAN : w->blend.bound[0];
	r->part = 0;
	r->taken = m->taken;
	return m;
}

/* Costs of several kinds of calls have no common unit: that of the given order becomes 1. */
static void make_relative(struct pl_order_result *r)
{
	const double one = r->cost_given;

	if (!(one > 0))
		return;
	r->cost /= one;
	r->bound /= one;
	r->hops /= one;
	r->hops_given /= one;
	r->cost_given = 1;
}

/* Makes the chosen order the answer. */
static void answer(struct work *w, size_t order)
{
	const struct pl_order_model *m = tell_kind(w);
	const size_t *chosen = pl_order_candidate(&w->orders, order);
	struct pl_order_promise *p = w->p;
	struct pl_order_result *r = w->r;
	const size_t size = w->in->hosts.n * sizeof(*chosen);

	if (memcmp(r->host_at, chosen, size) != 0)
		r->hops = r->hops_given = NAN; /* these belong to another
						* order */
	memcpy(r->host_at, chosen, size);
	r->cost = pl_order_model_cost(m, r->host_at);
	r->unchanged = memcmp(r->host_at, pl_order_candidate(&w->orders, 0), size) == 0;
	r->exact = false;
	pl_order_settle(r, m);
	if (p->blended)
		make_relative(r);
	for (size_t i = 0; i < p->w.n; i++) {
		const struct pl_order_model *hops = &w->blend.part[w->blend.part_of[i]];

		p->call[i].hops_given =
			pl_order_model_cost(hops, pl_order_candidate(&w->orders, 0));
		p->call[i].hops = pl_order_model_cost(hops, r->host_at);
	}
	take_times(p, &w->orders, order);
	p->gain = gain(w, order);
}

static int choose(struct work *w, struct pl_err *err)
{
	size_t order;
	double expected;

	if (find_best(w, err))
		return -1;
	order = w->keeper == SIZE_MAX ? w->loser : w->keeper; /* --pin has its price */
	expected = w->verdict[order].risk.gain;
	if (w->given_allowed && order > 0 && expected < gain_wanted(w)) {
		w->r->gain_missed = expected;
		w->r->kept = w->q->min_gain > PL_ORDER_NOTICED;
		order = 0;
	}
	w->p->held = order == 0;
	tell_refused(w, order);
	answer(w, order);
	return 0;
}

/* The calls' shares of the time in the given order, which are the weights of counted calls. */
static void weigh_counted(struct work *w)
{
	struct pl_order_workload *calls = &w->p->w;
	double sum = 0;

	if (!calls->counted)
		return;
	for (size_t i = 0; i < calls->n; i++) {
		calls->v[i].weight *= pl_order_candidate_time(&w->orders, 0, i);
		sum += calls->v[i].weight;
	}
	for (size_t i = 0; sum > 0 && i < calls->n; i++)
		calls->v[i].weight /= sum;
}

/* Leaves out the calls whose times in the given order are guesses; if all are, hops are all that
 * there is. */
static int leave_guesses(struct work *w, struct pl_err *err)
{
	struct pl_order_workload *calls = &w->p->w;
	bool *guess = pl_array_create(calls->n, sizeof(*guess));
	size_t n = 0;
	int rc = 0;

	if (!guess)
		return pl_err_nomem(err);
	for (size_t i = 0; i < calls->n; i++) {
		guess[i] = w->orders.in_seconds && w->orders.view[i].guessed;
		n += guess[i];
	}
	w->p->guessed = n == calls->n;
	if (w->p->guessed) {
		rc = pl_order_candidates_fall_back(&w->orders,
						   "they depend on rates that are not known", err);
	} else if (n > 0) {
		pl_order_candidates_fini(&w->orders);
		rc = pl_order_workload_leave(calls, guess, err);
		if (rc == 0)
			rc = pl_order_candidates_init(&w->orders, calls, w->in, w->q, w->stop, err);
	}
	free(guess);
	return rc;
}

static int look_at_given(struct work *w, struct pl_err *err)
{
	return pl_order_candidates_init(&w->orders, &w->p->w, w->in, w->q, w->stop, err) ||
			       leave_guesses(w, err)
		       ? -1
		       : 0;
}

static int find(struct work *w, struct pl_err *err)
{
	if (look_at_given(w, err))
		return -1;
	weigh_counted(w);
	if (pl_order_blend_init(&w->blend, &w->p->w, w->in, w->q, w->stop, err))
		return -1;
	w->weight = pl_array_create(w->blend.n_parts, sizeof(*w->weight));
	if (!w->weight)
		return pl_err_nomem(err);
	memcpy(w->weight, w->blend.weight, w->blend.n_parts * sizeof(*w->weight));
	if (look_at_first(w, err) || search(w, pl_order_blend_model(&w->blend), 1, err) ||
	    search_parts(w, err) || search_more(w, err) || search_again(w, err))
		return -1;
	memcpy(w->weight, w->blend.weight, w->blend.n_parts * sizeof(*w->weight));
	if (several(w) && pl_order_blend_weigh(&w->blend, w->weight, &w->p->w, w->in, err))
		return -1;
	return choose(w, err);
}

static int begin(struct pl_order_promise *p, const struct pl_order_input *in,
		 const struct pl_order_request *q, struct pl_err *err)
{
	memset(p, 0, sizeof(*p));
	p->refused_gain = p->refused_loss = NAN;
	if (pl_order_workload_init(&p->w, &in->hosts, q, err))
		return -1;
	p->call = pl_array_create(p->w.n, sizeof(*p->call));
	return p->call ? 0 : pl_err_nomem(err);
}

int pl_order_promise_compare(struct pl_order_promise *p, const size_t *host_at,
			     const struct pl_order_input *in, const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err)
{
	struct work w = {.p = p, .in = in, .q = q, .stop = stop};
	int rc = begin(p, in, q, err);

	if (rc == 0)
		rc = look_at_given(&w, err);
	if (rc == 0)
		rc = pl_order_candidates_add(&w.orders, host_at, err);
	if (rc == 0) {
		weigh_counted(&w);
		take_times(p, &w.orders, w.orders.n - 1);
		p->gain = gain(&w, w.orders.n - 1);
	}
	take_facts(p, &w.orders);
	pl_order_candidates_fini(&w.orders);
	return rc;
}

int pl_order_promise_find(struct pl_order_promise *p, struct pl_order_result *r,
			  const struct pl_order_input *in, const struct pl_order_request *q,
			  const struct pl_stop *stop, struct pl_err *err)
{
	struct work w = {.p = p, .r = r, .in = in, .q = q, .stop = stop};
	int rc;

	memset(r, 0, sizeof(*r));
	rc = begin(p, in, q, err);
	if (rc == 0)
		rc = find(&w, err);
	take_facts(p, &w.orders);
	pl_order_candidates_fini(&w.orders);
	pl_order_blend_fini(&w.blend);
	pl_order_odds_fini(&w.odds);
	free(w.verdict);
	free(w.weight);
	return rc;
}
