/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-spot-fit.c - values learned from features: laws that come back */
#include "config.h"

#include "planner/fit.h"
#include "planner/transient/regress.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static const struct pl_columns columns = {
	.feature = {"a", "b, too"},
	.n_features = 2,
	.target = "s",
};

static int read_rows(struct pl_samples *s, const char *rows, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	*s = (struct pl_samples){0};
	if (pl_text_copy(&text, "rows", rows, strlen(rows), err))
		return -1;
	rc = pl_samples_parse(s, &text, &columns, err);
	pl_text_fini(&text);
	return rc;
}

static void test_rows(void)
{
	static const struct {
		const char *text;
		long line, col;
		const char *part;
	} bad[] = {
		{"", 1, 1, "the file has no row"},
		{"s,a,\"b, too\"\n", 1, 1, "the file has no row"},
		{"s,a\n1,2\n", 1, 1, "no column is called \"b, too\""},
		{"s,a,a,\"b, too\"\n", 1, 5, "column \"a\" comes again"},
		{"s,a,\"b, too\"\n1,x,3\n", 2, 3, "\"x\" is not a number"},
		{"s,a,\"b, too\"\n1,nan,3\n", 2, 3, "is not a number"},
		{"s,a,\"b, too\"\n1,2\n", 2, 4, "ends before column"},
	};
	struct pl_samples s;
	struct pl_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const int rc = read_rows(&s, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				err.col == bad[i].col && !s.x && strstr(err.text, bad[i].part),
			"refused: %s", bad[i].part))
			printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
	}
	is_int(read_rows(&s, "# x\nz,\"b, too\",s,a\n\nq,1,2,3\n?,4,5e0,6\n", &err), 0,
	       "columns in any order, others among them");
	ok(s.n == 2 && s.x[0] == 3 && s.x[1] == 1 && s.y[0] == 2 && s.x[2] == 6 && s.x[3] == 4 &&
		   s.y[1] == 5,
	   "each in its place");
	pl_samples_fini(&s);
}

#define ROWS 40

/* y of two features, of which the second is given by a law of its own. */
static void make_rows(struct pl_samples *s, double x[ROWS * 2], double y[ROWS],
		      double (*law)(double a, double b))
{
	*s = (struct pl_samples){.x = x, .y = y, .n = ROWS, .n_features = 2};
	for (size_t k = 0; k < ROWS; k++) {
		x[2 * k] = 100 + (double)k;
		x[2 * k + 1] = (double)(k * 7 % 11);
		y[k] = law(x[2 * k], x[2 * k + 1]);
	}
}

static double plane(double a, double b)
{
	return 3 * a - 0.5 * b + 7;
}

static double wave(double a, double b)
{
	return sin(a / 8) + 0.1 * b;
}

static void test_linear(void)
{
	const struct pl_svr_options none = {.cost = 0};
	struct pl_svr_options best;
	double x[ROWS * 2], y[ROWS], c[PL_FEATURES_MAX + 1];
	const double at[2] = {1000, -3};
	struct pl_samples s;
	struct pl_regress_error error;
	struct pl_err err;
	struct pl_regress fit;

	make_rows(&s, x, y, plane);
	is_int(pl_regress_make(&fit, PL_REGRESS_LINEAR, &s, &none, &err), 0, "a plane");
	pl_regress_coefficients(&fit, c);
	ok(fabs(pl_regress_at(&fit, at) - plane(1000, -3)) < 1e-8 && fabs(c[0] - 3) < 1e-10 &&
		   fabs(c[1] + 0.5) < 1e-10 && fabs(c[2] - 7) < 1e-8,
	   "comes back");
	pl_regress_fini(&fit);
	is_int(pl_regress_make(&fit, PL_REGRESS_PCA, &s, &none, &err), 0,
	       "two components of two features");
	ok(fabs(pl_regress_at(&fit, at) - plane(1000, -3)) < 1e-8, "are the same plane");
	pl_regress_fini(&fit);
	is_int(pl_regress_search(&best, &error, PL_REGRESS_LINEAR, &s, 5, 1, &err), 0, "folds");
	ok(error.mae < 1e-10, "predict it exactly");
	is_int(pl_regress_search(&best, &error, PL_REGRESS_LINEAR, &s, ROWS + 1, 1, &err), -1,
	       "more folds than rows");
	has_str(err.text, "fewer than 41 folds", "are refused");
	for (size_t k = 0; k < ROWS; k++)
		x[2 * k + 1] = 2 * x[2 * k];
	is_int(pl_regress_make(&fit, PL_REGRESS_LINEAR, &s, &none, &err), -1,
	       "features that depend on each other");
	has_str(err.text, "depend on each other", "are refused");
	for (size_t k = 0; k < ROWS; k++)
		x[2 * k + 1] = 4;
	is_int(pl_regress_make(&fit, PL_REGRESS_LINEAR, &s, &none, &err), -1,
	       "a feature that never changes");
	has_str(err.text, "feature 2 is the same in all", "is refused");
}

