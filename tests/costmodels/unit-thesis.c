/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-thesis.c - the thesis' patterns run, and their shapes are its
 * formulas */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/costmodels/pattern-traffic.h"
#include "tests/costmodels/shape-cost.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define N_MAX 40

static const struct pl_algorithm *find(const char *name, struct pl_call *call)
{
	struct pl_err err = {0};
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_THESIS, name, &call->radix, &err);

	if (!a)
		printf("# %s\n", err.text);
	return a;
}

static struct pl_pattern pattern(const char *name, struct pl_call call)
{
	const struct pl_algorithm *a = find(name, &call);
	struct pl_pattern p = {0};
	struct pl_err err = {0};

	if (pl_algorithm_pattern(a, &call, &p, &err))
		ok(false, "%s of %zu: %s", name, call.n_pos, err.text);
	return p;
}

static struct pl_shape shape(const char *name, struct pl_call call)
{
	const struct pl_algorithm *a = find(name, &call);
	struct pl_shape s = {0};
	struct pl_err err = {0};

	if (pl_algorithm_shape(a, &call, &s, &err))
		ok(false, "%s of %zu: %s", name, call.n_pos, err.text);
	return s;
}

static uint64_t total(const struct pl_pattern *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_messages; i++)
		sum += p->message[i].bytes;
	return sum;
}

/* Every algorithm, number of ranks and size ends, and all know all. */
static void test_runs(const char *name)
{
	static const uint64_t sizes[] = {0, 4, 4 * 97, (200 << 10) + 4};
	size_t locked = 0, ignorant = 0, runs = 0;

	for (size_t n = 1; n <= N_MAX; n++)
		for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
			const struct pl_call call = {.n_pos = n, .bytes = sizes[k]};
			struct pl_pattern p = pattern(name, call);
			uint64_t knows[64];

			locked += !pattern_run(&p, knows);
			for (size_t r = 0; r < n; r++)
				ignorant += knows[r] != ((uint64_t)1 << n) - 1;
			runs++;
			pl_pattern_fini(&p);
		}
	ok(locked == 0 && ignorant == 0 && runs == 4 * N_MAX,
	   "%s: %zu calls end and reach everybody", name, runs);
}

struct sums {
	const char *name;
	size_t n;
	uint64_t bytes, total;
	size_t n_messages, n_rounds;
};

/* Bytes in all and messages, worked out by hand. */
static void test_sums(void)
{
	static const struct sums sums[] = {
		{"halving-doubling", 8, 8000, 8 * 2 * 7000, 8 * 6, 6},
		/* 4 ranks, and twice one buffer for each of the 3 others */
		{"halving-doubling", 7, 8000, 4 * 2 * 6000 + 6 * 8000, 22, 6},
		{"halving-doubling", 2, 4, 4 * 2, 4, 2},
		{"double-binary-tree", 7, 8000, 2 * 6 * 8000, 24, 4},
		{"double-binary-tree", 2, 4, 8, 4, 2},
		{"bcube:3", 9, 9000, 9 * 2 * 8000, 9 * 2 * 4, 4},
		{"bcube:2", 12, 12000, 12 * 2 * 11000, 12 * 2 * 4, 6},
		{"bcube:4", 5, 5000, 5 * 2 * 4000, 5 * 8, 2},
		{"two-level", 9, 9 << 16, 2 * 8 * (9 << 16), 9 * 16, 4},
		{"two-level:2", 4, 4 << 16, 2 * 3 * (4 << 16), 4 * 6, 4},
		{"two-level:4", 4, 4 << 16, 2 * 3 * (4 << 16), 4 * 6, 3},
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		const struct sums *t = &sums[i];
		struct pl_pattern p =
			pattern(t->name, (struct pl_call){.n_pos = t->n, .bytes = t->bytes});

		ok(total(&p) == t->total && p.n_messages == t->n_messages &&
			   p.n_rounds == t->n_rounds,
		   "%s of %zu: %llu bytes, %zu messages, %zu rounds", t->name, t->n,
		   (unsigned long long)total(&p), p.n_messages, p.n_rounds);
		pl_pattern_fini(&p);
	}
}

/* T(i, j) of the thesis, as read, on the tree whose ranks are one less. */
static double tree_cost(const struct net *net, long i, long j, double bytes, long less)
{
	const long n = (long)net->n, m = (i + j) / 2;
	double cost = 0;

	if (i >= j)
		return 0;
	if (i <= m - 1)
		cost = net_cost(net, (size_t)((m + n - less) % n),
				(size_t)(((i + m - 1) / 2 + n - less) % n), bytes) +
		       tree_cost(net, i, m - 1, bytes, less);
	return fmax(cost, net_cost(net, (size_t)((m + n - less) % n),
				   (size_t)(((m + 1 + j) / 2 + n - less) % n), bytes) +
				  tree_cost(net, m + 1, j, bytes, less));
}

