/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.c - divides choices by compute time and ranks into boxes, each with a bound */
#include "config.h"

#include "planner/srift/search/boxes.h"

#include "base/clock.h"
#include "base/mem.h"
#include "planner/srift/iteration/least.h"
#include "planner/srift/search/program.h"

#include <math.h>
#include <stdlib.h>

/* Units of work, as those of search.c: about so long on one machine. */
#define WORK_BOX 4
#define STEPS_OF_WORK 256
#define WORK_SIMULATION 40
#define WORK_PROGRAM 100
#define LITTLE_WORK 5000 /* is all the search's */

/* Boxes as narrow as that are worth a look at their exchange, a programme, or nothing more. */
#define LOOK_COMPUTE 1.05
#define LOOK_RANKS 1.06
#define SOLVE_COMPUTE 1.01
#define LEAST_COMPUTE 1.0002
/* Programmes whose limits are as near as that are one. */
#define SAME_LIMIT 1.002
#define NODES_MAX 200

struct box {
	struct pl_least_range range;
	double seconds, per_hour; /* of an iteration, at least */
	double value;             /* of all, by the goal */
};

/* A programme and what it proves: of all with no more than its limits. */
struct solved {
	double compute_s, per_hour; /* limits */
	double bound;               /* of ranks, or of dollars an hour */
};

struct boxes {
	struct pl_srift_answer *a;
	struct pl_sim *sim;
	const struct pl_srift_goal *goal;
	const size_t *available;
	const struct pl_effort *effort;
	struct pl_err *err;
	struct pl_least least;
	struct pl_within within;
	uint64_t steps; /* of least, counted as work so far */
	struct box *heap;
	size_t n, room;
	struct solved *solved;
	size_t n_solved, solved_room;
};

static bool late(const struct boxes *b)
{
	if (b->effort->deadline_ns == INT64_MAX)
		return false;
	return pl_clock_ns() >= b->effort->deadline_ns;
}

static int push(struct boxes *b, const struct box *box)
{
	size_t at = b->n;

	if (pl_array_grow((void **)&b->heap, &b->room, b->n, sizeof(*b->heap)))
		return pl_err_nomem(b->err);
	b->n++;
	for (; at > 0 && b->heap[(at - 1) / 2].value > box->value; at = (at - 1) / 2)
		b->heap[at] = b->heap[(at - 1) / 2];
	b->heap[at] = *box;
	return 0;
}

/* The one with the least bound. */
static struct box pop(struct boxes *b)
{
	const struct box top = b->heap[0], last = b->heap[--b->n];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < b->n && b->heap[child + 1].value < b->heap[child].value)
			child++;
		if (child >= b->n || b->heap[child].value >= last.value)
			break;
		b->heap[at] = b->heap[child];
		at = child;
	}
	b->heap[at] = last;
	return top;
}

static double best_value(const struct boxes *b)
{
	const struct pl_srift_answer *a = b->a;

	return a->found ? pl_goal_value(b->goal, a->best.seconds, a->best.per_hour) : INFINITY;
}

static double compute_ratio(const struct pl_least_range *r)
{
	return r->compute_s[1] / r->compute_s[0];
}

static double ranks_ratio(const struct pl_least_range *r)
{
	return (double)r->ranks[1] / (double)r->ranks[0];
}

/* Time of an iteration that is worth looking for. */
static double enough(const struct boxes *b, double per_hour)
{
	const struct pl_srift_goal *goal = b->goal;
	const double n = (double)goal->iterations;
	double value = best_value(b);

	if (goal->objective == PL_OBJECTIVE_COST)
		value *= 3600 / per_hour;
	return fmin(goal->time_limit_s, value) / n;
}

/* Of choices within w. */
static double fewest_ranks(const struct boxes *b)
{
	return ceil(pl_within_ranks(&b->within, b->goal->batch) * (1 - 1e-9));
}

/* The least time of the choices in the box. */
static int bound(struct boxes *b, struct box *box)
{
	const struct pl_least_range *r = &box->range;
	double seconds = pl_sim_least(b->sim, r->compute_s[0], r->ranks[0]);

	if (compute_ratio(r) <= LOOK_COMPUTE && ranks_ratio(r) <= LOOK_RANKS &&
	    pl_least_seconds(&b->least, r, enough(b, box->per_hour), &seconds, b->err))
		return -1;
	b->a->work += WORK_BOX + (b->least.steps - b->steps) / STEPS_OF_WORK;
	b->steps = b->least.steps;
	box->seconds = fmax(box->seconds, seconds);
	box->value = fmax(box->value, pl_goal_value(b->goal, box->seconds, box->per_hour));
	return 0;
}

