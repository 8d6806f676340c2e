/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-matrix-use.c - costs, notes; damaged input; refused memory */
#include "config.h"

#include "base/mem.h"
#include "base/rng.h"
#include "tests/base/matrix-text.h"
#include "tests/failalloc.h"

#include <math.h>

#define SEED 20261120

#define HEAD "# plink-matrix 1\n# quantity rtt\n# unit ns\n"

static struct pl_matrix *from(const char *s)
{
	struct pl_err err;

	return matrix_from(s, strlen(s), &err);
}

static bool same(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
			return false;
	return true;
}

static void test_costs(void)
{
	struct pl_matrix *m = from(HEAD "a 0 1 nan\nb 4 0 nan\nc 7 nan 0\n");
	static const double max[] = {0, 4, 7, 4, 0, NAN, 7, NAN, 0};
	static const double mean[] = {0, 2.5, 7, 2.5, 0, NAN, 7, NAN, 0};
	double c[9];

	pl_matrix_costs(m, PL_SYM_NONE, c);
	ok(same(c, m->layer[0].cell, 9), "none: as measured");
	pl_matrix_costs(m, PL_SYM_MAX, c);
	ok(same(c, max, 9), "max, and what there is where one is missing");
	pl_matrix_costs(m, PL_SYM_MEAN, c);
	ok(same(c, mean, 9), "mean, and what there is where one is missing");
	m->layer[0].cell[1] = m->layer[0].cell[3] = 1.7e308;
	pl_matrix_costs(m, PL_SYM_MEAN, c);
	ok(c[1] == 1.7e308, "the mean of large values is finite");
	pl_matrix_destroy(m);
}

static void random_cells(struct pl_rng *rng, double *cell, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j)
				cell[i * n + j] =
					pl_rng_below(rng, 4) ? pl_rng_double(rng) * 1e6 : NAN;
}

static bool is_symmetric(const double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (!same(&c[i * n + j], &c[j * n + i], 1))
				return false;
	return true;
}

/* Sizes around the tile's make sure that no cell is left out. */
static void test_symmetrized_twice(enum pl_symmetrize how)
{
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, SEED, 1);
	for (size_t n = 1; n <= 70; n++) {
		double *c = pl_array_create(n * n, sizeof(*c));
		double *twice = pl_array_create(n * n, sizeof(*twice));
		struct pl_hosts hosts = {0};
		struct pl_host host = {.name = "h", .slots = 1};
		struct pl_matrix *m;

		for (size_t i = 0; i < n; i++)
			pl_hosts_add(&hosts, &host);
		m = pl_matrix_create(&hosts, NULL);
		random_cells(&rng, m->layer[0].cell, n);
		pl_matrix_costs(m, how, c);
		memcpy(m->layer[0].cell, c, n * n * sizeof(*c));
		pl_matrix_costs(m, how, twice);
		wrong += !same(c, twice, n * n) || !is_symmetric(c, n);
		pl_matrix_destroy(m);
		pl_hosts_fini(&hosts);
		free(c);
		free(twice);
	}
	ok(wrong == 0, "%s: symmetric, and twice is as once, up to 70 hosts",
	   pl_symmetrize_name(how));
}

static const char four[] = HEAD "# method udp # created now # rack a 1\n"
				"# symmetrize mean\n"
				"# host b node=B\n"
				"a 0 12 13 14\nb 21 0 23 24\nc 31 32 0 34\nd 41 42 43 0\n"
				"# cell b d lost\n# cell c d lost, too\n"
				"# layer lost count probes\n"
				"a 0 1 2 3\nb 4 0 5 6\nc 7 8 0 9\nd 10 11 12 0\n";

static void test_notes(void)
{
	struct pl_matrix *m = from(HEAD "a 0 1\nb 1 0\n");

	ok(!pl_matrix_add_note(m, 0, 1, " no\nreply\t\a "), "a note");
	is_str(m->note[0].text, "no reply", "is one line");
	ok(!pl_matrix_add_note(m, 0, 1, "again"), "another");
	ok(m->n_notes == 2, "is a second one");
	pl_matrix_destroy(m);
}