static double double_tree(const struct net *net, double bytes)
{
	const long last = (long)net->n - 1;

	return fmax(tree_cost(net, 0, last, bytes / 2, 0), tree_cost(net, 0, last, bytes / 2, 1));
}

/* The sum of maxima of the thesis; ranks beyond the power of two first. */
static double halving(const struct net *net, double bytes)
{
	size_t p = 1;
	double sum = 0, max = 0;

	while (2 * p <= net->n)
		p *= 2;
	for (size_t r = p; r < net->n; r++)
		max = fmax(max, net_cost(net, r, r - p, bytes));
	sum = max;
	for (size_t d = 1; d < p; d *= 2) {
		max = 0;
		for (size_t j = 0; j < p; j++)
			if (j < (j ^ d))
				max = fmax(max, net_cost(net, j, j ^ d, bytes / 2 / (double)d));
		sum += max;
	}
	return sum;
}

/* N = B^k: rounds of pairs that differ in one digit. */
static double bcube(const struct net *net, size_t b, double bytes)
{
	double sum = 0;

	for (size_t d = 1; d < net->n; d *= b) {
		double max = 0;

		bytes /= (double)b;
		for (size_t j = 0; j < net->n; j++)
			for (size_t k = 1; k < b; k++)
				if (j / d % b + k < b)
					max = fmax(max, net_cost(net, j, j + k * d, bytes));
		sum += max;
	}
	return sum;
}

static bool same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static double *random_cells(struct pl_rng *rng, size_t n, double scale)
{
	double *m = calloc(n * n, sizeof(*m));

	for (size_t i = 0; i < n * n; i++)
		m[i] = i % (n + 1) ? scale * pl_rng_double(rng) : 0;
	return m;
}

static void check_formulas(const struct net *net, size_t *wrong)
{
	const struct pl_call call = {.n_pos = net->n, .bytes = 4 * 5040};
	const double bytes = (double)call.bytes;
	struct pl_shape hd = shape("halving-doubling", call);
	struct pl_shape tree = shape("double-binary-tree", call);
	struct pl_shape ring = shape("ring", call);
	double round = 0;

	for (size_t i = 0; net->n > 1 && i < net->n; i++)
		round += net_cost(net, i, (i + 1) % net->n, bytes / (double)net->n);
	wrong[0] +=
		!same(sum_of_maxima(&hd, net), halving(net, bytes)) || hd.kind != PL_SUM_OF_MAXIMA;
	wrong[1] += !same(longest_path(&tree, net), double_tree(net, bytes)) ||
		    tree.kind != PL_LONGEST_PATH;
	wrong[2] += !same(shape_sum(&ring, net), round) || ring.kind != PL_SUM;
	pl_shape_fini(&hd);
	pl_shape_fini(&tree);
	pl_shape_fini(&ring);
}

static void test_formulas(void)
{
	struct pl_rng rng;
	size_t wrong[3] = {0};

	pl_rng_init(&rng, 1, 0);
	for (size_t n = 1; n <= N_MAX; n++)
		for (size_t k = 0; k < 5; k++) {
			double *c = random_cells(&rng, n, 1000);
			double *b = random_cells(&rng, n, 0.1);

			check_formulas(&(struct net){n, c, b}, wrong);
			free(c);
			free(b);
		}
	is_int((int64_t)wrong[0], 0, "halving-doubling is its formula");
	is_int((int64_t)wrong[1], 0, "double-binary-tree is its formula");
	is_int((int64_t)wrong[2], 0, "ring is its formula");
}

static void test_bcube(size_t b, size_t n)
{
	const struct pl_call call = {.n_pos = n, .bytes = 4 * 5040};
	struct pl_rng rng;
	char name[30];
	struct pl_shape s;
	struct net net;
	double *c, *per_byte;

	pl_rng_init(&rng, b, n);
	c = random_cells(&rng, n, 1000);
	per_byte = random_cells(&rng, n, 0.1);
	net = (struct net){n, c, per_byte};
	snprintf(name, sizeof(name), "bcube:%zu", b);
	s = shape(name, call);
	ok(same(sum_of_maxima(&s, &net), bcube(&net, b, (double)call.bytes)) && s.n_hops > 0,
	   "%s of %zu is its formula", name, n);
	pl_shape_fini(&s);
	free(c);
	free(per_byte);
}

/* Two hops for B = 2 and powers of two: the algorithms become one. */
static void test_bcube_is_halving(void)
{
	const struct pl_call call = {.n_pos = 16, .bytes = 4 * 1000};
	struct pl_pattern a = pattern("bcube:2", call);
	struct pl_pattern b = pattern("halving-doubling", call);
	uint64_t sent[2][256];

	pattern_traffic(&a, sent[0]);
	pattern_traffic(&b, sent[1]);
	ok(a.n_messages == b.n_messages && memcmp(sent[0], sent[1], sizeof(sent[0])) == 0,
	   "bcube:2 of 16 sends what halving-doubling sends");
	pl_pattern_fini(&a);
	pl_pattern_fini(&b);
}