static int take(struct boxes *b, const struct pl_srift_choice *choice)
{
	struct pl_quote q = {.choice = *choice};
	const int known = pl_sim_quote(b->sim, &q, b->err);

	b->a->work += WORK_SIMULATION;
	b->a->simulated++;
	if (known <= 0)
		return known;
	if (pl_goal_allows(b->goal, q.seconds, q.per_hour) &&
	    (!b->a->found || pl_quote_better(b->sim->market, b->goal, &q, &b->a->best))) {
		b->a->best = q;
		b->a->found = true;
		b->a->by_program = true;
	}
	return 0;
}

/* The dollars an hour, hubs left out, above which choices in the box break the budget. */
static double dearest(const struct boxes *b, const struct box *box)
{
	return b->goal->budget * 3600 / ((double)b->goal->iterations * box->seconds) -
	       b->sim->market->hubs_per_hour;
}

/* Takes a bound of ranks or of dollars, hubs left out. */
static void raise_box(const struct boxes *b, struct box *box, double bound)
{
	size_t *ranks = box->range.ranks;

	if (b->goal->objective == PL_OBJECTIVE_COST)
		box->per_hour = fmax(box->per_hour, bound + b->sim->market->hubs_per_hour);
	else if (bound > (double)ranks[1])
		ranks[0] = ranks[1] + 1;
	else if (bound > (double)ranks[0])
		ranks[0] = (size_t)ceil(bound);
}

/* What programmes proved of it. Was any of them as good as its own? */
static bool recall(const struct boxes *b, struct box *box)
{
	const double compute_s = box->range.compute_s[1];
	const double per_hour = dearest(b, box);
	bool same = false;

	for (size_t i = 0; i < b->n_solved; i++) {
		const struct solved *s = &b->solved[i];

		if (s->compute_s < compute_s || s->per_hour < per_hour)
			continue;
		raise_box(b, box, s->bound);
		same |= s->compute_s <= compute_s * SAME_LIMIT;
	}
	return same;
}

/* Asks the programme for a choice within the box' limits. */
static int solve(struct boxes *b, struct box *box)
{
	const double compute_s = box->range.compute_s[1];
	struct pl_integer_program program = {
		.within = &b->within,
		.samples = b->goal->batch,
		.by_price = b->goal->objective == PL_OBJECTIVE_COST,
		.ranks_max = PL_SIM_RANKS_MAX,
		.per_hour_max = dearest(b, box),
		.nodes_max = NODES_MAX,
		.deadline_ns = b->effort->deadline_ns,
	};
	struct pl_program_answer answer;

	if (!pl_program_built() || recall(b, box))
		return 0;
	if (pl_array_grow((void **)&b->solved, &b->solved_room, b->n_solved, sizeof(*b->solved)) ||
	    pl_within_init(&b->within, b->sim, b->available, compute_s))
		return pl_err_nomem(b->err);
	if (pl_program_solve(&answer, &program, b->err))
		return -1;
	b->solved[b->n_solved++] = (struct solved){compute_s, program.per_hour_max, answer.bound};
	b->a->programs++;
	b->a->work += WORK_PROGRAM + answer.iterations;
	raise_box(b, box, answer.bound);
	return answer.found ? take(b, &answer.choice) : 0;
}

/* Is there anything better in it? Then among the others. */
static int add(struct boxes *b, struct box *box)
{
	struct pl_least_range *r = &box->range;
	double ranks;

	recall(b, box);
	if (pl_within_init(&b->within, b->sim, b->available, r->compute_s[1]))
		return pl_err_nomem(b->err);
	ranks = fewest_ranks(b);
	if (ranks > (double)r->ranks[1] || r->ranks[0] > r->ranks[1])
		return 0;
	if (ranks > (double)r->ranks[0])
		r->ranks[0] = (size_t)ranks;
	box->per_hour = fmax(box->per_hour, (b->sim->market->hubs_per_hour +
					     pl_within_per_hour(&b->within, b->goal->batch)) *
						    (1 - 1e-9));
	if (bound(b, box))
		return -1;
	if (!pl_goal_allows(b->goal, box->seconds, box->per_hour) || !(box->value < best_value(b)))
		return 0;
	return push(b, box);
}

