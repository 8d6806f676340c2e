/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-batch-noise.c - gradient noise from norms; knees of curves */
#include "config.h"

#include "base/rng.h"
#include "planner/batch/knee.h"
#include "planner/batch/noise.h"
#include "planner/batch/progress.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define JOBS 400

static struct pl_err err;

/* Iterations that all have these squares. */
static int noise_of(size_t workers, double local_sq, double mean_sq, struct pl_noise *noise)
{
	const struct pl_noise_options o = PL_NOISE_OPTIONS;
	struct pl_norms_step step[20];
	struct pl_norms norms = {.workers = workers, .batch = 64, .step = step, .n = 20};

	for (size_t i = 0; i < 20; i++)
		step[i] = (struct pl_norms_step){.iteration = i,
						 .local_sq = local_sq * (double)(i + 1),
						 .mean_sq = mean_sq * (double)(i + 1),
						 .seconds =
							 i < 5 ? 100 : 0.5 + 0.01 * (double)(i % 3),
						 .loss = (double)i};
	return pl_noise_of(&norms, &o, noise, &err);
}

static void test_noise(void)
{
	struct pl_noise n;

	ok(noise_of(8, 3, 3, &n) == 0 && fabs(n.gamma - 1) < 1e-12 && n.normalized == n.gamma / 8 &&
		   fabs(n.scale) < 1e-9,
	   "the same gradients: 1, and no scale");
	ok(noise_of(8, 8, 1, &n) == 0 && fabs(n.gamma - 8) < 1e-12 &&
		   fabs(n.normalized - 1) < 1e-12,
	   "orthogonal ones of one length: the number of workers");
	ok(noise_of(2, 4, 1, &n) == 0 && n.normalized > 1.99, "opposing ones: more");
	ok(isnan(n.scale), "|gradient| is then 0, the scale not defined");
	/* |G|^2 = 2, tr(covariance) = 48: of 8 samples 2 + 6, of 64 2.75 */
	ok(noise_of(8, 8, 2.75, &n) == 0 && fabs(n.scale - 24) < 1e-9,
	   "the noise scale of two batch sizes");
	ok(n.seconds == 0.51 && n.n == 15, "the warmup does not count");
	ok(pl_noise_rises(&n), "a loss that rises");
	ok(noise_of(1, 3, 3, &n) == 0 && isnan(n.gamma) && isnan(n.scale),
	   "one worker: not defined");
	ok(noise_of(2, 0, 0, &n) == 0 && isnan(n.gamma), "no gradient: not defined");
}

static void test_average(void)
{
	struct pl_norms_step step[3] = {{.local_sq = 4, .mean_sq = 1, .seconds = NAN, .loss = NAN},
					{.local_sq = 2, .mean_sq = 1, .seconds = NAN, .loss = NAN},
					{.local_sq = 2, .mean_sq = 2, .seconds = NAN, .loss = NAN}};
	const struct pl_norms norms = {.workers = 4, .batch = 64, .step = step, .n = 3};
	struct pl_noise n;

	ok(pl_noise_of(&norms, &(struct pl_noise_options){0, 0.5}, &n, &err) == 0 &&
		   fabs(n.gamma - 4 / 2.75) < 1e-12 && isnan(n.seconds),
	   "averages in which each iteration counts twice the one before");
	ok(pl_noise_of(&norms, &(struct pl_noise_options){3, 0.5}, &n, &err) == -1 &&
		   err.code == PL_EINPUT,
	   "none is left after the warmup");
}

/* The noise scales of many jobs scatter as each of them tells. */
static void test_error(void)
{
	struct pl_rng rng;
	struct pl_norms_step step[100];
	const struct pl_norms norms = {.workers = 8, .batch = 64, .step = step, .n = 100};
	double sum = 0, sum_sq = 0, error = 0;

	pl_rng_init(&rng, 1, 1);
	for (int k = 0; k < JOBS; k++) {
		struct pl_noise n;

		for (size_t i = 0; i < 100; i++)
			step[i] = (struct pl_norms_step){.local_sq = 6 + 4 * pl_rng_double(&rng),
							 .mean_sq = 2.25 + pl_rng_double(&rng),
							 .seconds = NAN,
							 .loss = NAN};
		pl_noise_of(&norms, &(struct pl_noise_options){0, 0.05}, &n, &err);
		sum += log(n.scale);
		sum_sq += log(n.scale) * log(n.scale);
		error += n.error / JOBS;
	}
	sum /= JOBS;
	error /= sqrt(sum_sq / JOBS - sum * sum);
	ok(error > 0.8 && error < 1.2,
	   "the standard error is what jobs scatter (%.3f of it, seed 1)", error);
}

