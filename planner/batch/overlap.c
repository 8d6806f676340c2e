/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - seconds of an iteration whose computation hides communication */
#include "config.h"

#include "planner/batch/overlap.h"

#include "base/mem.h"
#include "planner/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TERMS PL_OVERLAP_TERMS
#define STEPS 300
#define POWER_MOST 10.0 /* as in Pollux */
#define NUDGE 1e-6      /* for derivatives */
#define SAME 1e-13

/* What is fitted: logarithms of p0 to p3, and g's place from 1 to 10. */
struct fit {
	const double *at, *seconds;
	size_t n;
	double *j, *r; /* [(n + TERMS) * TERMS], [n + TERMS] */
};

double pl_overlap_seconds(const double p[TERMS], double workers, double samples)
{
	const double c = p[0] + p[1] * samples;
	const double s = workers > 1 ? p[2] + p[3] * fmax(workers - 2, 0) : 0;
	const double most = fmax(c, s);

	/* the larger one is taken out, so that no power overflows */
	return most * pow(pow(c / most, p[4]) + pow(s / most, p[4]), 1 / p[4]);
}

static void unfold(const double q[TERMS], double p[TERMS])
{
	for (int i = 0; i < 4; i++)
		p[i] = exp(q[i]);
	p[4] = 1 + (POWER_MOST - 1) / (1 + exp(-q[4]));
}

static double residual(const struct fit *f, const double q[TERMS], size_t i)
{
	double p[TERMS];

	unfold(q, p);
	return log(f->seconds[i] / pl_overlap_seconds(p, f->at[2 * i], f->at[2 * i + 1]));
}

static double error_of(const struct fit *f, const double q[TERMS])
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++)
		sum += residual(f, q, i) * residual(f, q, i);
	return sum;
}

/* One step from @q with damping; -1: none was found. */
static int find_step(const struct fit *f, const double q[TERMS], double damping, double step[TERMS])
{
	memset(f->j, 0, (f->n + TERMS) * TERMS * sizeof(*f->j));
	memset(f->r, 0, (f->n + TERMS) * sizeof(*f->r));
	for (size_t i = 0; i < f->n; i++) {
		f->r[i] = residual(f, q, i);
		for (int k = 0; k < TERMS; k++) {
			double near[TERMS];

			memcpy(near, q, sizeof(near));
			near[k] += NUDGE;
			f->j[i * TERMS + (size_t)k] = (f->r[i] - residual(f, near, i)) / NUDGE;
		}
	}
	for (size_t k = 0; k < TERMS; k++)
		f->j[(f->n + k) * TERMS + k] = sqrt(damping);
	return pl_fit(f->j, f->r, f->n + TERMS, TERMS, step);
}

/* Goes down from @q; returns the error there. */
static double descend(const struct fit *f, double q[TERMS])
{
	double error = error_of(f, q), damping = 1e-2;

	for (int i = 0; i < STEPS && damping < 1e12; i++) {
		double step[TERMS], next[TERMS], there;

		if (find_step(f, q, damping, step))
			break;
		for (int k = 0; k < TERMS; k++)
			next[k] = fmin(fmax(q[k] + step[k], -40), 40);
		there = error_of(f, next);
		if (!(there < error)) {
			damping *= 4;
			continue;
		}
		memcpy(q, next, sizeof(next));
		if (error - there < SAME * error)
			return there;
		error = there;
		damping = fmax(damping / 8, 1e-12);
	}
	return error;
}

/* A beginning: a share of the mean for communication, and how much hides. */
static void begin(const struct fit *f, double share, double power, double q[TERMS])
{
	double seconds = 0, workers = 0, samples = 0;
	const double n = (double)f->n;

	for (size_t i = 0; i < f->n; i++) {
		workers += f->at[2 * i] / n;
		samples += f->at[2 * i + 1] / n;
		seconds += f->seconds[i] / n;
	}
	q[0] = log(seconds * (1 - share) / 4);
	q[1] = log(seconds * (1 - share) / samples);
	q[2] = log(seconds * share);
	q[3] = log(seconds * share / workers / 4);
	q[4] = power;
}

int pl_overlap_fit(const double *at, const double *seconds, size_t n, double p[TERMS])
{
	static const double beginning[][2] = {{0.2, -2}, {0.2, 1}, {0.7, -2}, {0.7, 1}};
	struct fit f = {.at = at, .seconds = seconds, .n = n};
	double least = INFINITY;

	if (n < TERMS)
		return 0;
	f.j = pl_array_create((n + TERMS) * TERMS, sizeof(*f.j));
	f.r = pl_array_create(n + TERMS, sizeof(*f.r));
	for (size_t i = 0; f.j && f.r && i < 4; i++) {
		double q[TERMS], error;

		begin(&f, beginning[i][0], beginning[i][1], q);
		error = descend(&f, q);
		if (error < least) {
			least = error;
			unfold(q, p);
		}
	}
	free(f.j);
	free(f.r);
	return least < INFINITY ? 1 : -1;
}
