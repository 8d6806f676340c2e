/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-nccl.c - NCCL's patterns run, between nodes only, and reach who they should */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "costmodels/kernels.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/costmodels/shape-cost.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	struct pl_err err = {0};
	size_t radix;
	const struct pl_algorithm *a = pl_catalogue_find(collective, PL_NCCL, name, &radix, &err);

	if (!a)
		printf("# %s\n", err.text);
	return a;
}

static struct pl_pattern pattern(enum pl_collective collective, const char *name,
				 struct pl_call call)
{
	const struct pl_algorithm *a = find(collective, name);
	struct pl_pattern p = {0};
	struct pl_err err = {0};

	if (pl_algorithm_pattern(a, &call, &p, &err))
		ok(false, "%s of %zu: %s", name, call.n_pos, err.text);
	return p;
}

/* Is all known where the collective wants it, judged by each node's first
 * rank? */
static bool all_reached(enum pl_collective collective, const struct pl_call *call,
			const uint64_t *knows)
{
	const size_t n_nodes = call->n_pos / call->slots;
	const size_t root = call->root / call->slots * call->slots;
	uint64_t all = 0;

	for (size_t v = 0; v < n_nodes; v++)
		all |= (uint64_t)1 << v * call->slots;
	for (size_t v = 0; v < n_nodes; v++) {
		const size_t r = v * call->slots;

		if (collective == PL_BROADCAST && !(knows[r] >> root & 1))
			return false;
		if (collective == PL_REDUCE && r == root && knows[r] != all)
			return false;
		if (collective != PL_BROADCAST && collective != PL_REDUCE && knows[r] != all)
			return false;
	}
	return true;
}

/* Messages are between the first ranks of nodes. */
static bool between_nodes(const struct pl_pattern *p, size_t slots)
{
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->message[i].src % slots || p->message[i].dst % slots)
			return false;
	return true;
}

struct tally {
	size_t runs, locked, lost, astray;
};

static void run_one(enum pl_collective collective, const char *name, struct pl_call call,
		    struct tally *t)
{
	struct pl_pattern p;
	uint64_t knows[64];

	if (collective == PL_REDUCE_SCATTER)
		call.bytes *= call.n_pos;
	p = pattern(collective, name, call);
	t->runs++;
	t->locked += !pattern_run(&p, knows);
	t->lost += !all_reached(collective, &call, knows);
	t->astray += !between_nodes(&p, call.slots);
	pl_pattern_fini(&p);
}

static void test_runs(enum pl_collective collective, const char *name, size_t slots_max)
{
	static const uint64_t sizes[] = {64 * 4, 4 * 1001, 40 << 10};
	struct tally t = {0};

	for (size_t slots = 1; slots <= slots_max; slots++)
		for (size_t n = slots; n <= 40; n += slots)
			for (size_t i = 0; i < 3; i++)
				run_one(collective, name,
					(struct pl_call){.n_pos = n,
							 .slots = slots,
							 .bytes = sizes[i],
							 .root = n * i / 3},
					&t);
	/* several chunks, so that buffers are used again */
	for (size_t slots = 1; slots <= slots_max; slots++)
		run_one(collective, name,
			(struct pl_call){.n_pos = 7 * slots,
					 .slots = slots,
					 .bytes = 4 * 7 * 2999,
					 .segment_bytes = 1 << 10,
					 .root = slots},
			&t);
	ok(t.runs > 0 && t.locked == 0 && t.lost == 0 && t.astray == 0,
	   "%s %s: %zu calls end and reach all nodes (%zu, %zu, %zu not)",
	   pl_collective_name(collective), name, t.runs, t.locked, t.lost, t.astray);
}

struct sums {
	enum pl_collective collective;
	const char *name;
	size_t n, slots, root;
	uint64_t bytes, sent; /* by all */
	size_t n_messages;
};

