/* SPDX-License-Identifier: BSD-3-Clause */
/* search.c - the best choice of machines, and the proof that there is no better one */
#include "config.h"

#include "planner/srift/search/search.h"

#include "base/clock.h"
#include "base/mem.h"
#include "planner/srift/search/relax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds are sums and products of a few doubles: off by less. */
#define ROUNDING 1e-12
/* Units of work: looking at a choice in part is one. */
#define WORK_DRAWS 1
#define WORK_SIMULATION 40
#define CLOCK_MASK 1023

struct search {
	struct pl_srift_answer *a;
	struct pl_sim *sim;
	const struct pl_market *m;
	const struct pl_srift_goal *goal;
	const size_t *available;
	const struct pl_effort *effort;
	bool front;
	struct pl_err *err;
	bool stopped;
	struct pl_type_batches pairs;
	struct pl_relax relax;
	size_t slowest; /* rank of a pair */
	struct pl_quote now;
	/* drawn times of the slowest machine chosen so far, [types chosen][draws] */
	double *longest;
};

/* What was chosen so far. */
struct part {
	uint64_t left; /* samples */
	size_t n_types, ranks;
	double per_hour;
	double seconds; /* of both passes, at least */
};

static void work(struct search *s, uint64_t units)
{
	const uint64_t before = s->a->work;

	s->a->work += units;
	if (s->a->work >= s->effort->work)
		s->stopped = true;
	if ((before | CLOCK_MASK) < s->a->work && s->effort->deadline_ns < INT64_MAX &&
	    pl_clock_ns() >= s->effort->deadline_ns)
		s->stopped = true;
}

/* Can there be nothing better within the limits among choices that take no less than this? */
static bool hopeless(const struct search *s, double seconds, double per_hour, size_t n_types)
{
	const struct pl_srift_goal *goal = s->goal;
	const struct pl_quote *best = &s->a->best;
	const bool by_time = goal->objective == PL_OBJECTIVE_TIME;
	const double t = seconds * (1 - ROUNDING);
	const double cost = t * per_hour * (1 - ROUNDING);
	const double best_t = best->seconds;
	const double best_cost = best->seconds * best->per_hour;

	if (!(per_hour < INFINITY) || !pl_goal_allows(goal, t, per_hour * (1 - ROUNDING)))
		return true;
	if (s->front)
		return pl_front_covers(&s->a->front, seconds, seconds * per_hour);
	if (!s->a->found)
		return false;
	if (by_time ? t > best_t : cost > best_cost)
		return true;
	if (by_time ? seconds < best_t * (1 - ROUNDING)
		    : seconds * per_hour < best_cost * (1 - ROUNDING))
		return false;
	if (by_time ? cost > best_cost : t > best_t)
		return true;
	return t >= best_t * (1 - 3 * ROUNDING) && cost >= best_cost * (1 - 3 * ROUNDING) &&
	       n_types > pl_choice_types(s->m, &best->choice);
}

/* The bound counts for choices that are not looked at. */
static void leave_out(struct search *s, double seconds, double per_hour)
{
	const double value = pl_goal_value(s->goal, seconds, per_hour);

	s->a->exact = false;
	if (value < s->a->bound)
		s->a->bound = value;
}

static int take(struct search *s)
{
	struct pl_quote *q = &s->now;
	const int known = pl_sim_quote(s->sim, q, s->err);

	work(s, WORK_SIMULATION);
	if (known <= 0)
		return known;
	if (!pl_goal_allows(s->goal, q->seconds, q->per_hour))
		return 0;
	if (!s->a->found || pl_quote_better(s->m, s->goal, q, &s->a->best))
		s->a->best = *q;
	s->a->found = true;
	return s->front && pl_front_add(&s->a->front, q) ? pl_err_nomem(s->err) : 0;
}

/* Draws of the part with these machines, too, into the row of its number of types. Its mean, NaN:
 * no memory. */
