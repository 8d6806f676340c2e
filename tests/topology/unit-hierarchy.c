/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hierarchy.c - racks, rows and halls planted and found */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/hierarchy.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 48, FEW = 24, LEVELS = 3 };

static double cell[HOSTS * HOSTS];
static size_t place[LEVELS][HOSTS]; /* planted: rack, row, hall */

/* Racks of 4 hosts, rows of 3 racks (the last of 2 and a rack alone), halls of 2 rows; each level
 * is 3 times as far as the one below, give or take. */
static void plant(double noise, size_t n)
{
	struct pl_rng rng;
	size_t seat[HOSTS];

	pl_rng_init(&rng, 5, 1);
	for (size_t i = 0; i < n; i++)
		seat[i] = i;
	pl_rng_shuffle(&rng, seat, n);
	for (size_t i = 0; i < n; i++) {
		place[0][i] = seat[i] / 4;
		place[1][i] = place[0][i] / 3 + (place[0][i] == 11);
		place[2][i] = place[1][i] / 2;
	}
	for (size_t p = 0; p < n * n; p++) {
		const size_t a = p / n, b = p % n;
		double us = 100;

		for (size_t k = 0; k < LEVELS; k++)
			if (place[k][a] != place[k][b])
				us *= 3;
		cell[p] = a == b ? 0 : us * (1 + noise * pl_rng_double(&rng));
	}
}

static bool same(const size_t *a, const size_t *b)
{
	for (size_t i = 0; i < HOSTS; i++)
		for (size_t j = 0; j < i; j++)
			if ((a[i] == a[j]) != (b[i] == b[j]))
				return false;
	return true;
}

static void test_planted(void)
{
	struct pl_hierarchy l = {0};

	plant(0.3, HOSTS);
	is_int(pl_hierarchy_find(&l, cell, HOSTS, place[0], 12, NULL), 0, "racks, rows and halls");
	is_int((int64_t)l.n, LEVELS, "three levels");
	for (size_t k = 1; k < l.n && k < LEVELS; k++)
		ok(same(l.level[k].group, place[k]), "level %zu is as planted", k);
	is_int((int64_t)l.level[0].group[l.level[0].first[7]], 7,
	       "the first host of a group is in it");
	pl_hierarchy_fini(&l);
}

static void test_flat(void)
{
	struct pl_hierarchy l = {0};

	plant(0.3, HOSTS);
	for (size_t p = 0; p < (size_t)HOSTS * HOSTS; p++)
		if (place[0][p / HOSTS] != place[0][p % HOSTS])
			cell[p] = 300;
	is_int(pl_hierarchy_find(&l, cell, HOSTS, place[0], 12, NULL), 0,
	       "racks that are all alike");
	is_int((int64_t)l.n, 1, "are in nothing narrower than the whole");
	pl_hierarchy_fini(&l);
}

static void test_no_memory(void)
{
	bool failed = true, told = true;
	size_t live;

	plant(0, FEW);
	for (size_t k = 0; failed; k++) {
		struct pl_hierarchy l = {0};
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_hierarchy_find(&l, cell, FEW, place[0], FEW / 4, &err);
		pl_hierarchy_fini(&l);
		failed = failalloc_end(&live);
		told = told && (rc == -1) == failed && live == 0 &&
		       (rc == 0 || err.code == PL_ESYSTEM);
	}
	ok(told, "without memory: told, nothing kept");
}

int main(void)
{
	test_planted();
	test_flat();
	test_no_memory();
	return done_testing();
}
