/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-sample.c - pairs to measure: enough of them, few of them, none twice */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/disagree.h"
#include "topology/sample.h"

#include <math.h>
#include <stdlib.h>

static void read_text(struct pl_places *p, const char *s)
{
	struct pl_text text;

	*p = (struct pl_places){0};
	if (pl_text_copy(&text, "places", s, strlen(s), NULL) == 0 &&
	    pl_places_parse(p, &text, NULL) == 0)
		pl_text_fini(&text);
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pl_sample_pair *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

static size_t root_of(size_t *up, size_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* Faults of a set of pairs: twice, out of range, not all hosts connected. */
static size_t faults(struct pl_sample_pair *pair, size_t n_pairs, size_t n)
{
	size_t *up = malloc((n + 1) * sizeof(*up));
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++)
		up[i] = i;
	if (n_pairs > 0)
		qsort(pair, n_pairs, sizeof(*pair), compare_pairs);
	for (size_t k = 0; k < n_pairs; k++) {
		wrong += pair[k].a >= pair[k].b || pair[k].b >= n;
		wrong += k > 0 && !compare_pairs(&pair[k - 1], &pair[k]);
		up[root_of(up, pair[k].a)] = root_of(up, pair[k].b);
	}
	for (size_t i = 1; i < n; i++)
		wrong += root_of(up, i) != root_of(up, 0);
	free(up);
	return wrong;
}

static size_t log2_up(size_t n)
{
	size_t k = 0;

	while (((size_t)1 << k) < n)
		k++;
	return k;
}

/* Every host has so many others in its own place, or all there are. */
static size_t lonely(const struct pl_places *p, const ptrdiff_t *at, size_t n,
		     const struct pl_sample_pair *pair, size_t n_pairs, size_t want)
{
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++) {
		size_t others = 0, met = 0;

		if (at[i] < 0)
			continue;
		for (size_t j = 0; j < n; j++)
			others +=
				j != i && at[j] >= 0 && p->host[at[j]].node == p->host[at[i]].node;
		for (size_t k = 0; k < n_pairs; k++) {
			const size_t j = pair[k].a == i   ? pair[k].b
					 : pair[k].b == i ? pair[k].a
							  : n;

			met += j < n && at[j] >= 0 && p->host[at[j]].node == p->host[at[i]].node;
		}
		wrong += met < (others < want ? others : want);
	}
	return wrong;
}

/* Random trees of places, some hosts in wider ones, some in none. */
static void test_random(uint64_t seed)
{
	static const char letters[] = "abcdefghi";
	struct pl_rng rng;
	size_t wrong = 0, many = 0, alone = 0;

	pl_rng_init(&rng, seed, 0);
	for (size_t round = 0; round < 300; round++) {
		const size_t n = 1 + pl_rng_below(&rng, 60);
		const size_t wide = 1 + pl_rng_below(&rng, 9);
		struct pl_sample_options options = {
			.within = pl_rng_below(&rng, 4),
			.across = 1 + pl_rng_below(&rng, 3),
			.seed = round,
		};
		struct pl_places p = {0};
		ptrdiff_t at[60];
		struct pl_sample_pair *pair = NULL;
		size_t n_pairs = 0;

		if (options.within == 3)
			options.within = PL_SAMPLE_ALL;
		for (size_t i = 0; i < n; i++) {
			struct pl_places_path path = {0};
			const size_t depth = pl_rng_below(&rng, 4);
			const char name = (char)('!' + i);

			for (size_t k = 0; k < depth; k++)
				pl_places_push(&path, &letters[pl_rng_below(&rng, wide)], 1);
			at[i] = pl_places_add(&p, &name, 1, &path, NULL);
			if (pl_rng_below(&rng, 10) == 0)
				at[i] = -1;
		}
		wrong += pl_places_sample(&p, at, n, &options, &pair, &n_pairs, NULL) != 0;
		wrong += faults(pair, n_pairs, n) > 0;
		many += options.within == 0 && n_pairs > (1 + 2 * options.across) * n * log2_up(n);
		alone += lonely(&p, at, n, pair, n_pairs, options.within ? options.within : 2);
		free(pair);
		pl_places_fini(&p);
	}
	is_int((int64_t)wrong, 0, "none twice, and all are connected");
	is_int((int64_t)many, 0, "no more than promised");
	is_int((int64_t)alone, 0, "enough within a place");
}