/* Of each round: least and most bytes that a rank sends. */
static void check_balance(size_t n, const char *name, uint64_t bytes)
{
	struct pl_pattern p = pattern(name, (struct pl_call){.n_pos = n, .bytes = bytes});
	uint64_t sent[4][64] = {{0}};
	bool even = p.n_messages > 0;

	for (size_t i = 0; i < p.n_messages; i++)
		sent[p.message[i].round][p.message[i].src] += p.message[i].bytes;
	for (size_t round = 0; round < 4; round++)
		for (size_t r = 1; r < n; r++)
			even = even && sent[round][r] == sent[round][0];
	ok(even, "%s: %zu ranks send alike in each round", name, n);
	pl_pattern_fini(&p);
}

/* With as many chunks as ranks, the shape's hops are those of the pattern. */
static size_t two_level_hops_off(size_t n, const char *name)
{
	const struct pl_call call = {.n_pos = n, .bytes = n << 16};
	struct pl_pattern p = pattern(name, call);
	struct pl_shape s = shape(name, call), unsized;
	uint64_t *want = calloc(2 * n * n, sizeof(*want));
	size_t wrong = 0;

	for (size_t i = 0; i < p.n_messages; i++)
		if (p.message[i].round < 2)
			want[(p.message[i].round * n + p.message[i].src) * n + p.message[i].dst] +=
				p.message[i].bytes;
	for (size_t i = 0; i < s.n_hops; i++) {
		uint64_t *cell = &want[(s.hop[i].group * n + s.hop[i].src) * n + s.hop[i].dst];

		wrong += *cell != (uint64_t)s.hop[i].bytes;
		*cell = 0;
	}
	for (size_t i = 0; i < 2 * n * n; i++)
		wrong += want[i] != 0;
	unsized = shape(name, (struct pl_call){.n_pos = n});
	wrong += unsized.n_hops != s.n_hops;
	pl_shape_fini(&unsized);
	pl_shape_fini(&s);
	pl_pattern_fini(&p);
	free(want);
	return wrong;
}

static void test_two_level(void)
{
	size_t wrong = 0;
	char name[30];

	for (size_t n = 1; n <= N_MAX; n++)
		wrong += two_level_hops_off(n, "two-level");
	for (size_t groups = 2; groups <= N_MAX; groups++) {
		snprintf(name, sizeof(name), "two-level:%zu", groups);
		wrong += two_level_hops_off(N_MAX, name);
		wrong += two_level_hops_off(groups + groups / 2, name);
	}
	is_int((int64_t)wrong, 0, "two-level: its hops are those of the way up, with their bytes");
}

static const char *refusal(const char *name, struct pl_call call)
{
	static struct pl_err err;
	struct pl_pattern p;
	const struct pl_algorithm *a = find(name, &call);

	memset(&err, 0, sizeof(err));
	if (pl_algorithm_pattern(a, &call, &p, &err) == 0)
		pl_pattern_fini(&p);
	return err.code == PL_EUSAGE ? err.text : "";
}

static void test_refusals(void)
{
	has_str(refusal("two-level:5", (struct pl_call){.n_pos = 4}), "5 groups",
		"more groups than ranks");
	has_str(refusal("two-level", (struct pl_call){.n_pos = 4, .bytes = 1ULL << 62}), "chunks",
		"2^62 bytes in chunks of 64 KiB");
	has_str(refusal("bcube", (struct pl_call){.n_pos = 10007, .bytes = 4}), "10006 others",
		"BCube of a large prime");
	is_str(refusal("halving-doubling", (struct pl_call){.n_pos = 6, .bytes = INT64_MAX - 3}),
	       "", "2^63 - 4 bytes are a size like any other");
	is_str(refusal("two-level", (struct pl_call){.n_pos = 6,
						     .bytes = INT64_MAX - 3,
						     .segment_bytes = 1ULL << 61}),
	       "", "so they are in 4 chunks");
}

int main(void)
{
	test_runs("ring");
	test_runs("halving-doubling");
	test_runs("double-binary-tree");
	test_runs("bcube");
	test_runs("bcube:2");
	test_runs("two-level");
	test_sums();
	test_formulas();
	test_bcube(2, 32);
	test_bcube(3, 27);
	test_bcube(4, 64);
	test_bcube(5, 5);
	test_bcube_is_halving();
	check_balance(9, "two-level", 9 << 16);
	check_balance(12, "two-level:3", 24 << 16);
	check_balance(12, "two-level:4", 12 << 16);
	check_balance(16, "two-level", 16 << 16);
	test_two_level();
	test_refusals();
	return done_testing();
}