static void test_knee(void)
{
	static const struct pl_knee_curve cheaper = {true, true, 1}, better = {false, false, 1};
	const double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
	const double falls[] = {100, 40, 20, 15, 10, 5, 4, 3, 2, 1};
	const double line[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
	const double flat[] = {1, 1, 1, 1};
	double u[10], v[10];

	is_int((int64_t)pl_knee(x, falls, 10, &cheaper), 2, "a curve that falls");
	is_int((int64_t)pl_knee(x, line, 10, &cheaper), 10, "a line has no knee");
	is_int((int64_t)pl_knee(x, flat, 4, &cheaper), 4, "nor a flat one");
	is_int((int64_t)pl_knee(x, falls, 2, &cheaper), 2, "nor two points");
	for (int i = 0; i < 10; i++) {
		u[i] = i / 9.0;
		v[i] = -1 / (u[i] + 0.1) + 5;
	}
	is_int((int64_t)pl_knee(u, v, 10, &better), 2, "Satopaa's figure 2: 0.22");
}

static void test_log(void)
{
	static const struct {
		const char *text, *says;
		long line;
	} bad[] = {
		{"", "the first line must be", 1},
		{"# plink-norms 1\n", "there is no iteration", 0},
		{"# plink-norms 1\nstep 0 1 1\n", "must come before", 2},
		{"# plink-norms 1\nworkers 2\nbatch 8\nstep 0 nan 1\n", "not finite", 4},
		{"# plink-norms 1\nworkers 2\nbatch 8\nstep 0 1 inf\n", "not finite", 4},
		{"# plink-norms 1\nworkers 2\nbatch 8\nstep 0 -1 1\n", "square of a norm", 4},
		{"# plink-norms 1\nworkers 2\nbatch 8\nstep 0 1 1 loss=nan\n", "loss must be", 4},
		{"# plink-norms 1\nworkers 2\nworkers 2\n", "once each", 3},
		{"# plink-norms 1\nworkers 0\n", "whole number", 2},
	};
	struct pl_norms norms = {0};
	struct pl_text text;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		pl_text_copy(&text, "log", bad[i].text, strlen(bad[i].text), NULL);
		ok(pl_norms_parse(&norms, &text, &err) == -1 && err.line == bad[i].line &&
			   strstr(err.text, bad[i].says),
		   "line %ld: %s", bad[i].line, err.text);
		pl_text_fini(&text);
	}
	pl_text_copy(&text, "log",
		     "# plink-norms 1\nbatch 8\nworkers 2\n# x\n"
		     "step 7 4 1 seconds=2 loss=-3\nstep 8 4 0.",
		     69, NULL);
	ok(pl_norms_parse(&norms, &text, &err) == 0 && norms.n == 1 && norms.workers == 2 &&
		   norms.batch == 8 && norms.step[0].iteration == 7 && norms.step[0].loss == -3,
	   "a line that is still written does not count");
	pl_norms_fini(&norms);
	pl_text_fini(&text);
}

/* A job of n iterations whose loss falls from @from to 1 / e of it in so many samples, with a tenth
 * of noise. */
static struct pl_norms losses(uint64_t batch, size_t n, double from, double samples,
			      struct pl_rng *rng)
{
	struct pl_norms norms = {.workers = 1, .batch = batch, .n = n};

	norms.step = calloc(n, sizeof(*norms.step));
	for (size_t i = 0; i < n; i++)
		norms.step[i] =
			(struct pl_norms_step){.iteration = 7 + i, /* goes on from others */
					       .loss = from * exp(-(double)(i * batch) / samples) +
						       0.1 * (pl_rng_double(rng) - 0.5)};
	return norms;
}

static double progress(size_t n_small, double from, double fall_small, double fall_large)
{
	struct pl_rng rng;
	struct pl_norms small, large;
	const char *why;
	double ratio;

	pl_rng_init(&rng, 1, 0);
	small = losses(32, n_small, from, fall_small, &rng);
	large = losses(256, 30, 3, fall_large, &rng);
	ratio = pl_batch_progress_unfit(&large) ? NAN : pl_batch_progress(&small, &large, &why);
	free(small.step);
	free(large.step);
	return ratio;
}

static void test_progress(void)
{
	ok(fabs(progress(300, 3, 5000, 5000) - 1) < 0.03, "both fall as fast: 1");
	ok(fabs(progress(300, 3, 5000, 10000) - 2) < 0.1,
	   "the larger batch needs twice the samples: 2");
	ok(fabs(progress(300, 3, 5000, 4500) - 0.9) < 0.03, "or fewer: 0.9");
	ok(fabs(progress(300, 3, 5000, 20000) - 4) < 0.4 &&
		   fabs(progress(300, 3, 5000, 40000) - 8) < 0.8 &&
		   fabs(progress(300, 3, 5000, 80000) - 16) < 2,
	   "or many times as many, as at the same learning rate");
	ok(fabs(progress(120, 3, 5000, 10000) - 2) < 0.2, "of those samples that both have had");
	ok(isnan(progress(60, 3, 5000, 10000)), "which may be too few");
	ok(isnan(progress(300, 1, 5000, 10000)), "another begin: not known");
	ok(isnan(progress(300, 3, 1e9, 1e9)), "no fall: not known");
}

int main(void)
{
	test_noise();
	test_average();
	test_progress();
	test_error();
	test_knee();
	test_log();
	return done_testing();
}