static double draw(struct search *s, size_t row, size_t type, size_t count, double mean_s)
{
	const size_t draws = s->sim->options->draws;
	const double *factor = pl_sim_slowness(s->sim, type, count);
	const double *before = s->longest + (row - 1) * draws;
	double *after = s->longest + row * draws;
	double sum = 0;

	if (!factor)
		return NAN;
	work(s, WORK_DRAWS);
	for (size_t k = 0; k < draws; k++) {
		const double t = mean_s * factor[k];

		after[k] = t > before[k] ? t : before[k];
		sum += after[k];
	}
	return sum / (double)draws;
}

static int extend(struct search *s, const struct part *part, size_t from);

/* Part with so many machines more of a type; what follows comes from order[from]. */
static int try_count(struct search *s, const struct part *part, size_t from,
		     const struct pl_type_batch *pair, size_t count)
{
	const struct pl_market_type *type = &s->m->type[pair->type];
	const double least = pl_sim_least_slowness(s->sim, pair->type, count);
	struct part next = {
		.left = part->left - count * type->batch[pair->batch],
		.n_types = part->n_types + 1,
		.ranks = part->ranks + count * type->instance->ranks,
		.per_hour = part->per_hour + pl_market_price(type, count),
		.seconds = fmax(part->seconds, pair->mean_s * least),
	};
	const double per_hour = next.per_hour + pl_relax_per_hour(&s->relax, from, next.left);
	const size_t ranks = next.ranks + pl_relax_ranks(&s->relax, from, next.left);
	double seconds = pl_sim_least(s->sim, next.seconds, ranks);
	int rc;

	work(s, 1);
	if (isnan(least))
		return pl_err_nomem(s->err);
	if (hopeless(s, seconds, per_hour, next.n_types))
		return 0;
	if (s->stopped) {
		leave_out(s, seconds, per_hour);
		return 0;
	}
	next.seconds = draw(s, next.n_types, pair->type, count, pair->mean_s);
	if (isnan(next.seconds))
		return pl_err_nomem(s->err);
	seconds = pl_sim_least(s->sim, next.seconds, ranks);
	if (hopeless(s, seconds, per_hour, next.n_types))
		return 0;
	s->now.choice.count[pair->type] = (uint32_t)count;
	s->now.choice.batch[pair->type] = (uint8_t)pair->batch;
	rc = next.left == 0 ? take(s) : extend(s, &next, from);
	s->now.choice.count[pair->type] = 0;
	return rc;
}

/* Any number of machines of that pair. */
static int try_pair(struct search *s, const struct part *part, size_t from,
		    const struct pl_type_batch *pair)
{
	const uint64_t fit = part->left / s->m->type[pair->type].batch[pair->batch];
	size_t count = s->available[pair->type];

	if (count > fit)
		count = (size_t)fit;
	for (; count > 0; count--)
		if (try_count(s, part, from, pair, count))
			return -1;
	return 0;
}

/* Another type, from order[from] on. */
static int extend(struct search *s, const struct part *part, size_t from)
{
	for (size_t i = from; i < s->relax.n; i++) {
		const size_t type = s->relax.order[i];
		const double per_hour =
			part->per_hour + pl_relax_per_hour(&s->relax, i, part->left);

		const size_t ranks = part->ranks + pl_relax_ranks(&s->relax, i, part->left);

		/* without the types before, it is only dearer, and more
		 * ranks */
		if (hopeless(s, pl_sim_least(s->sim, part->seconds, ranks), per_hour,
			     part->n_types + 1))
			return 0;
		for (size_t k = s->m->type[type].n_batches; k-- > 0;) {
			const size_t rank = s->pairs.rank[type][k];

			if (rank < s->slowest && try_pair(s, part, i + 1, &s->pairs.pair[rank]))
				return -1;
		}
	}
	return 0;
}

/* Homogeneous choices first: what is found early spares work. */
static int try_alone(struct search *s)
{
	for (size_t p = 0; p < s->pairs.n && !s->stopped; p++) {
		const struct pl_type_batch *pair = &s->pairs.pair[p];
		const uint64_t batch = s->m->type[pair->type].batch[pair->batch];
		const uint64_t count = s->goal->batch / batch;
		int rc;

		if (s->goal->batch % batch || count > s->available[pair->type])
			continue;
		s->now.choice.count[pair->type] = (uint32_t)count;
		s->now.choice.batch[pair->type] = (uint8_t)pair->batch;
		rc = take(s);
		s->now.choice.count[pair->type] = 0;
		if (rc)
			return -1;
	}
	return 0;
}

