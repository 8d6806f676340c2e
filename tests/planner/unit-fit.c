/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-fit.c - least squares: by hand, without a solution, and of columns that nearly depend on one
 * another */
#include "config.h"

#include "planner/fit.h"
#include "tests/tap.h"

#include <math.h>

#define ROWS 40

static bool is_near(double got, double want, double tolerance)
{
	if (fabs(got - want) <= tolerance * fabs(want))
		return true;
	printf("# got %.12g, want %.12g\n", got, want);
	return false;
}

static void test_few(void)
{
	double a[] = {1, 0, 1, 1, 1, 2, 1, 3}, y[] = {1, 3, 5, 9}, x[2];
	double same[] = {1, 2, 2, 4, 3, 6}, z[] = {1, 2, 3};

	/* normal equations by hand: 4 c + 6 m = 18, 6 c + 14 m = 40 */
	ok(pl_fit(a, y, 4, 2, x) == 0 && is_near(x[0], 0.6, 1e-12) && is_near(x[1], 2.6, 1e-12),
	   "a line through four points, by hand");
	ok(pl_fit(same, z, 3, 2, x) == -1, "columns that are the same");
	ok(pl_fit(a, y, 1, 2, x) == -1, "fewer rows than unknowns");
	ok(is_near(x[0], 0.6, 1e-12), "then nothing is changed");
}

/* Powers of 0 to 1 up to the eighth, whose normal equations are worse than a double resolves. */
static void test_powers(void)
{
	double a[ROWS * PL_FIT_MAX], y[ROWS] = {0}, x[PL_FIT_MAX], off = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < PL_FIT_MAX; j++) {
			a[i * PL_FIT_MAX + j] = pow((double)i / (ROWS - 1), (double)j);
			y[i] += (double)(j + 1) * a[i * PL_FIT_MAX + j];
		}
	is_int(pl_fit(a, y, ROWS, PL_FIT_MAX, x), 0, "nine powers");
	for (size_t j = 0; j < PL_FIT_MAX; j++)
		off = fmax(off, fabs(x[j] - (double)(j + 1)));
	if (!ok(off < 1e-7, "come back"))
		printf("# off by %g\n", off);
}

int main(void)
{
	test_few();
	test_powers();
	return done_testing();
}