static void test_sums(void)
{
	static const struct sums sums[] = {
		/* 2 (R - 1) steps, a 24th of the bytes over each of the hops */
		{PL_ALLREDUCE, "ring", 4, 1, 0, 4 << 12, 6 * (4 << 12), 24},
		{PL_ALLREDUCE, "ring", 8, 4, 0, 8 << 12, 14 * (2 << 12), 28},
		{PL_ALLREDUCE, "ring", 8, 8, 0, 8 << 12, 0, 0},
		/* one element: the first chunk travels, the others are empty */
		{PL_ALLREDUCE, "ring", 4, 1, 0, 4, 24, 24},
		/* two loops of 2 MiB chunks, in two slices each */
		{PL_ALLREDUCE, "ring", 2, 1, 0, 8 << 20, 16 << 20, 2 * 2 * 2 * 2},
		{PL_ALLREDUCE, "double-binary-tree", 8, 1, 0, 1 << 20, 14 << 20, 28},
		{PL_ALLREDUCE, "double-binary-tree", 8, 2, 0, 4 << 20, 24 << 20, 3 * 2 * 8},
		{PL_ALLREDUCE, "double-binary-tree", 3, 1, 0, 0, 0, 0},
		{PL_ALLGATHER, "ring", 6, 2, 0, 1000, 5 * 3 * 1000, 15},
		{PL_REDUCE_SCATTER, "ring", 6, 2, 0, 6000, 5 * 3 * 1000, 15},
		{PL_BROADCAST, "ring", 6, 2, 2, 1 << 20, 2 << 20, 4},
		{PL_BROADCAST, "ring", 6, 2, 3, 1 << 20, 3 << 20, 6},
		{PL_REDUCE, "ring", 6, 2, 3, 1 << 20, 2 << 20, 4},
		{PL_REDUCE, "ring", 6, 2, 2, 1 << 20, 3 << 20, 6},
		{PL_REDUCE, "ring", 1, 1, 0, 1 << 20, 0, 0},
		{PL_ALLGATHER, "pat", 8, 1, 0, 1000, 8 * 7 * 1000, 8 * 3},
		{PL_REDUCE_SCATTER, "pat", 8, 1, 0, 8000, 8 * 7 * 1000, 8 * 3},
		{PL_ALLTOALL, "p2p", 6, 2, 0, 1000, 3 * 2 * 4 * 1000, 3 * 2},
		{PL_ALLTOALL, "p2p", 6, 6, 0, 1000, 0, 0},
		/* a reduce-scatter's messages have room for ranks 5, 6 and 7 */
		{PL_ALLGATHER, "pat", 5, 1, 0, 1000, 5 * 4 * 1000, 5 * 4},
		{PL_REDUCE_SCATTER, "pat", 5, 1, 0, 5000, 5 * 7 * 1000, 5 * 4},
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		const struct sums *t = &sums[i];
		struct pl_pattern p = pattern(t->collective, t->name,
					      (struct pl_call){.n_pos = t->n,
							       .slots = t->slots,
							       .root = t->root,
							       .bytes = t->bytes});
		uint64_t sum = 0;

		for (size_t k = 0; k < p.n_messages; k++)
			sum += p.message[k].bytes;
		ok(sum == t->sent && p.n_messages == t->n_messages,
		   "%s %s of %zu by %zu: %llu bytes, %zu messages",
		   pl_collective_name(t->collective), t->name, t->n, t->slots,
		   (unsigned long long)sum, p.n_messages);
		pl_pattern_fini(&p);
	}
}

static struct pl_span_tree tree_of(size_t tree, size_t n)
{
	const struct pl_algorithm *a = find(PL_ALLREDUCE, "double-binary-tree");
	struct pl_span_tree t;

	if (pl_span_tree_init(&t, a->plant, n, 0, tree, NULL))
		exit(1);
	return t;
}

/* One tree: at most two children, one at the root, depth at most log2 n, rounded up. */
static bool is_tree(const struct pl_span_tree *t)
{
	size_t roots = 0, log2_n = 0;

	while ((size_t)1 << log2_n < t->n)
		log2_n++;
	for (size_t r = 0; r < t->n; r++) {
		const bool root = t->parent[r] == PL_NO_RANK;

		roots += root;
		if (pl_span_tree_n_children(t, r) > (root ? 1 : 2))
			return false;
	}
	return roots == 1 && t->deepest <= log2_n;
}

