/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hostrange.c - brackets: counts without expansion, random patterns */
#include "config.h"

#include "base/hosts/hostrange.h"
#include "base/rng.h"
#include "tests/tap.h"

#include <stdlib.h>

static int init(struct pl_hostrange *range, const char *s, struct pl_err *err)
{
	const struct pl_place place = {.file = "f", .line = 4, .col = 10};

	return pl_hostrange_init(range, s, strlen(s), place, err);
}

static void test_nonsense(void)
{
	struct pl_hostrange range;
	struct pl_err err = {0};

	ok(init(&range, "n[1,x]", &err) == -1 && err.code == PL_EINPUT && err.line == 4 &&
		   err.col == 14 && !strcmp(err.file, "f"),
	   "the place counts from the pattern's own");
	is_int(init(&range, "n[1,x]", NULL), -1, "nobody wants to know");
	ok(init(&range, "n[0-65536]", &err) == -1 && strstr(err.text, "65536 names"),
	   "one name too many");
	ok(init(&range, "a[0-255]b[0-255]c[0-1]", &err) == -1, "the product is too large");
	ok(init(&range, "a[0-255]b[0-256]", &err) == -1, "the product is a little too large");
}

static void test_counts(void)
{
	char name[PL_HOSTRANGE_CHARS + 1];
	struct pl_hostrange range;
	struct pl_err err;

	ok(init(&range, "", &err) == 0 && range.count == 1, "nothing is one empty name");
	ok(pl_hostrange_next(&range, name) && !*name, "which comes");
	ok(!pl_hostrange_next(&range, name), "once");
	ok(!pl_hostrange_next(&range, name), "and no more");
	ok(init(&range, "a[0-255]b[0-255]", &err) == 0 && range.count == 65536,
	   "the largest product");
	ok(init(&range, "[999999999999999998-999999999999999999]", &err) == 0 &&
		   pl_hostrange_next(&range, name) && pl_hostrange_next(&range, name) &&
		   !strcmp(name, "999999999999999999"),
	   "the largest number");
}

/* What the names of a random pattern must be, made with plain loops. */
struct wanted {
	char pattern[400];
	char name[600][32];
	size_t n;
};

/* One bracket of up to three ranges; @text holds its numbers as they are written. Returns how many
 * there are. */
static size_t random_bracket(struct pl_rng *rng, char *pattern, size_t room, char text[24][8])
{
	const size_t n_ranges = 1 + pl_rng_below(rng, 3);
	size_t used = 0, n = 0;

	for (size_t i = 0; i < n_ranges; i++) {
		const int width = 1 + (int)pl_rng_below(rng, 4);
		const int first = (int)pl_rng_below(rng, 990);
		const int last = first + (int)pl_rng_below(rng, 8);
		const bool single = first == last && pl_rng_below(rng, 2);

		used += (size_t)snprintf(pattern + used, room - used, "%s%0*d", i ? "," : "", width,
					 first);
		if (!single)
			used += (size_t)snprintf(pattern + used, room - used, "-%0*d", width, last);
		for (int k = first; k <= last; k++)
			snprintf(text[n++], 8, "%0*d", width, k);
	}
	return n;
}

static void random_pattern(struct pl_rng *rng, struct wanted *w)
{
	char left[100], right[100], a[24][8], b[24][8];
	const size_t n_a = random_bracket(rng, left, sizeof(left), a);
	const size_t n_b = random_bracket(rng, right, sizeof(right), b);

	snprintf(w->pattern, sizeof(w->pattern), "x[%s]-y[%s]z", left, right);
	w->n = 0;
	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			snprintf(w->name[w->n++], sizeof(w->name[0]), "x%.7s-y%.7sz", a[i], b[k]);
}

static int compare(const struct wanted *w)
{
	char name[PL_HOSTRANGE_CHARS + 1];
	struct pl_hostrange range;
	struct pl_err err = {0};
	int wrong = 0;

	if (init(&range, w->pattern, &err) || range.count != w->n) {
		printf("# %s: %s\n", w->pattern, err.text);
		return 1;
	}
	for (size_t i = 0; i < w->n; i++)
		wrong += !pl_hostrange_next(&range, name) || strcmp(name, w->name[i]) != 0;
	wrong += pl_hostrange_next(&range, name);
	if (wrong)
		printf("# %s\n", w->pattern);
	return wrong;
}

static void test_random(uint64_t seed)
{
	static struct wanted w;
	struct pl_rng rng;
	int wrong = 0;

	printf("# seed %llu\n", (unsigned long long)seed);
	pl_rng_init(&rng, seed, 0);
	for (int i = 0; i < 1000; i++) {
		random_pattern(&rng, &w);
		wrong += compare(&w);
	}
	is_int(wrong, 0, "1000 random patterns give the names of plain loops");
}

int main(void)
{
	test_nonsense();
	test_counts();
	test_random(20261120);
	return done_testing();
}
