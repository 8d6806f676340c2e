/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.c - which number of workers and which batch */
#include "config.h"

#include "planner/batch/choice.h"

#include "base/mem.h"
#include "planner/batch/knee.h"
#include "planner/batch/needs.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S 3600.0
#define GIB 1073741824.0

int pl_batch_laws_fit(struct pl_batch_laws *laws, enum pl_step_form step, enum pl_epoch_form epoch,
		      const struct pl_points *points, bool corners)
{
	if (pl_step_law_fit(&laws->step, step, points, corners) ||
	    pl_epoch_law_fit(&laws->epoch, epoch, points, corners) ||
	    pl_memory_law_fit(&laws->memory, points))
		return -1;
	return 0;
}

void pl_batch_plan_fini(struct pl_batch_plan *plan)
{
	free(plan->cell);
	free(plan->front);
	*plan = (struct pl_batch_plan){0};
}

/* The mean of the seconds measured there. */
static void take_measured(struct pl_batch_cell *cell, const struct pl_points *points)
{
	double seconds = 0;
	size_t n = 0;

	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (p->end != PL_POINT_MEASURED || (double)p->batch != cell->batch ||
		    isnan(p->seconds) || p->workers != cell->workers)
			continue;
		seconds += p->seconds;
		n++;
	}
	cell->seconds_measured = n > 0;
	cell->seconds = seconds / (double)n;
}

static void judge(struct pl_batch_cell *cell, const struct pl_batch_space *space,
		  const struct pl_batch_laws *laws, const struct pl_points *points)
{
	const double workers = (double)cell->workers;

	take_measured(cell, points);
	if (!cell->seconds_measured)
		cell->seconds = pl_step_law_seconds(&laws->step, workers, cell->batch);
	cell->time_s = cell->iterations * cell->seconds;
	cell->per_hour = workers * space->worker_price;
	if (space->memory_price > 0)
		cell->per_hour += workers * space->memory_price *
				  pl_memory_law_bytes(&laws->memory, workers, cell->batch) / GIB;
	cell->cost = cell->time_s / HOUR_S * cell->per_hour;
}

static bool is_too_large(const struct pl_batch_cell *cell, const struct pl_batch_space *space,
			 const struct pl_batch_laws *laws, const struct pl_points *points)
{
	if (cell->batch < (double)cell->workers)
		return true;
	if (pl_points_rule_out(points, cell->workers, cell->batch))
		return true;
	return pl_memory_law_bytes(&laws->memory, (double)cell->workers, cell->batch) >
	       space->memory_bytes;
}

static void fill_cells(struct pl_batch_plan *plan, const struct pl_batch_space *space,
		       const struct pl_batch_need *needs, const struct pl_batch_laws *laws,
		       const struct pl_points *points)
{
	for (size_t i = 0; i < space->n_workers * space->n_batches; i++) {
		const struct pl_batch_need *need = &needs[i % space->n_batches];
		struct pl_batch_cell cell = {.workers =
						     (size_t)space->workers[i / space->n_batches],
					     .batch = (double)need->batch,
					     .epochs = need->epochs,
					     .epochs_measured = need->measured,
					     .iterations = need->iterations};

		if (is_too_large(&cell, space, laws, points)) {
			plan->n_too_large++;
			continue;
		}
		judge(&cell, space, laws, points);
		if (!(cell.seconds > 0 && cell.epochs > 0 && cell.per_hour >= 0))
			plan->n_unknown++;
		else if (cell.time_s > space->time_limit_s || cell.cost > space->budget)
			plan->n_beyond++;
		else
			plan->cell[plan->n_cells++] = cell;
	}
}

/* Is @a first by the first of two numbers, and by the second among equals? */
static bool precedes(double a1, double a2, double b1, double b2)
{
	return a1 < b1 || (a1 == b1 && a2 < b2);
}

static void find_ends(struct pl_batch_plan *plan)
{
	const struct pl_batch_cell *c = plan->cell;

	for (size_t i = 1; i < plan->n_cells; i++) {
		const struct pl_batch_cell *f = &c[plan->fastest];
		const struct pl_batch_cell *m = &c[plan->cheapest];

		if (precedes(c[i].time_s, c[i].cost, f->time_s, f->cost))
			plan->fastest = i;
		if (precedes(c[i].cost, c[i].time_s, m->cost, m->time_s))
			plan->cheapest = i;
	}
}

/* The next cell of the front: the fastest of those that cost less than the last one; n_cells: none
 * does. */
static size_t next_on_front(const struct pl_batch_plan *plan, size_t last)
{
	const struct pl_batch_cell *c = plan->cell;
	size_t next = plan->n_cells;

	for (size_t i = 0; i < plan->n_cells; i++)
		if (c[i].cost < c[last].cost &&
		    (next == plan->n_cells ||
		     precedes(c[i].time_s, c[i].cost, c[next].time_s, c[next].cost)))
			next = i;
	return next;
}

static int find_knee(struct pl_batch_plan *plan)
{
	static const struct pl_knee_curve curve = {
		.convex = true, .decreasing = true, .sensitivity = 1};
	double *time_s = pl_array_create(plan->n_front, sizeof(*time_s));
	double *cost = pl_array_create(plan->n_front, sizeof(*cost));
	const int rc = time_s && cost ? 0 : -1;
	size_t at = plan->n_front;

	for (size_t i = 0; rc == 0 && i < plan->n_front; i++) {
		time_s[i] = plan->cell[plan->front[i]].time_s;
		cost[i] = plan->cell[plan->front[i]].cost;
	}
	if (rc == 0)
		at = pl_knee(time_s, cost, plan->n_front, &curve);
	plan->knee = at < plan->n_front ? plan->front[at] : plan->n_cells;
	free(time_s);
	free(cost);
	return rc;
}

static int find_choices(struct pl_batch_plan *plan)
{
	plan->fastest = plan->cheapest = plan->knee = 0;
	find_ends(plan);
	for (size_t i = plan->fastest; i < plan->n_cells; i = next_on_front(plan, i)) {
		plan->cell[i].on_front = true;
		plan->front[plan->n_front++] = i;
	}
	return find_knee(plan);
}

int pl_batch_plan_make(struct pl_batch_plan *plan, const struct pl_batch_space *space,
		       const struct pl_batch_laws *laws, const struct pl_points *points,
		       struct pl_err *err)
{
	const size_t most = space->n_workers * space->n_batches;
	struct pl_batch_need *needs = pl_array_create(space->n_batches, sizeof(*needs));
	int rc = -1;

	*plan = (struct pl_batch_plan){.cell = pl_array_create(most, sizeof(*plan->cell)),
				       .front = pl_array_create(most, sizeof(*plan->front))};
	if (needs && plan->cell && plan->front) {
		pl_batch_needs(needs, space->batch, space->n_batches, space->samples, &laws->epoch,
			       points);
		fill_cells(plan, space, needs, laws, points);
		rc = find_choices(plan);
	}
	free(needs);
	if (rc == 0)
		return 0;
	pl_batch_plan_fini(plan);
	return pl_err_nomem(err);
}
