/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-openmpi-trees.c - the trees of Open MPI: as drawn, and trees at all */
#include "config.h"

#include "costmodels/openmpi/trees.h"
#include "tests/tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* "0(1(2 3)4)": a rank and its children, in order. */
static void draw(const struct pl_openmpi_tree *t, size_t rank, char *text)
{
	const struct pl_openmpi_node node = pl_openmpi_node(t, rank);

	sprintf(text + strlen(text), "%zu", rank);
	for (size_t i = 0; i < node.n_children; i++) {
		strcat(text, i ? " " : "(");
		draw(t, pl_openmpi_child(&node, i), text);
	}
	if (node.n_children > 0)
		strcat(text, ")");
}

static void is_drawn(struct pl_openmpi_tree t, const char *want, const char *what)
{
	char text[400] = "";

	draw(&t, t.root, text);
	is_str(text, want, what);
}

static void test_drawn(void)
{
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_CHAINS, 9, 0, 3}, "0(1(2(3)) 4(5(6)) 7(8))",
		 "three chains of 9");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_CHAINS, 5, 3, 0}, "3(4(0(1(2))))",
		 "no fan-out is one chain");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_CHAINS, 3, 1, 4}, "1(2 0)",
		 "no more chains than ranks");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_BINARY, 7, 0, 0}, "0(1(3 5) 2(4 6))",
		 "binary");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_BINARY, 6, 4, 0}, "4(5(1 3) 0(2))",
		 "binary from rank 4 on");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_IN_ORDER_BINARY, 9, 8, 0},
		 "8(7(6 5(4)) 3(2 1(0)))", "in-order binary");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_BINOMIAL, 8, 0, 0}, "0(1(3(7) 5) 2(6) 4)",
		 "binomial");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_IN_ORDER_BINOMIAL, 8, 0, 0},
		 "0(1 2(3) 4(5 6(7)))", "in-order binomial");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_KNOMIAL, 10, 0, 4}, "0(4(5 6 7) 8(9) 1 2 3)",
		 "4-nomial");
	is_drawn((struct pl_openmpi_tree){PL_OPENMPI_KNOMIAL, 10, 0, 3}, "0(9 3(4 5) 6(7 8) 1 2)",
		 "3-nomial");
}

/* Every rank but the root is the child of its parent, once, one level lower. */
static bool is_tree(const struct pl_openmpi_tree *t, size_t *times)
{
	size_t deepest = 0, wrong = 0;

	memset(times, 0, t->n * sizeof(*times));
	for (size_t rank = 0; rank < t->n; rank++) {
		const struct pl_openmpi_node node = pl_openmpi_node(t, rank);

		wrong += (node.depth == 0) != (rank == t->root);
		wrong += (node.parent == SIZE_MAX) != (rank == t->root);
		if (node.depth > deepest)
			deepest = node.depth;
		for (size_t i = 0; i < node.n_children; i++) {
			const size_t child = pl_openmpi_child(&node, i);
			const struct pl_openmpi_node c = pl_openmpi_node(t, child);

			wrong += c.parent != rank || c.depth != node.depth + 1;
			times[child]++;
		}
	}
	for (size_t rank = 0; rank < t->n; rank++)
		wrong += times[rank] != (rank != t->root);
	return wrong == 0 && deepest == pl_openmpi_tree_depth(t);
}

static void test_trees(enum pl_openmpi_tree_kind kind, size_t fanout, const char *what)
{
	size_t *times = calloc(200, sizeof(*times)), wrong = 0;

	for (size_t n = 1; times && n <= 200; n++)
		for (size_t i = 0; i < 3; i++) {
			struct pl_openmpi_tree t = {kind, n, 0, fanout};

			if (kind == PL_OPENMPI_IN_ORDER_BINARY || i == 1)
				t.root = n - 1;
			else if (i == 2)
				t.root = n * 7 / 11;
			wrong += !is_tree(&t, times);
		}
	ok(times && wrong == 0, "%s: 1 to 200 ranks make a tree from any root", what);
	free(times);
}

int main(void)
{
	test_drawn();
	test_trees(PL_OPENMPI_CHAINS, 1, "one chain");
	test_trees(PL_OPENMPI_CHAINS, 4, "four chains");
	test_trees(PL_OPENMPI_CHAINS, 1000, "all the chains there can be");
	test_trees(PL_OPENMPI_BINARY, 0, "binary");
	test_trees(PL_OPENMPI_IN_ORDER_BINARY, 0, "in-order binary");
	test_trees(PL_OPENMPI_BINOMIAL, 0, "binomial");
	test_trees(PL_OPENMPI_IN_ORDER_BINOMIAL, 0, "in-order binomial");
	test_trees(PL_OPENMPI_KNOMIAL, 2, "2-nomial");
	test_trees(PL_OPENMPI_KNOMIAL, 4, "4-nomial");
	test_trees(PL_OPENMPI_KNOMIAL, 500, "500-nomial");
	return done_testing();
}
