/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-batch-laws.c - laws of seconds, epochs and memory, and what is chosen by them */
#include "config.h"

#include "planner/batch/choice.h"
#include "planner/batch/overlap.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static bool is_near(double got, double want, double tolerance)
{
	if (fabs(got - want) <= tolerance * fabs(want))
		return true;
	printf("# got %.12g, want %.12g\n", got, want);
	return false;
}

static const struct pl_batch_point blank = {.end = PL_POINT_MEASURED,
					    .seconds = NAN,
					    .epochs = NAN,
					    .noise = NAN,
					    .scale = NAN,
					    .error = NAN,
					    .memory_bytes = NAN,
					    .spent_s = NAN};

/* A point of each number of workers with each batch, as @make says. */
static struct pl_points grid(void (*make)(struct pl_batch_point *p, double k, double b))
{
	static const size_t workers[] = {1, 2, 4, 8};
	static const uint64_t batch[] = {64, 128, 512};
	struct pl_points points = {0};

	for (size_t i = 0; i < 12; i++) {
		struct pl_batch_point p = blank;

		p.workers = workers[i / 3];
		p.batch = batch[i % 3];
		make(&p, (double)p.workers, (double)p.batch);
		if (pl_points_add(&points, &p))
			abort();
	}
	return points;
}

/* Falling with K; epochs that fall with the noise. */
static void make_sum(struct pl_batch_point *p, double k, double b)
{
	p->seconds = 0.7 + 0.003 * b / k - 0.05 * k;
	p->noise = 0.2 + 4 / sqrt(b);
	p->epochs = 30 - 20 * p->noise;
	p->memory_bytes = 5e8 + 2e6 * b / k;
}

static void test_noise(bool corners)
{
	struct pl_points points = grid(make_sum);
	struct pl_step_law step;
	struct pl_epoch_law epoch;
	int rc = pl_step_law_fit(&step, PL_LAW_SUM, &points, corners);

	ok(rc == 0 && step.n == (corners ? 4 : 12) && is_near(step.p[0], 0.7, 1e-9) &&
		   is_near(step.p[1], 0.003, 1e-9) && is_near(step.p[2], -0.05, 1e-9),
	   "seconds from %zu points, the sign as it is", step.n);
	ok(step.error.n == 12 && step.error.most < 1e-9, "held against all points");
	rc = pl_epoch_law_fit(&epoch, PL_LAW_NOISE, &points, corners);
	ok(rc == 0 && epoch.noise_known && is_near(epoch.a, 0.2, 1e-9) &&
		   is_near(epoch.b, 4, 1e-9) && is_near(epoch.e, 30, 1e-9) &&
		   is_near(epoch.slope, -20, 1e-9) && !epoch.relative,
	   "noise = a + b / sqrt(B), epochs = e + theta noise");
	ok(is_near(pl_epoch_law_epochs(&epoch, 256), 30 - 20 * 0.45, 1e-9),
	   "epochs of another batch");
	pl_points_fini(&points);
}

static const double pollux[] = {0.02, 0.001, 0.03, 0.004, 2.5};

static void make_overlap(struct pl_batch_point *p, double k, double b)
{
	p->seconds = pl_overlap_seconds(pollux, k, b / k);
	p->epochs = 12 * (1 + b / 700);
}

