/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-affinity.c - PAIA against its definition, triplet by triplet */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/affinity.h"

#include <math.h>

enum { HOSTS_MAX = 12 };

/* As the thesis has it: a and b, two different ones, seen from c. */
static struct pl_affinity by_hand(const double *m, const unsigned char *t, size_t n)
{
	struct pl_affinity sum = {0};

	for (size_t c = 0; c < n; c++)
		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b < a; b++) {
				const double x = m[a * n + c], y = m[b * n + c];
				const unsigned char far = t[a * n + c];
				const unsigned char near = t[b * n + c];

				if (a == c || b == c || far == near || isnan(x) || isnan(y))
					continue;
				sum.tied += x == y;
				sum.right += x != y && (x < y) == (far < near);
				sum.wrong += x != y && (x < y) != (far < near);
			}
	return sum;
}

static bool same(const struct pl_affinity *a, const struct pl_affinity *b)
{
	return a->right == b->right && a->wrong == b->wrong && a->tied == b->tied;
}

/* Random measures, some missing and many alike, of hosts apart as they may
 * be. */
static bool agrees(uint64_t trial)
{
	double m[HOSTS_MAX * HOSTS_MAX];
	unsigned char t[HOSTS_MAX * HOSTS_MAX], column[HOSTS_MAX];
	struct pl_affinity sum = {0}, want;
	struct pl_rng rng;
	size_t n;

	pl_rng_init(&rng, 5, trial);
	n = 1 + pl_rng_below(&rng, HOSTS_MAX);
	for (size_t i = 0; i < n * n; i++) {
		m[i] = pl_rng_below(&rng, 8) == 0 ? NAN : (double)pl_rng_below(&rng, 10);
		t[i] = (unsigned char)(1 + pl_rng_below(&rng, 4));
	}
	want = by_hand(m, t, n);
	for (size_t c = 0; c < n; c++) {
		for (size_t i = 0; i < n; i++)
			column[i] = t[i * n + c];
		if (pl_affinity_add(&sum, m, n, c, column, NULL))
			return false;
	}
	return same(&sum, &want);
}

/* Four hosts: two in one rack, one in the next of that row, one in another
 * row. */
static int places(struct pl_places *p)
{
	static const char told[] = "a r1/k1\nb r1/k1\nc r1/k2\nd r2/k3\n";
	struct pl_text text = {0};
	int rc;

	if (pl_text_copy(&text, "told", told, sizeof(told) - 1, NULL))
		return -1;
	rc = pl_places_parse(p, &text, NULL);
	pl_text_fini(&text);
	return rc;
}

static void by_places(void)
{
	static const double m[16] = {0, 1, 2, 3, 1, 0, 2, 3, 2, 2, 0, 3, 3, 3, 1, 0};
	ptrdiff_t place[4] = {0, 1, 2, 3};
	struct pl_affinity sum;
	struct pl_places p = {0};

	if (!ok(!places(&p) && !pl_affinity(&sum, m, 4, &p, place, NULL), "hosts by their places"))
		return;
	/* a: b<c<d 3 right; b the same; c: a, b 2 against d 1: 2 wrong, and
	 * a, b are alike in truth; d: all are as far */
	is_int((int64_t)sum.right, 6, "right ones");
	is_int((int64_t)sum.wrong, 2, "wrong ones");
	is_int((int64_t)sum.tied, 0, "ties");
	ok(pl_affinity_score(&sum) == 0.75, "their share");
	place[3] = -1;
	ok(!pl_affinity(&sum, m, 4, &p, place, NULL) && sum.right == 2 && sum.wrong == 0,
	   "one whose place is not known");
	place[0] = place[1] = -1;
	ok(!pl_affinity(&sum, m, 4, &p, place, NULL) && isnan(pl_affinity_score(&sum)),
	   "nothing to judge: no score");
	pl_places_fini(&p);
}

static void without_memory(void)
{
	static const double m[16];
	const ptrdiff_t place[4] = {0, 1, 2, 3};
	struct pl_places p = {0};
	struct pl_affinity sum;
	bool failed = true, told = true, freed = true;
	size_t live;

	if (places(&p))
		return;
	for (size_t k = 0; failed; k++) {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_affinity(&sum, m, 4, &p, place, &err);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
	pl_places_fini(&p);
}

int main(void)
{
	uint64_t n_right = 0;

	for (uint64_t trial = 0; trial < 300; trial++)
		n_right += agrees(trial);
	is_int((int64_t)n_right, 300, "as the definition counts, 300 times");
	by_places();
	without_memory();
	return done_testing();
}