static void test_trees(void)
{
	static const uint32_t of_8[2][8] = {
		{PL_NO_RANK, 2, 4, 2, 0, 6, 4, 6},
		{1, 3, 1, 7, 5, 3, 5, PL_NO_RANK},
	};
	/* as drawn in the library's source: 13 nodes, the second tree
	 * shifted */
	static const uint32_t of_13[13] = {9, PL_NO_RANK, 3, 5, 3, 9, 7, 5, 7, 1, 11, 0, 11};
	size_t wrong = 0;

	for (size_t k = 0; k < 2; k++) {
		struct pl_span_tree t = tree_of(k, 8);

		wrong += memcmp(t.parent, of_8[k], sizeof(of_8[k])) != 0;
		pl_span_tree_fini(&t);
	}
	is_int((int64_t)wrong, 0, "both trees of 8 nodes");
	for (size_t n = 1; n <= 300; n++) {
		struct pl_span_tree t[2] = {tree_of(0, n), tree_of(1, n)};

		wrong += n == 13 && memcmp(t[1].parent, of_13, sizeof(of_13)) != 0;
		wrong += !is_tree(&t[0]) || !is_tree(&t[1]);
		for (size_t r = 0; n % 2 == 0 && r < n; r++)
			wrong += pl_span_tree_n_children(&t[0], r) > 0 &&
				 pl_span_tree_n_children(&t[1], r) > 0;
		pl_span_tree_fini(&t[0]);
		pl_span_tree_fini(&t[1]);
	}
	is_int((int64_t)wrong, 0,
	       "trees of 1 to 300 nodes, 13 as drawn; of even ones none is inner in both");
}

static double *random_cells(struct pl_rng *rng, size_t n)
{
	double *m = calloc(n * n, sizeof(*m));

	for (size_t i = 0; i < n * n; i++)
		m[i] = (double)pl_rng_below(rng, 1000);
	return m;
}

static struct pl_shape shape(enum pl_collective collective, const char *name, struct pl_call call)
{
	struct pl_shape s = {0};
	struct pl_err err = {0};

	if (pl_algorithm_shape(find(collective, name), &call, &s, &err))
		ok(false, "%s of %zu: %s", name, call.n_pos, err.text);
	return s;
}

/* From each node up to the root, twice; the dearest of both trees. */
static double tree_by_nodes(const struct net *net, size_t slots)
{
	const size_t n = net->n / slots;
	struct pl_span_tree t[2] = {tree_of(0, n), tree_of(1, n)};
	double max = 0;

	for (size_t i = 0; i < 2 * n; i++) {
		double way = 0;
		size_t up;

		for (size_t r = i % n; (up = t[i / n].parent[r]) != PL_NO_RANK; r = up)
			way += net_cost(net, up * slots, r * slots, 0);
		max = fmax(max, 2 * way);
	}
	pl_span_tree_fini(&t[0]);
	pl_span_tree_fini(&t[1]);
	return max;
}

static void test_shapes(void)
{
	struct pl_rng rng;
	size_t wrong[3] = {0};

	pl_rng_init(&rng, 2, 0);
	for (size_t n = 2; n <= 40; n++) {
		const size_t slots = n % 2 ? 1 : 2;
		const struct pl_call call = {.n_pos = n, .slots = slots};
		double *c = random_cells(&rng, n);
		const struct net net = {n, c, c};
		struct pl_shape tree = shape(PL_ALLREDUCE, "double-binary-tree", call);
		struct pl_shape ring = shape(PL_ALLREDUCE, "ring", call);
		struct pl_shape pat = shape(PL_ALLGATHER, "pat", (struct pl_call){.n_pos = n});
		double round = 0, far = 0;

		for (size_t r = 0; n > slots && r < n; r += slots)
			round += c[r * n + (r + slots) % n];
		for (size_t d = 1; d < n; d *= 2) {
			double max = 0;

			for (size_t r = 0; r < n; r++)
				max = fmax(max, c[r * n + (r + n - d) % n]);
			far += max;
		}
		wrong[0] += longest_path(&tree, &net) != tree_by_nodes(&net, slots);
		wrong[1] += shape_sum(&ring, &net) != round;
		wrong[2] += sum_of_maxima(&pat, &net) != far;
		pl_shape_fini(&tree);
		pl_shape_fini(&ring);
		pl_shape_fini(&pat);
		free(c);
	}
	is_int((int64_t)wrong[0], 0, "a tree costs its longest way, both ways");
	is_int((int64_t)wrong[1], 0, "a ring costs the sum of its hops");
	is_int((int64_t)wrong[2], 0, "PAT costs the dearest hops by distance");
}

