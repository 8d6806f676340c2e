/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-plan-costs.c - a plan's costs between hosts: nonsense, copies */
#include "config.h"

#include "base/plan/plan.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static int parse(struct pl_plan *plan, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*plan = (struct pl_plan){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "f.plan", s, strlen(s), err))
		return -1;
	rc = pl_plan_parse(plan, &text, err);
	pl_text_fini(&text);
	return rc;
}

#define V "# plink-plan 1\n"
#define H2 V "host 0 a slots=1\nhost 1 b slots=1\n"
#define O "order x y z 0- : 1 0\n"

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{V "costs 0 0\n", 2, 6, "before any host"},
	{H2 "costs\n", 4, 6, "costs of host 0"},
	{H2 "costs 1 1 0\n", 4, 7, "costs of host 0"},
	{H2 "costs 0 0\n", 4, 10, "ends after 1 of 2 costs"},
	{H2 "costs 0 0 1 1\n", 4, 13, "after all 2 costs"},
	{H2 "costs 0 0 -1\n", 4, 11, "not negative"},
	{H2 "costs 0 0 nan\n", 4, 11, "finite"},
	{H2 "costs 0 0 1e999\n", 4, 11, "finite"},
	{H2 "costs 0 0 x\n", 4, 11, "finite"},
	{H2 "costs 0 1 0\n", 4, 9, "to itself is 0"},
	{H2 "costs 0 0 1\nhost 2 c\n", 5, 5, "another kind"},
	{H2 "costs 0 0 1\n" O, 0, 0, "1 of 2 hosts have costs"},
	{H2 "costs 0 0 1\ncosts 1 1 0\ncosts 0 0 1\n", 6, 6, "already"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pl_plan plan;
		struct pl_err err;
		const int rc = parse(&plan, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && !plan.cost &&
				err.line == bad[i].line && err.col == bad[i].col &&
				strstr(err.text, bad[i].part),
			"refused, case %zu", i))
			printf("# got %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_plan_fini(&plan);
	}
}

/* The plan as text, to be freed; NULL: refused. */
static char *written(const struct pl_plan *plan)
{
	struct pl_err err = {0};
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int rc;

	if (!f)
		abort();
	rc = pl_plan_write(plan, f, &err);
	fclose(f);
	if (rc == 0)
		return text;
	ok(err.code == PL_EINPUT && len == 0, "refused at the first byte");
	free(text);
	return NULL;
}

static void test_copies(void)
{
	static const char text[] = H2 "costs 0 0 0.125\ncosts 1 200 0\n" O;
	struct pl_plan plan;
	struct pl_err err;
	char *again;

	is_int(parse(&plan, H2 "costs 0 0 0.125\n" O "costs 1 2e2 0\n", &err), 0,
	       "costs may stand among orders");
	ok(plan.cost && plan.cost[0] == 0 && plan.cost[1] == 0.125 && plan.cost[2] == 200 &&
		   plan.cost[3] == 0,
	   "from row to column");
	again = written(&plan);
	is_str(again, text, "and are written before the orders");
	free(again);
	plan.cost[1] = NAN;
	ok(!written(&plan), "a cost that is not known is not written");
	plan.cost[1] = 1;
	plan.cost[3] = 1;
	ok(!written(&plan), "nor one of a host to itself");
	pl_plan_fini(&plan);
}

/* The host in the middle is taken out; what the whole order cost is not what the rest does. */
static void test_restrict(void)
{
	static const bool all[] = {true, true, true}, two[] = {true, false, true};
	struct pl_plan plan;
	struct pl_err err;
	char *text;

	is_int(parse(&plan,
		     H2 "host 2 c slots=1\ncosts 0 0 1 2\ncosts 1 3 0 4\ncosts 2 5 6 0\n"
			"order x y z 0- cost=5 given=7 bound=3 : 2 1 0\n",
		     &err),
	       0, "three hosts");
	ok(pl_plan_restrict(&plan, all) == 0 && plan.order[0].cost == 5, "all: as it was");
	is_int(pl_plan_restrict(&plan, two), 0, "two of them");
	text = written(&plan);
	is_str(text,
	       V "host 0 a slots=1\nhost 1 c slots=1\ncosts 0 0 2\ncosts 1 5 0\n"
		 "order x y z 0- : 1 0\n",
	       "in their sequence, with their costs, without the order's");
	free(text);
	pl_plan_fini(&plan);
}

int main(void)
{
	test_nonsense();
	test_copies();
	test_restrict();
	return done_testing();
}
