/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-trees.c - the trees of libraries: as drawn, and trees at all */
#include "config.h"

#include "costmodels/kernels.h"
#include "tests/tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* "0(1(2 3)4)": a rank and its children, in order. */
static void draw(const struct pl_span_tree *t, size_t rank, char *text)
{
	sprintf(text + strlen(text), "%zu", rank);
	for (uint32_t k = t->first[rank]; k < t->first[rank + 1]; k++) {
		strcat(text, k > t->first[rank] ? " " : "(");
		draw(t, t->child[k], text);
	}
	if (pl_span_tree_n_children(t, rank) > 0)
		strcat(text, ")");
}

static void is_drawn(pl_plant_fn *plant, size_t n, size_t root, size_t radix, const char *want,
		     const char *what)
{
	char text[400] = "";
	struct pl_span_tree t;

	if (pl_span_tree_init(&t, plant, n, root, radix, NULL) == 0)
		draw(&t, t.root, text);
	pl_span_tree_fini(&t);
	is_str(text, want, what);
}

static void test_drawn(void)
{
	is_drawn(pl_plant_chains, 9, 0, 3, "0(1(2(3)) 4(5(6)) 7(8))", "three chains of 9");
	is_drawn(pl_plant_chains, 5, 3, 1, "3(4(0(1(2))))", "one chain from rank 3 on");
	is_drawn(pl_plant_chains, 3, 1, 4, "1(2 0)", "no more chains than ranks");
	is_drawn(pl_plant_binary, 7, 0, 0, "0(1(3 5) 2(4 6))", "binary");
	is_drawn(pl_plant_binary, 6, 4, 0, "4(5(1 3) 0(2))", "binary from rank 4 on");
	is_drawn(pl_plant_in_order_binary, 9, 8, 0, "8(7(6 5(4)) 3(2 1(0)))", "in-order binary");
	is_drawn(pl_plant_binomial, 8, 0, 0, "0(1(3(7) 5) 2(6) 4)", "binomial");
	is_drawn(pl_plant_in_order_binomial, 8, 0, 0, "0(1 2(3) 4(5 6(7)))", "in-order binomial");
	is_drawn(pl_plant_knomial, 10, 0, 4, "0(4(5 6 7) 8(9) 1 2 3)", "4-nomial");
	is_drawn(pl_plant_knomial, 10, 0, 3, "0(9 3(4 5) 6(7 8) 1 2)", "3-nomial");
}

/* Every rank but the root is the child of its parent, once, one level lower. */
static bool is_tree(const struct pl_span_tree *t)
{
	size_t deepest = 0, wrong = t->first[0] != 0 || t->first[t->n] != t->n - 1;

	for (size_t rank = 0; rank < t->n; rank++) {
		wrong += (t->depth[rank] == 0) != (rank == t->root);
		wrong += (t->parent[rank] == PL_NO_RANK) != (rank == t->root);
		if (t->depth[rank] > deepest)
			deepest = t->depth[rank];
		for (uint32_t k = t->first[rank]; k < t->first[rank + 1]; k++)
			wrong += t->parent[t->child[k]] != rank ||
				 t->depth[t->child[k]] != t->depth[rank] + 1;
	}
	return wrong == 0 && deepest == t->deepest;
}

static void test_trees(pl_plant_fn *plant, size_t radix, const char *what)
{
	size_t wrong = 0;

	for (size_t n = 1; n <= 200; n++)
		for (size_t i = 0; i < 3; i++) {
			const size_t root = i == 0 ? 0 : i == 1 ? n - 1 : n * 7 / 11;
			struct pl_span_tree t;

			if (pl_span_tree_init(&t, plant, n, root, radix, NULL))
				exit(1);
			wrong += !is_tree(&t);
			wrong += t.root != (plant == pl_plant_in_order_binary ? n - 1 : root);
			pl_span_tree_fini(&t);
		}
	ok(wrong == 0, "%s: 1 to 200 ranks make a tree from any root", what);
}

int main(void)
{
	test_drawn();
	test_trees(pl_plant_chains, 1, "one chain");
	test_trees(pl_plant_chains, 4, "four chains");
	test_trees(pl_plant_chains, 1000, "all the chains there can be");
	test_trees(pl_plant_binary, 0, "binary");
	test_trees(pl_plant_in_order_binary, 0, "in-order binary");
	test_trees(pl_plant_binomial, 0, "binomial");
	test_trees(pl_plant_in_order_binomial, 0, "in-order binomial");
	test_trees(pl_plant_knomial, 2, "2-nomial");
	test_trees(pl_plant_knomial, 4, "4-nomial");
	test_trees(pl_plant_knomial, 500, "500-nomial");
	return done_testing();
}