static void test_chain_shapes(void)
{
	struct pl_shape brief = shape(PL_BROADCAST, "ring",
				      (struct pl_call){.n_pos = 4, .root = 2, .bytes = 3 << 19});
	struct pl_shape more = shape(
		PL_REDUCE, "ring", (struct pl_call){.n_pos = 4, .root = 2, .bytes = (3 << 19) + 4});

	ok(brief.kind == PL_SUM && brief.n_hops == 3 && brief.hop[0].src == 2 &&
		   brief.hop[2].dst == 1,
	   "a broadcast of 3 chunks: the sum from the root on");
	ok(more.kind == PL_SLOWEST && more.n_hops == 3 && more.hop[0].src == 3 &&
		   more.hop[2].dst == 2,
	   "a reduce of 4 chunks: the slowest hop");
	pl_shape_fini(&brief);
	pl_shape_fini(&more);
}

static const char *refusal(enum pl_collective collective, const char *name, struct pl_call call)
{
	static struct pl_err err;
	struct pl_pattern p;
	struct pl_shape s;

	memset(&err, 0, sizeof(err));
	if (pl_algorithm_shape(find(collective, name), &call, &s, NULL) == 0)
		pl_shape_fini(&s);
	if (pl_algorithm_pattern(find(collective, name), &call, &p, &err) == 0)
		pl_pattern_fini(&p);
	return err.code == PL_EUSAGE ? err.text : "";
}

static void test_refusals(void)
{
	const struct pl_call uneven = {.n_pos = 10, .slots = 4, .bytes = 40};
	const struct pl_call nodes = {.n_pos = 8, .slots = 4, .bytes = 32};
	const struct pl_call odd = {.n_pos = 8, .bytes = 36};
	const struct pl_call huge = {.n_pos = 8, .bytes = INT64_MAX - 3};

	has_str(refusal(PL_ALLREDUCE, "ring", uneven), "4 slots", "10 ranks on nodes of 4: ring");
	has_str(refusal(PL_ALLREDUCE, "double-binary-tree", uneven), "4 slots",
		"10 ranks on nodes of 4: tree");
	has_str(refusal(PL_BROADCAST, "ring", uneven), "4 slots", "10 ranks on nodes of 4: chain");
	has_str(refusal(PL_ALLGATHER, "pat", nodes), "one rank a node", "PAT on nodes of 4");
	has_str(refusal(PL_REDUCE_SCATTER, "ring", odd), "equal blocks",
		"9 elements for 8 ranks: ring");
	has_str(refusal(PL_REDUCE_SCATTER, "pat", odd), "equal blocks",
		"9 elements for 8 ranks: PAT");
	has_str(refusal(PL_ALLREDUCE, "ring", huge), "more than", "2^63 - 4");
	has_str(refusal(PL_ALLREDUCE, "double-binary-tree", huge), "more than",
		"2^63 - 4 up a tree");
	has_str(refusal(PL_BROADCAST, "ring", huge), "more than", "2^63 - 4 along a chain");
	has_str(refusal(PL_ALLGATHER, "pat", (struct pl_call){.n_pos = 64, .bytes = 1ULL << 40}),
		"more than", "2^40 by PAT");
	has_str(refusal(PL_ALLGATHER, "pat", huge), "more than", "2^63 - 4 by PAT");
}

int main(void)
{
	test_runs(PL_ALLREDUCE, "ring", 4);
	test_runs(PL_ALLREDUCE, "double-binary-tree", 3);
	test_runs(PL_BROADCAST, "ring", 3);
	test_runs(PL_REDUCE, "ring", 3);
	test_runs(PL_ALLGATHER, "ring", 3);
	test_runs(PL_ALLGATHER, "pat", 1);
	test_runs(PL_REDUCE_SCATTER, "ring", 3);
	test_runs(PL_REDUCE_SCATTER, "pat", 1);
	test_sums();
	test_trees();
	test_shapes();
	test_chain_shapes();
	test_refusals();
	return done_testing();
}