/* How many pairs are between each two of the 5 racks of 8? */
static void test_racks(void)
{
	struct pl_places p;
	ptrdiff_t at[40];
	size_t count[5][5] = {{0}}, n_pairs, wrong = 0;
	const struct pl_sample_options options = {.within = PL_SAMPLE_ALL, .across = 3, .seed = 7};
	struct pl_sample_pair *pair, *again;

	read_text(&p, "a[0-7] z/r0\nb[0-7] z/r1\nc[0-7] z/r2\nd[0-7] z/r3\n"
		      "e[0-7] z/r4\n");
	for (size_t i = 0; i < 40; i++)
		at[i] = (ptrdiff_t)i;
	is_int(pl_places_sample(&p, at, 40, &options, &pair, &n_pairs, NULL), 0, "five racks");
	for (size_t k = 0; k < n_pairs; k++)
		count[pair[k].a / 8][pair[k].b / 8]++;
	for (size_t i = 0; i < 5; i++)
		for (size_t j = i; j < 5; j++)
			wrong += count[i][j] != (i == j ? 28 : 3);
	is_int((int64_t)wrong, 0, "all in a rack, three between any two");
	wrong = (size_t)pl_places_sample(&p, at, 40, &options, &again, &n_pairs, NULL);
	wrong += memcmp(pair, again, n_pairs * sizeof(*pair)) != 0;
	is_int((int64_t)wrong, 0, "the same again");
	free(pair);
	free(again);
	is_int(pl_places_sample(&p, at, 0, &options, &pair, &n_pairs, NULL), 0, "no host");
	is_int((int64_t)n_pairs, 0, "no pair");
	free(pair);
	pl_places_fini(&p);
}

static void test_many(void)
{
	const size_t n = 100000;
	struct pl_places p;
	ptrdiff_t *at = malloc(n * sizeof(*at));
	const struct pl_sample_options options = {.across = 1, .seed = 1};
	struct pl_sample_pair *pair;
	size_t n_pairs;

	read_text(&p, "a[0-49999] z/r1\nb[0-49999] z/r2\n");
	for (size_t i = 0; i < n; i++)
		at[i] = i % 3 ? (ptrdiff_t)i : -1;
	is_int(pl_places_sample(&p, at, n, &options, &pair, &n_pairs, NULL), 0, "100 000 hosts");
	is_int((int64_t)faults(pair, n_pairs, n), 0, "connected, none twice");
	ok(n_pairs <= 3 * n * 17, "%zu pairs", n_pairs);
	free(pair);
	pl_places_fini(&p);
	free(at);
}

static void test_no_memory(void)
{
	const struct pl_sample_options options = {.across = 2, .seed = 1};
	const ptrdiff_t at[] = {0, 1, 2, -1, 4, 5, 6, 7};
	struct pl_places p;
	size_t k = 0, live, wrong = 0;
	bool refused;

	read_text(&p, "a,b,c z/r1\nd,e z/r2\nf,g,h y/r1\n");
	do {
		struct pl_sample_pair *pair = NULL;
		struct pl_err err = {0};
		size_t n_pairs;
		int rc;

		failalloc_begin(k++);
		rc = pl_places_sample(&p, at, 8, &options, &pair, &n_pairs, &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || pair);
		free(pair);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
	} while (refused);
	is_int((int64_t)wrong, 0, "refused memory: said, and nothing leaks");
	pl_places_fini(&p);
}

/* Two racks of three and one host alone; c is measured near d, e and f. */
static void test_disagree(void)
{
	enum { N = 8 };
	const ptrdiff_t at[N] = {0, 1, 2, 3, 4, 5, 6, -1};
	struct pl_disagreement list[N];
	double c[N * N];
	struct pl_places p;
	struct pl_places_measured tm = {.places = &p, .at = at, .c = c, .n = N};
	size_t n_list, n_judged;

	read_text(&p, "a,b,c z/r1\nd,e,f z/r2\ng z/r3\n");
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = i == j ? 0 : (i < 2) == (j < 2) ? 1 : 5;
	is_int(pl_places_disagree(&tm, list, &n_list, &n_judged, NULL), 0, "told and measured");
	is_int((int64_t)n_judged, 6, "one alone is not judged");
	is_int((int64_t)n_list, 1, "one host disagrees");
	ok(list[0].host == 2 && p.host[at[list[0].other]].node != p.host[0].node, "and it is c");
	ok(list[0].own == 5 && list[0].near == 1, "by these medians");
	for (size_t i = 0; i < N * N; i++)
		c[i] = NAN;
	c[2 * N + 0] = c[1 * N + 2] = 7; /* one way is enough, both have a mean */
	c[0 * N + 2] = 3;
	c[2 * N + 4] = 1;
	pl_places_disagree(&tm, list, &n_list, &n_judged, NULL);
	is_int((int64_t)n_judged, 1, "only what is measured is judged");
	ok(n_list == 1 && list[0].host == 2 && list[0].own == 5 &&
		   p.host[at[list[0].other]].node == p.host[4].node,
	   "missing cells do no harm");
	c[2 * N + 4] = 6;
	pl_places_disagree(&tm, list, &n_list, &n_judged, NULL);
	is_int((int64_t)n_list, 0, "a little nearer is noise");
	pl_places_fini(&p);
}

int main(void)
{
	test_random(20261122);
	test_racks();
	test_many();
	test_no_memory();
	test_disagree();
	return done_testing();
}