static void test_create(void)
{
	struct pl_hosts hosts = {0};
	struct pl_host host = {.name = "h", .slots = 1};
	struct pl_err err = {0};
	struct pl_matrix *m;

	for (int i = 0; i < 3; i++)
		pl_hosts_add(&hosts, &host);
	m = pl_matrix_create(&hosts, &err);
	ok(m && pl_matrix_missing(m) == 6 && m->layer[0].cell[4] == 0,
	   "all is missing but the diagonal");
	pl_matrix_destroy(m);
	while (hosts.n <= PL_MATRIX_HOSTS_MAX)
		pl_hosts_add(&hosts, &host);
	m = pl_matrix_create(&hosts, &err);
	ok(!m && err.code == PL_EINPUT, "too many hosts");
	pl_matrix_destroy(m);
	pl_hosts_fini(&hosts);
}

/* Every number ends in a digit alone on its place: no part of this is whole, but the one that lacks
 * the last line's end. */
static void test_truncated(void)
{
	static const char whole[] = HEAD "# cell a b lost\n# host a addr=::1\n"
					 "a 0 nan 2\nb 1 0 2\nc 1 2 0\n";
	const size_t len = strlen(whole);
	struct pl_err err;
	int wrong = 0;

	for (size_t i = 0; i <= len; i++) {
		struct pl_matrix *m = matrix_from(whole, i, &err);

		wrong += (m != NULL) != (i >= len - 1);
		wrong += !m && (err.code != PL_EINPUT || err.line == 0);
		pl_matrix_destroy(m);
	}
	is_int(wrong, 0, "every shorter file is refused, with a place");
}

static bool is_sound(const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;

	for (size_t l = 0; l < m->n_layers; l++)
		for (size_t i = 0; i < n * n; i++) {
			const double v = m->layer[l].cell[i];

			if (i % (n + 1) == 0 ? v != 0 : !isnan(v) && !(v >= 0 && v < HUGE_VAL))
				return false;
		}
	return n > 0;
}

/* Whatever is accepted must be sound, and written as it is. */
static void test_damaged(const char *whole, const char *what)
{
	static const char chars[] = "# \n,0-9.enafx:\"\t\xff";
	const size_t len = strlen(whole);
	char *s = malloc(len);
	struct pl_rng rng;
	int accepted = 0, wrong = 0;

	pl_rng_init(&rng, SEED, 2);
	for (int round = 0; round < 20000; round++) {
		struct pl_err err;
		struct pl_matrix *m;

		memcpy(s, whole, len);
		for (size_t k = 1 + pl_rng_below(&rng, 3); k > 0; k--)
			s[pl_rng_below(&rng, len)] = chars[pl_rng_below(&rng, sizeof(chars) - 1)];
		m = matrix_from(s, len, &err);
		accepted += m != NULL;
		wrong += m ? !is_sound(m) : err.code != PL_EINPUT;
		pl_matrix_destroy(m);
	}
	free(s);
	printf("# accepted %d of 20000\n", accepted);
	ok(wrong == 0 && accepted > 0, "damaged %s", what);
}

static const char square_csv[] = "x,a,b\na,0,\"1\"\nb,2,0\n";

/* All that takes memory: reading, the digest. */
static int do_all(const char *input, struct pl_err *err)
{
	struct pl_matrix *m = matrix_from(input, strlen(input), err);
	char digest[PL_DIGEST_CHARS];
	int rc = -1;

	if (m)
		rc = pl_matrix_digest(m, digest, err);
	pl_matrix_destroy(m);
	return rc;
}

static void test_no_memory(const char *input, const char *what)
{
	size_t k = 0, live = 0;
	int wrong = 0;
	bool refusing;

	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = do_all(input, &err);
		refusing = failalloc_end(&live);
		wrong += (rc == -1) != refusing || live > 0;
		wrong += rc == -1 && err.code != PL_ESYSTEM;
	} while (refusing);
	ok(wrong == 0 && k > 10, "%s: %zu allocations, each refused once", what, k - 1);
}

int main(void)
{
	printf("# seed %d\n", SEED);
	test_costs();
	test_symmetrized_twice(PL_SYM_MAX);
	test_symmetrized_twice(PL_SYM_MEAN);
	test_notes();
	test_create();
	test_truncated();
	test_damaged(four, "plink's own form");
	test_damaged(square_csv, "CSV");
	test_damaged("0 1 2\n3 0 4\n5 6 0\n", "square");
	test_no_memory(four, "plink's own form");
	test_no_memory(HEAD "# form sparse\n# host c\na b 1\n", "sparse");
	test_no_memory(square_csv, "CSV");
	test_no_memory("0 1 2\n3 0 4\n5 6 0\n", "square");
	return done_testing();
}
