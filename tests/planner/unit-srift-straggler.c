/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-straggler.c - the slowest machine: distribution, means, mixed types */
#include "config.h"

#include "planner/srift/iteration/straggler.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

/* Expected greatest of n standard normal draws (order statistics; Harter
 * 1961). */
static const struct {
	size_t n;
	double mean;
} greatest[] = {{1, 0},       {2, 0.5642},  {4, 1.0294}, {8, 1.4236},
		{16, 1.7660}, {32, 2.0697}, {64, 2.3437}};

static void test_inverse(void)
{
	double worst = 0;

	for (double q = 1e-300; q < 0.5; q *= 1.5) {
		const double x = pl_normal_exceeds(q);

		worst = fmax(worst, fabs(erfc(x / sqrt(2)) / 2 / q - 1));
		if (q > 1e-10)
			worst = fmax(worst, fabs(x + pl_normal_exceeds(1 - q)) * 1e-3);
	}
	printf("# off by %g\n", worst);
	ok(worst < 1e-9, "the inverse of erfc, in both tails");
	ok(fabs(pl_normal_exceeds(0.5)) < 1e-15, "a half: 0");
	ok(fabs(pl_normal_exceeds(0.025) - 1.959963984540054) < 1e-14, "1.96");
}

static void test_means(void)
{
	for (size_t i = 0; i < sizeof(greatest) / sizeof(*greatest); i++) {
		const size_t draws = 400000;
		struct pl_rng rng;
		double sum = 0;

		pl_rng_init(&rng, 1, i);
		for (size_t k = 0; k < draws; k++)
			sum += pl_normal_max(&rng, greatest[i].n);
		/* five standard errors, the deviation being at most 1 */
		if (!ok(fabs(sum / (double)draws - greatest[i].mean) < 5 / sqrt((double)draws),
			"mean of the greatest of %zu", greatest[i].n))
			printf("# %g\n", sum / (double)draws);
	}
}

/* One draw of the greatest is as good as drawing all (Box and Muller) and looking: Kolmogorov's
 * distance of two samples. */
static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double distance(double *a, double *b, size_t n)
{
	double worst = 0;
	size_t i = 0, j = 0;

	qsort(a, n, sizeof(*a), compare);
	qsort(b, n, sizeof(*b), compare);
	while (i < n && j < n) {
		if (a[i] <= b[j])
			i++;
		else
			j++;
		worst = fmax(worst, fabs((double)i - (double)j) / (double)n);
	}
	return worst;
}

static void test_distribution(void)
{
	enum { N = 20000, MACHINES = 12 };
	double *at_once = calloc(N, sizeof(double));
	double *each = calloc(N, sizeof(double));
	struct pl_rng rng;

	pl_rng_init(&rng, 3, 0);
	for (int k = 0; k < N; k++) {
		at_once[k] = pl_normal_max(&rng, MACHINES);
		each[k] = -INFINITY;
		for (int i = 0; i < MACHINES; i++)
			each[k] = fmax(each[k], sqrt(-2 * log(1 - pl_rng_double(&rng))) *
							cos(2 * M_PI * pl_rng_double(&rng)));
	}
	/* 1.95 sqrt(2 / N): exceeded by chance once in a thousand seeds */
	ok(distance(at_once, each, N) < 1.95 * sqrt(2. / N),
	   "one draw of the greatest is as all draws");
	free(at_once);
	free(each);
}

static struct pl_selection_part part(struct pl_profile_instance *instance, size_t count,
				     double forward_s, double backward_s)
{
	return (struct pl_selection_part){.instance = instance,
					  .count = count,
					  .forward_s = forward_s,
					  .backward_s = backward_s};
}

/* Notes on srift 4.3: the factor at its median scale of 3.6 %. */
static void test_factors(void)
{
	static const struct {
		size_t n;
		double factor;
	} want[] = {{8, 1.0512}, {16, 1.0636}, {64, 1.0844}};

	for (size_t i = 0; i < 3; i++) {
		struct pl_profile_instance in = {.straggler = 0.036};
		struct pl_selection_part p = part(&in, want[i].n, 1, 3);
		const struct pl_selection sel = {.part = &p, .n_parts = 1, .room = 1};
		struct pl_slowest s;
		struct pl_rng rng;

		pl_rng_init(&rng, 1, 0);
		pl_slowest_draw(&s, &sel, 100000, &rng);
		ok(fabs((s.forward_s + s.backward_s) / 4 / want[i].factor - 1) < 0.002,
		   "3.6 %% and %zu machines: %.4f times the mean", want[i].n, want[i].factor);
		ok(fabs(s.backward_s / s.forward_s - 3) < 1e-9 && s.part_s[0] == s.backward_s,
		   "both passes alike");
		free(s.part_s);
	}
}

static void test_mixed(void)
{
	struct pl_profile_instance quiet = {0}, noisy = {.straggler = 0.5};
	struct pl_selection_part p[] = {part(&quiet, 3, 1, 2), part(&quiet, 2, 2, 2)};
	struct pl_selection sel = {.part = p, .n_parts = 2, .room = 2};
	struct pl_slowest s;
	struct pl_rng rng;
	double seconds;

	pl_rng_init(&rng, 1, 0);
	is_int(pl_slowest_draw(&s, &sel, 100, &rng), 0, "two types");
	ok(fabs(s.forward_s - 2) < 1e-12 && fabs(s.part_s[1] - 2) < 1e-12 && s.part_s[0] == 0,
	   "without chance the slower type is always the slowest");
	free(s.part_s);

	p[0].instance = &noisy;
	pl_slowest_draw(&s, &sel, 100000, &rng);
	seconds = s.forward_s + s.backward_s;
	ok(s.part_s[0] > 0 && s.part_s[1] > 0 && seconds > 4, "with chance either may be");
	ok(fabs(s.part_s[0] + s.part_s[1] - s.backward_s) < 1e-12, "which adds up");
	free(s.part_s);

	p[0].instance = &quiet;
	p[1] = part(&noisy, 1, 1e-3, 1e-3);
	pl_slowest_draw(&s, &sel, 1000, &rng);
	ok(fabs(s.forward_s + s.backward_s - 3) < 1e-9,
	   "a fast one is never in the way, were it ever so noisy");
	free(s.part_s);
}

int main(void)
{
	test_inverse();
	test_means();
	test_distribution();
	test_factors();
	test_mixed();
	return done_testing();
}