static int halve(struct boxes *b, const struct box *box)
{
	const struct pl_least_range *r = &box->range;
	struct box low = *box, high = *box;

	if (r->ranks[0] == r->ranks[1] || compute_ratio(r) >= ranks_ratio(r)) {
		const double mid = sqrt(r->compute_s[0] * r->compute_s[1]);

		low.range.compute_s[1] = high.range.compute_s[0] = mid;
	} else {
		const size_t mid = (size_t)sqrt((double)r->ranks[0] * (double)r->ranks[1]);

		low.range.ranks[1] = mid;
		high.range.ranks[0] = mid + 1;
	}
	return add(b, &low) || add(b, &high) ? -1 : 0;
}

static bool is_least(const struct box *box)
{
	return compute_ratio(&box->range) <= LEAST_COMPUTE &&
	       box->range.ranks[0] == box->range.ranks[1];
}

/* All there is, halved until the work is done. */
static int search(struct boxes *b)
{
	while (b->n > 0) {
		struct box box = b->heap[0];

		if (b->a->work >= b->effort->work || late(b) || is_least(&box) ||
		    !(box.value < best_value(b)))
			return 0;
		pop(b);
		if (compute_ratio(&box.range) <= SOLVE_COMPUTE &&
		    ranks_ratio(&box.range) <= LOOK_RANKS && solve(b, &box))
			return -1;
		if (box.range.ranks[0] <= box.range.ranks[1] && halve(b, &box))
			return -1;
	}
	return 0;
}

/* Of all pairs: the mean of the fastest machine, and times that no choice
 * exceeds, as the slowest of all is no slower than those of all types
 * together. */
static int all_times(struct boxes *b, double *compute_s)
{
	const struct pl_market *m = b->sim->market;

	compute_s[0] = INFINITY;
	compute_s[1] = 0;
	for (size_t i = 0; i < m->n_types; i++) {
		double slowness, least, most = 0;

		if (!b->available[i])
			continue;
		slowness = pl_sim_least_slowness(b->sim, i, 2 * b->available[i]);
		least = pl_sim_least_slowness(b->sim, i, 1);
		if (isnan(slowness) || isnan(least))
			return pl_err_nomem(b->err);
		for (size_t k = 0; k < m->type[i].n_batches; k++) {
			const double s = m->type[i].mean_s[k];

			most = fmax(most, s);
			compute_s[0] = fmin(compute_s[0], s * least);
		}
		compute_s[1] += most * slowness;
	}
	compute_s[0] *= 1 - 1e-9;
	compute_s[1] *= 1 + 1e-9;
	return 0;
}

static int begin(struct boxes *b)
{
	struct box all = {.range.ranks = {1, PL_SIM_RANKS_MAX}};

	if (all_times(b, all.range.compute_s))
		return -1;
	return all.range.compute_s[1] > 0 ? add(b, &all) : 0;
}

int pl_boxes_search(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
		    const size_t *available, const struct pl_effort *effort, struct pl_err *err)
{
	struct boxes *b = pl_array_create(1, sizeof(*b));
	int rc = -1;

	if (!b) {
		pl_answer_fini(a);
		return pl_err_nomem(err);
	}
	*b = (struct boxes){.a = a,
			    .sim = sim,
			    .goal = goal,
			    .available = available,
			    .effort = effort,
			    .err = err};
	if (pl_least_init(&b->least, sim, err) == 0 && begin(b) == 0 && search(b) == 0)
		rc = 0;
	if (rc == 0) {
		const double bound = fmin(best_value(b), b->n ? b->heap[0].value : INFINITY);

		a->by_boxes = bound > a->bound;
		a->bound = fmin(fmax(a->bound, bound), best_value(b));
	}
	pl_least_fini(&b->least);
	free(b->heap);
	free(b->solved);
	free(b);
	if (rc)
		pl_answer_fini(a);
	return rc;
}

int pl_search_bounded(struct pl_srift_answer *a, struct pl_sim *sim,
		      const struct pl_srift_goal *goal, const size_t *available,
		      const struct pl_effort *effort, bool front, struct pl_err *err)
{
	const bool by_cost = goal->objective == PL_OBJECTIVE_COST;
	struct pl_effort first = *effort, then = *effort;

	if (by_cost)
		then.work = effort->work < UINT64_MAX / 2 ? effort->work + effort->work / 4
							  : UINT64_MAX;
	else if (!front && effort->work / 8 > LITTLE_WORK)
		first.work = effort->work / 8;
	else if (!front && effort->work > LITTLE_WORK)
		first.work = LITTLE_WORK;
	if (pl_search(a, sim, goal, available, &first, front, err))
		return -1;
	if (front || a->exact)
		return 0;
	return pl_boxes_search(a, sim, goal, available, &then, err);
}
