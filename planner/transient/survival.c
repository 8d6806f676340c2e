/* SPDX-License-Identifier: BSD-3-Clause */
/* survival.c - how likely a machine has been taken away by an age */
#include "config.h"

#include "planner/transient/survival.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pl_survival_fini(struct pl_survival *c)
{
	free(c->s);
	free(c->left);
	free(c->spread);
	*c = (struct pl_survival){0};
}

static int by_age(const void *a, const void *b)
{
	const struct pl_life *x = a, *y = b;

	return (x->s > y->s) - (x->s < y->s);
}

/* A machine that was kept until an age at which others were lost was at risk there. */
static void estimate(struct pl_survival *c, const struct pl_life *life, size_t n)
{
	double left = 1, sum = 0;

	for (size_t i = 0; i < n;) {
		const double age = life[i].s, at_risk = (double)(n - i);
		double lost = 0;

		for (; i < n && life[i].s == age; i++)
			lost += life[i].lost;
		if (lost == 0)
			continue;
		left *= 1 - lost / at_risk;
		if (at_risk > lost)
			sum += lost / (at_risk * (at_risk - lost));
		c->s[c->n] = age;
		c->left[c->n] = left;
		c->spread[c->n++] = left * sqrt(sum);
	}
}

int pl_survival_make(struct pl_survival *c, const struct pl_life_group *group, double limit_s,
		     struct pl_err *err)
{
	const size_t n = group->n;
	struct pl_life *life = pl_array_create(n, sizeof(*life));
	struct pl_survival made = {
		.s = pl_array_create(group->n_lost, sizeof(double)),
		.left = pl_array_create(group->n_lost, sizeof(double)),
		.spread = pl_array_create(group->n_lost, sizeof(double)),
		.n_lives = n,
		.n_lost = group->n_lost,
		.limit_s = limit_s > 0 ? limit_s : INFINITY,
	};
	int rc = 0;

	if (n == 0)
		rc = pl_err_set(err, PL_EINPUT, "no lifetime of a machine %s in region %s",
				group->type, group->region);
	else if (!life || !made.s || !made.left || !made.spread)
		rc = pl_err_nomem(err);
	if (rc) {
		pl_survival_fini(&made);
		free(life);
		return -1;
	}
	memcpy(life, group->life, n * sizeof(*life));
	qsort(life, n, sizeof(*life), by_age);
	estimate(&made, life, n);
	made.seen_s = life[n - 1].s;
	if (group->n_lost)
		made.rate_per_s =
			group->held_s > 0 ? (double)group->n_lost / group->held_s : INFINITY;
	free(life);
	*c = made;
	return 0;
}

void pl_survival_constant(struct pl_survival *c, double mean_s)
{
	*c = (struct pl_survival){.rate_per_s = 1 / mean_s, .limit_s = INFINITY};
}

/* How many steps are at or before @s. */
static size_t steps_to(const struct pl_survival *c, double s)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (c->s[mid] <= s)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* 1 - F behind the last step and before the tail. */
static double left_at_end(const struct pl_survival *c)
{
	return c->n ? c->left[c->n - 1] : 1;
}

double pl_survival_lost(const struct pl_survival *c, double s)
{
	const double age = fmin(s, c->limit_s);
	const size_t n = steps_to(c, age);

	if (age > c->seen_s && left_at_end(c) > 0)
		return 1 - left_at_end(c) * exp(-c->rate_per_s * (age - c->seen_s));
	return n ? 1 - c->left[n - 1] : 0;
}

double pl_survival_spread(const struct pl_survival *c, double s)
{
	const size_t n = steps_to(c, s);

	return n ? c->spread[n - 1] : 0;
}

double pl_survival_mean_s(const struct pl_survival *c)
{
	const double end_s = fmin(c->seen_s, c->limit_s);
	double mean = 0, from = 0, left = 1;

	for (size_t i = 0; i < c->n && c->s[i] < end_s; i++) {
		mean += left * (c->s[i] - from);
		from = c->s[i];
		left = c->left[i];
	}
	mean += left * (end_s - from);
	left = left_at_end(c);
	if (left == 0 || c->limit_s <= end_s)
		return mean;
	if (c->rate_per_s == 0)
		return mean + left * (c->limit_s - end_s);
	return mean - left / c->rate_per_s * expm1(-c->rate_per_s * (c->limit_s - end_s));
}

double pl_survival_age(const struct pl_survival *c, double p)
{
	size_t low = 0, high = c->n;
	double age;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (1 - c->left[mid] < p)
			low = mid + 1;
		else
			high = mid;
	}
	if (p <= 0)
		return 0;
	if (low < c->n)
		age = c->s[low];
	else if (c->rate_per_s > 0 && left_at_end(c) > 0)
		age = c->seen_s - log((1 - p) / left_at_end(c)) / c->rate_per_s;
	else
		age = INFINITY;
	return fmin(age, c->limit_s);
}

double pl_survival_draw(const struct pl_survival *c, struct pl_rng *rng)
{
	return pl_survival_age(c, pl_rng_double(rng));
}