static void test_goodput(void)
{
	struct pl_points points = grid(make_overlap);
	struct pl_step_law step;
	struct pl_epoch_law epoch;

	ok(is_near(pl_overlap_seconds((double[]){3, 0, 4, 0, 2}, 2, 1), 5, 1e-12) &&
		   is_near(pl_overlap_seconds((double[]){3, 1, 4, 1, 1}, 4, 2), 11, 1e-12) &&
		   is_near(pl_overlap_seconds((double[]){3, 0, 4, 0, 2}, 1, 1), 3, 1e-12),
	   "3 and 4 overlap to 5; without overlap they add up; one worker");
	ok(pl_step_law_fit(&step, PL_LAW_OVERLAP, &points, false) == 0 && step.known &&
		   step.error.most < 1e-3,
	   "the law of overlap is found again, off by %g", step.error.most);
	ok(pl_epoch_law_fit(&epoch, PL_LAW_GOODPUT, &points, true) == 0 &&
		   is_near(epoch.e, 12, 1e-9) && is_near(epoch.e / epoch.slope, 700, 1e-9),
	   "epochs and noise scale from the corners");
	for (size_t i = 0; i < points.n; i++) {
		points.point[i].scale = 500 + (double)(i % 3) * 200;
		if (points.point[i].batch != 64)
			points.point[i].epochs = NAN;
		else
			points.point[i].epochs = 11;
	}
	ok(pl_epoch_law_fit(&epoch, PL_LAW_GOODPUT, &points, false) == 0 && epoch.proportional &&
		   epoch.scale == 700 && is_near(pl_epoch_law_epochs(&epoch, 64), 11, 1e-12) &&
		   is_near(pl_epoch_law_epochs(&epoch, 700), 11 * 2 / (1 + 64.0 / 700), 1e-12),
	   "epochs of one batch and the median of the noise scales");
	for (size_t i = 0; i < points.n; i++)
		points.point[i].epochs = NAN;
	ok(pl_epoch_law_fit(&epoch, PL_LAW_GOODPUT, &points, false) == 0 && epoch.relative &&
		   is_near(pl_epoch_law_epochs(&epoch, 700), 2, 1e-12),
	   "no epochs: relative ones");
	for (size_t i = 0; i < points.n; i++)
		points.point[i].scale = NAN;
	ok(pl_epoch_law_fit(&epoch, PL_LAW_GOODPUT, &points, false) == 0 && !epoch.known &&
		   isnan(pl_epoch_law_epochs(&epoch, 64)),
	   "neither: no law");
	pl_points_fini(&points);
}

static void test_few(void)
{
	struct pl_points points = {0};
	struct pl_step_law law;

	for (uint64_t b = 64; b <= 256; b *= 2) {
		struct pl_batch_point p = blank;

		p.workers = 4;
		p.batch = b;
		p.seconds = 1 + (double)b / 64;
		if (pl_points_add(&points, &p))
			abort();
	}
	ok(pl_step_law_fit(&law, PL_LAW_SUM, &points, false) == 0 &&
		   is_near(pl_step_law_seconds(&law, 4, 1024), 17, 1e-9) &&
		   isnan(pl_step_law_seconds(&law, 8, 1024)),
	   "points of 4 workers tell nothing of 8");
	points.n = 1;
	ok(pl_step_law_fit(&law, PL_LAW_SUM, &points, false) == 0 && !law.known,
	   "one point is no law");
	pl_points_fini(&points);
}

static void test_memory(void)
{
	struct pl_points points = grid(make_sum);
	struct pl_memory_law law;

	ok(pl_memory_law_fit(&law, &points) == 0 && law.known && is_near(law.fixed, 5e8, 1e-9) &&
		   is_near(law.sample, 2e6, 1e-9),
	   "memory is fixed + sample * b");
	ok(pl_memory_law_samples(&law, 1.5e9) == 500 &&
		   pl_memory_law_workers(&law, 1.5e9, 2001) == 5 &&
		   pl_memory_law_workers(&law, 1.5e9, 2000) == 4 &&
		   pl_memory_law_samples(&law, 1e8) == 0,
	   "most samples, least workers");
	pl_points_fini(&points);
}

static const uint64_t list_k[] = {2, 4, 8}, list_b[] = {64, 128, 256, 512};

static struct pl_batch_space space(void)
{
	return (struct pl_batch_space){.workers = list_k,
				       .batch = list_b,
				       .n_workers = 3,
				       .n_batches = 4,
				       .samples = 10000,
				       .worker_price = 0.13402,
				       .memory_bytes = INFINITY,
				       .time_limit_s = INFINITY,
				       .budget = INFINITY};
}

