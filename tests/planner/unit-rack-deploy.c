/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rack-deploy.c - prices of deployments: nonsense with its place, lack of
 * memory, table 6.3 of the thesis */
#include "config.h"

#include "planner/rack/deploy.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static int parse(struct pl_deploys *d, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*d = (struct pl_deploys){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "p", s, strlen(s), err))
		return -1;
	rc = pl_deploys_parse(d, &text, err);
	pl_text_fini(&text);
	return rc;
}

#define HEAD "{\"plink-rack\": 1, \"deployments\": ["
#define ONE(machine, ports, rest)                                                                  \
	HEAD "{\"name\": \"a\",\n\"machine\": " machine ",\n"                                      \
	     "\"accelerator\": 0, \"accelerators\": 0, \"card\": 1,\n"                             \
	     "\"cable\": 1, \"switch\": {\"price\": 1, \"ports\": " ports                          \
	     "},\n\"samples_per_s\": 1,\n" rest "}]}"
#define RATIO "\"oversubscription\": [1]"

static const struct {
	const char *text;
	long line;
	const char *part;
} bad[] = {
	{"", 1, "end of file"},
	{"[]", 1, "lacks \"plink-rack\": 1"},
	{"{\"plink-rack\": 2}", 1, "2 is not"},
	{HEAD "]}", 1, "0 elements"},
	{ONE("-1", "2", RATIO), 2, "-1 is not"},
	{ONE("0", "2", RATIO), 1, "costs nothing"},
	{ONE("1", "1", RATIO), 4, "1 is not"},
	{ONE("1", "2", "\"oversubscription\": []"), 6, "0 elements"},
	{ONE("1", "2", "\"oversubscription\": [0.5]"), 6, "0.5 is not"},
	{ONE("1", "2", RATIO ", \"reported\": [1, 2]"), 6, "2 elements"},
	{ONE("1", "2", RATIO ", \"hub\": {}"), 6, "missing"},
	{ONE("1", "2", RATIO ", \"hubs\": 1"), 6, "hubs"},
};
#define N_BAD (sizeof(bad) / sizeof(*bad))

static void test_nonsense(void)
{
	struct pl_deploys d;
	struct pl_err err;

	for (size_t i = 0; i < N_BAD; i++) {
		ok(parse(&d, bad[i].text, &err) && err.code == PL_EINPUT &&
			   err.line == bad[i].line && !d.v,
		   "nonsense %zu is refused, line %ld", i, err.line);
		has_str(err.text, bad[i].part, "with its reason");
	}
}

static void test_memory(void)
{
	struct pl_deploys d;
	struct pl_err err;
	bool failed = true, good = true;

	for (size_t k = 0; failed; k++) {
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = parse(&d, ONE("1", "2", RATIO ", \"why\": \"x\""), &err);
		pl_deploys_fini(&d);
		failed = failalloc_end(&live);
		good &= live == 0 && (rc != 0) == failed;
	}
	ok(good, "no memory: an error, and nothing is left");
}

/* Rows of table 6.3, and by its formula with the prices that it prints. */
static void test_thesis(void)
{
	static const struct {
		size_t of;
		double ratio;
		uint64_t workers;
		double per_1000, reported;
	} rows[] = {
		{0, 1, 16, 46.11, 46.11},
		{1, 1, 44, 61.4, 55.19},
		{1, 2, 65, 66.5, 57.71},
		{1, 3, 76, 68.1, 59.03},
	};
	char path[4096];
	struct pl_deploys d = {0};
	struct pl_deploy_cost c;
	struct pl_err err = {0};

	snprintf(path, sizeof(path), "%s/planner/rack/thesis-prices.json",
		 getenv("srcdir") ? getenv("srcdir") : ".");
	if (!ok(pl_deploys_read(&d, path, &err) == 0, "the thesis's prices"))
		return;
	for (size_t i = 0; i < 4; i++) {
		const struct pl_deploy *of = &d.v[rows[i].of];
		size_t k = 0;

		ok(pl_deploy_cost(of, of->hubs, rows[i].ratio, &c, &err) == 0 &&
			   fabs(c.per_1000 - rows[i].per_1000) < 0.05,
		   "table 6.3 by its formula: %.2f", c.per_1000);
		is_int((int64_t)c.workers, (int64_t)rows[i].workers, "workers of a switch");
		while (k + 1 < of->n && of->ratio[k] != rows[i].ratio)
			k++;
		ok(of->reported[k] == rows[i].reported, "what the table has stands beside it");
	}
	ok(pl_deploy_cost(&d.v[1], 4, 1, &c, &err) && err.code == PL_EINPUT,
	   "four hubs at 1:1 leave no port");
	pl_deploys_fini(&d);
}

int main(void)
{
	test_nonsense();
	test_memory();
	test_thesis();
	return done_testing();
}
