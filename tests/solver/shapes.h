/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes.h - for tests: small shapes of every kind */
#ifndef PLINK_TESTS_SOLVER_SHAPES_H
#define PLINK_TESTS_SOLVER_SHAPES_H

#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* Shapes as collectives have them. */
enum shapes_kind {
	SHAPES_RING,    /* sum */
	SHAPES_SLOWEST, /* of a ring */
	SHAPES_HALVING, /* i to i XOR 2^k, if that is below n */
	SHAPES_TREE,    /* two binary trees, the second shifted by one */
	SHAPES_STAR,    /* all send to 0 */
	SHAPES_KINDS
};

static void shapes_add(struct pl_shape *shape, size_t src, size_t dst, size_t group)
{
	pl_shape_add(shape,
		     (struct pl_hop){.src = (uint32_t)src,
				     .dst = (uint32_t)dst,
				     .group = (uint32_t)group,
				     .times = 1,
				     .bytes = 64},
		     NULL);
}

/* Adds a tree over @first .. @end - 1: its root is the middle position, whose children are the
 * middles of both halves. */
static void shapes_add_tree(struct pl_shape *shape, size_t first, size_t end, size_t shift)
{
	const size_t middle = (first + end - 1) / 2, n = shape->n_pos;
	const size_t cut[] = {first, middle, middle + 1, end};

	for (size_t i = 0; i < 4; i += 2) {
		const size_t child = (cut[i] + cut[i + 1] - 1) / 2;

		if (cut[i] >= cut[i + 1])
			continue;
		shapes_add(shape, (middle + shift) % n, (child + shift) % n, shift);
		shapes_add_tree(shape, cut[i], cut[i + 1], shift);
	}
}

/* The kind of shape for n positions; release with pl_shape_fini. */
static struct pl_shape shapes_make(enum shapes_kind kind, size_t n)
{
	static const enum pl_shape_kind kinds[] = {PL_SUM, PL_SLOWEST, PL_SUM_OF_MAXIMA,
						   PL_LONGEST_PATH, PL_LONGEST_PATH};
	struct pl_shape shape = {.kind = kinds[kind], .n_pos = n};

	for (size_t i = 0; n > 1 && i < n; i++) {
		if (kind == SHAPES_RING || kind == SHAPES_SLOWEST)
			shapes_add(&shape, i, (i + 1) % n, 0);
		if (kind == SHAPES_STAR && i > 0)
			shapes_add(&shape, i, 0, 0);
		for (size_t k = 0; kind == SHAPES_HALVING && n >> k > 0; k++)
			if ((i ^ (size_t)1 << k) < n)
				shapes_add(&shape, i, i ^ (size_t)1 << k, k);
	}
	for (size_t shift = 0; kind == SHAPES_TREE && shift < 2; shift++)
		shapes_add_tree(&shape, 0, n, shift);
	return shape;
}

#endif