/* Along (2, 1, 2) / 3 with 9 times the square of (1, 2, -2) / 3, and nothing else. */
static void test_axes(void)
{
	static const double u[3] = {2 / 3., 1 / 3., 2 / 3.};
	static const double v[3] = {1 / 3., 2 / 3., -2 / 3.};
	double a[PL_FEATURES_MAX][PL_FEATURES_MAX] = {{0}};
	double axis[PL_FEATURES_MAX][PL_FEATURES_MAX];
	double off = 0;

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			a[i][j] = 9 * u[i] * u[j] + v[i] * v[j];
	is_int(pl_fit_axes(a[0], axis[0], 3, PL_FEATURES_MAX), 0, "principal components");
	for (size_t i = 0; i < 3; i++)
		off = fmax(off, fmax(fabs(axis[0][i] - u[i]), fabs(fabs(axis[1][i]) - fabs(v[i]))));
	ok(off < 1e-12, "the largest first");
}

static void test_vectors(void)
{
	double x[ROWS * 2], y[ROWS], worst = 0;
	struct pl_svr_options best = {.cost = 0}, none;
	struct pl_samples s;
	struct pl_regress_error line, error;
	struct pl_err err;
	struct pl_regress fit;

	make_rows(&s, x, y, wave);
	if (!pl_svr_is_built_in()) {
		is_int(pl_regress_search(&best, &error, PL_REGRESS_RBF, &s, 5, 1, &err), -1,
		       "without libsvm");
		has_str(err.text, "needs libsvm", "it is told");
		return;
	}
	is_int(pl_regress_search(&best, &error, PL_REGRESS_RBF, &s, 5, 1, &err), 0,
	       "support vectors");
	pl_regress_search(&none, &line, PL_REGRESS_LINEAR, &s, 5, 1, &err);
	ok(error.mae < line.mae / 4 && best.cost >= 10 && best.epsilon <= 0.1,
	   "follow a wave as no line does");
	is_int(pl_regress_make(&fit, PL_REGRESS_RBF, &s, &best, &err), 0, "a fit");
	for (size_t k = 0; k < ROWS; k++)
		worst = fmax(worst, fabs(pl_regress_at(&fit, x + 2 * k) - y[k]));
	if (!ok(worst < 0.1, "runs close to the rows"))
		printf("# off by up to %g, epsilon %g\n", worst, best.epsilon);
	pl_regress_fini(&fit);
}

static void test_memory(void)
{
	struct pl_svr_options none;
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_regress_error error;
		struct pl_samples s;
		struct pl_err err;
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = read_rows(&s,
			       "s,a,\"b, too\"\n1,1,1\n2,2,5\n4,4,2\n3,9,1\n"
			       "2,4,4\n1,7,8\n5,3,9\n6,1,7\n",
			       &err);
		if (rc == 0)
			rc = pl_regress_search(&none, &error, PL_REGRESS_LINEAR, &s, 2, 3, &err);
		clean &= rc == 0 || err.code == PL_ESYSTEM || err.code == PL_EINPUT;
		pl_samples_fini(&s);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0 || failed);
	}
	ok(clean && k > 5, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_rows();
	test_linear();
	test_axes();
	test_vectors();
	test_memory();
	return done_testing();
}
