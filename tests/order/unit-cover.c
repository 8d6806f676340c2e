/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-cover.c - the fewest hosts to leave out, against all sets there are */
#include "config.h"

#include "base/rng.h"
#include "order/missing/cover.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

#define HOSTS 1000
#define SMALL 14
#define STEPS 100000000

/* Missing pairs, as a table that tests fill, and as the search wants them. */
static bool gap[HOSTS][HOSTS];
static size_t first[HOSTS + 1];
static uint32_t peer[HOSTS * HOSTS];
static bool taken[HOSTS];

static void clear(void)
{
	memset(gap, 0, sizeof(gap));
}

static void miss(size_t a, size_t b)
{
	gap[a][b] = gap[b][a] = a != b;
}

static struct pl_gaps list(size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		first[i] = at;
		for (size_t j = 0; j < n; j++)
			if (gap[i][j])
				peer[at++] = (uint32_t)j;
	}
	first[n] = at;
	return (struct pl_gaps){.n = n, .first = first, .peer = peer};
}

/* Is no pair missing among the others, and are so many taken as is said? */
static bool covers(size_t n, const struct pl_cover *c)
{
	size_t n_taken = 0;

	for (size_t i = 0; i < n; i++) {
		n_taken += taken[i];
		for (size_t j = 0; j < n; j++)
			if (gap[i][j] && !taken[i] && !taken[j])
				return false;
	}
	return n_taken == c->n_taken;
}

/* The size of the smallest of all sets that will do. */
static size_t least_of_all(size_t n)
{
	size_t least = n;

	for (uint32_t set = 0; set < 1u << n; set++) {
		const size_t size = (size_t)__builtin_popcount(set);
		bool does = size < least;

		for (size_t i = 0; does && i < n; i++)
			for (size_t j = i + 1; does && j < n; j++)
				does = !gap[i][j] || set >> i & 1 || set >> j & 1;
		if (does)
			least = size;
	}
	return least;
}

/* How the search does with so many steps: faults over random sets of pairs. */
static void test_small(uint64_t steps, bool proves)
{
	struct pl_rng rng;
	int wrong = 0, more = 0;

	pl_rng_init(&rng, 1, 0);
	for (int t = 0; t < 400; t++) {
		const size_t n = pl_rng_below(&rng, SMALL + 1);
		const double chance = pl_rng_double(&rng);
		struct pl_gaps gaps;
		struct pl_cover c;
		size_t least;

		clear();
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++)
				if (pl_rng_double(&rng) < chance)
					miss(i, j);
		gaps = list(n);
		least = n ? least_of_all(n) : 0;
		wrong += pl_cover_find(&gaps, steps, taken, &c) || !covers(n, &c) ||
			 c.n_taken < least || c.n_least > least;
		more += c.n_taken > least || c.n_least < c.n_taken;
	}
	ok(wrong == 0, "%s steps: covers, and bounds that hold", proves ? "enough" : "no");
	if (proves)
		is_int(more, 0, "the fewest of all, and proven");
	else
		ok(more > 0, "which is not always proven (%d)", more);
}

static void find(const char *what, size_t n, size_t want)
{
	const struct pl_gaps gaps = list(n);
	struct pl_cover c;

	pl_cover_find(&gaps, STEPS, taken, &c);
	ok(covers(n, &c), "%s: they will do", what);
	ok(c.n_taken == want, "%s: %zu hosts", what, c.n_taken);
	ok(c.n_least == want, "%s: proven", what);
}

static void test_large(void)
{
	struct pl_rng rng;

	pl_rng_init(&rng, 2, 0);
	clear();
	find("nothing missing", HOSTS, 0);
	for (size_t i = 0; i < HOSTS; i++)
		miss(i, 700);
	find("a dead host", HOSTS, 1);
	ok(taken[700], "and that one");
	for (size_t i = 0; i < HOSTS; i++)
		for (size_t k = 0; k < 30; k++)
			if (pl_rng_double(&rng) < 0.3)
				miss(i, 7 + 31 * k);
	find("thirty that fail now and then, too", HOSTS, 31);
	clear();
	for (size_t i = 0; i < 400; i++)
		for (size_t j = 400; j < HOSTS; j++)
			miss(i, j);
	find("two halves that do not see one another", HOSTS, 400);
	clear();
	for (size_t i = 0; i < HOSTS; i++)
		for (size_t j = 0; j < i; j++)
			miss(i, j);
	find("nobody sees anybody", HOSTS, HOSTS - 1);
	ok(!taken[0], "the first host is the one that stays");
	clear();
	for (size_t i = 0; i < HOSTS; i++)
		miss(i, i % 5 == 4 ? i - 4 : i + 1);
	find("200 rings of five", HOSTS, 600);
	clear();
	miss(3, 5);
	find("one pair", HOSTS, 1);
	ok(taken[5], "of two alike the later goes");
}

static void test_memory(void)
{
	struct pl_cover c;
	struct pl_gaps gaps;
	size_t k = 0, live;
	int wrong = 0, status;
	bool refused;

	gaps = list(HOSTS);
	do {
		failalloc_begin(k++);
		status = pl_cover_find(&gaps, STEPS, taken, &c);
		refused = failalloc_end(&live);
		wrong += live != 0 || refused != (status != 0);
	} while (refused);
	ok(k > 5, "each of %zu allocations refused in turn", k - 1);
	is_int(wrong, 0, "it fails each time, and nothing leaks");
}

int main(void)
{
	test_small(STEPS, true);
	test_small(0, false);
	test_large();
	test_memory();
	return done_testing();
}