/* What choices take at least whose slowest pair is that one. */
struct root {
	size_t slowest;
	double seconds, per_hour, value;
};

static int compare_roots(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->slowest < y->slowest ? -1 : 1;
}

static int bound_root(struct search *s, struct root *root, size_t slowest)
{
	const struct pl_type_batch *pair = &s->pairs.pair[slowest];
	const double least = pl_sim_least_slowness(s->sim, pair->type, 1);
	const struct pl_market_type *type = &s->m->type[pair->type];
	size_t ranks;

	if (isnan(least))
		return pl_err_nomem(s->err);
	pl_relax_init(&s->relax, s->m, s->available, &s->pairs, slowest, true);
	*root = (struct root){.slowest = slowest, .per_hour = INFINITY};
	if (s->goal->batch >= type->batch[pair->batch])
		root->per_hour =
			s->m->hubs_per_hour + pl_relax_per_hour(&s->relax, 0, s->goal->batch);
	ranks = pl_relax_ranks(&s->relax, 0, s->goal->batch);
	root->seconds = pl_sim_least(s->sim, pair->mean_s * least, ranks);
	root->value = pl_goal_value(s->goal, root->seconds, root->per_hour);
	return 0;
}

static int search_root(struct search *s, const struct root *root)
{
	const struct part none = {.left = s->goal->batch, .per_hour = s->m->hubs_per_hour};

	if (hopeless(s, root->seconds, root->per_hour, 1))
		return 0;
	if (s->stopped) {
		leave_out(s, root->seconds, root->per_hour);
		return 0;
	}
	s->slowest = root->slowest;
	pl_relax_init(&s->relax, s->m, s->available, &s->pairs, root->slowest, false);
	return try_pair(s, &none, 0, &s->pairs.pair[root->slowest]);
}

static int search_roots(struct search *s)
{
	struct root *root = pl_array_create(s->pairs.n, sizeof(*root));
	int rc = root ? 0 : pl_err_nomem(s->err);

	for (size_t p = 0; rc == 0 && p < s->pairs.n; p++)
		rc = bound_root(s, &root[p], p);
	if (rc == 0)
		qsort(root, s->pairs.n, sizeof(*root), compare_roots);
	for (size_t p = 0; rc == 0 && p < s->pairs.n; p++)
		rc = search_root(s, &root[p]);
	free(root);
	return rc;
}

void pl_answer_fini(struct pl_srift_answer *a)
{
	pl_front_fini(&a->front);
	memset(a, 0, sizeof(*a));
}

void pl_search_all(const struct pl_market *m, size_t *available)
{
	for (size_t i = 0; i < m->n_types; i++)
		available[i] = m->type[i].available;
}

int pl_search(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
	      const size_t *available, const struct pl_effort *effort, bool front,
	      struct pl_err *err)
{
	struct search *s = pl_array_create(1, sizeof(*s));
	const uint64_t before = sim->n_simulated;
	int rc = -1;

	if (!s) {
		pl_answer_fini(a);
		return pl_err_nomem(err);
	}
	*s = (struct search){
		.a = a,
		.sim = sim,
		.m = sim->market,
		.goal = goal,
		.available = available,
		.effort = effort,
		.front = front,
		.err = err,
	};
	work(s, 0);
	a->exact = true;
	a->bound = INFINITY;
	pl_pairs_init(&s->pairs, s->m, available);
	s->longest =
		pl_array_create((s->m->n_types + 1) * sim->options->draws, sizeof(*s->longest));
	if (!s->longest)
		pl_err_nomem(err);
	else if (try_alone(s) == 0 && search_roots(s) == 0)
		rc = 0;
	if (rc == 0 && a->found)
		a->bound = fmin(a->bound, pl_goal_value(goal, a->best.seconds, a->best.per_hour));
	a->simulated += sim->n_simulated - before;
	free(s->longest);
	free(s);
	if (rc)
		pl_answer_fini(a);
	return rc;
}