/* No cell of the plan is better in both than one of the front. */
static bool is_front(const struct pl_batch_plan *plan)
{
	for (size_t i = 0; i < plan->n_cells; i++) {
		const struct pl_batch_cell *c = &plan->cell[i];
		bool covered = false;

		for (size_t j = 0; j < plan->n_cells; j++) {
			const struct pl_batch_cell *d = &plan->cell[j];

			covered |= d->time_s <= c->time_s && d->cost <= c->cost &&
				   (d->time_s < c->time_s || d->cost < c->cost);
		}
		if (covered == c->on_front)
			return false;
	}
	return plan->front[0] == plan->fastest && plan->front[plan->n_front - 1] == plan->cheapest;
}

static void make_pool(struct pl_batch_point *p, double k, double b)
{
	p->seconds = 0.01 + 0.004 * b / k + 0.02 * k;
	p->epochs = 10 * (1 + b / 900);
	p->memory_bytes = 1e9 + 1e7 * b / k;
}

static void test_choice(void)
{
	struct pl_points points = grid(make_pool);
	struct pl_batch_space s = space();
	struct pl_batch_laws laws;
	struct pl_batch_plan plan;
	struct pl_err err;

	ok(pl_batch_laws_fit(&laws, PL_LAW_SUM, PL_LAW_GOODPUT, &points, false) == 0 &&
		   pl_batch_plan_make(&plan, &s, &laws, &points, &err) == 0 && plan.n_cells == 12,
	   "all cells");
	ok(is_near(plan.cell[5].time_s,
		   10 * (1 + 128 / 900.0) * 10000 / 128 * (0.01 + 0.128 + 0.08), 1e-9) &&
		   plan.cell[5].seconds_measured && !plan.cell[6].seconds_measured,
	   "time = epochs * samples / batch * seconds, measured or by law");
	ok(is_near(plan.cell[8].per_hour, 1.07216, 1e-12) &&
		   is_near(plan.cell[8].cost, plan.cell[8].time_s / 3600 * 1.07216, 1e-12),
	   "cost = time * workers * price");
	ok(is_front(&plan), "front: no other is faster and cheaper");
	pl_batch_plan_fini(&plan);
	s.memory_price = 0.01;
	s.memory_bytes = 1e9 + 1e7 * 64;
	pl_batch_plan_make(&plan, &s, &laws, &points, &err);
	ok(plan.n_too_large == 3 && is_front(&plan) &&
		   is_near(plan.cell[0].per_hour, 2 * (0.13402 + 0.01 * 1.32e9 / 1073741824.0),
			   1e-9),
	   "memory: its limit and its price");
	pl_batch_plan_fini(&plan);
	s.budget = 0;
	pl_batch_plan_make(&plan, &s, &laws, &points, &err);
	ok(plan.n_cells == 0 && plan.n_beyond == 9 && plan.n_front == 0,
	   "nothing within the budget");
	pl_batch_plan_fini(&plan);
	pl_points_fini(&points);
}

/* 8 and 20 workers of Scavenger's price */
static void test_price(void)
{
	static const uint64_t workers[] = {8, 20}, batch[] = {384};
	struct pl_batch_space s = space();
	struct pl_points points = {0};
	struct pl_batch_laws laws;
	struct pl_batch_plan plan;
	struct pl_err err;

	for (int i = 0; i < 2; i++) {
		struct pl_batch_point p = blank;

		p.workers = (size_t)workers[i];
		p.batch = 384;
		p.seconds = p.epochs = 1;
		if (pl_points_add(&points, &p))
			abort();
	}
	s.workers = workers;
	s.batch = batch;
	s.n_workers = 2;
	s.n_batches = 1;
	pl_batch_laws_fit(&laws, PL_LAW_SUM, PL_LAW_GOODPUT, &points, false);
	pl_batch_plan_make(&plan, &s, &laws, &points, &err);
	ok(plan.n_cells == 2 && fabs(plan.cell[0].per_hour - 1.0722) < 0.00005 &&
		   fabs(plan.cell[1].per_hour - 2.6804) < 0.00005,
	   "1.0722 and 2.6804 $/h");
	pl_batch_plan_fini(&plan);
	pl_points_fini(&points);
}

int main(void)
{
	test_noise(false);
	test_noise(true);
	test_goodput();
	test_few();
	test_memory();
	test_choice();
	test_price();
	return done_testing();
}
