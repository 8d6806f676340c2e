/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-join.c - joins small parts that are pieces of others to these */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define SMALL_SHARE 4 / 5 /* of the part that the median host is in */

static int compare_sizes(const void *x, const void *y)
{
	const size_t a = *(const size_t *)x, b = *(const size_t *)y;

	return (a > b) - (a < b);
}

/* How many hosts the part has that the median host is in; 0: no memory. */
static size_t usual_size(const struct pl_sparse_node *node)
{
	size_t *size = pl_array_create(node->n_parts, sizeof(*size));
	size_t n = 0, k = 0, usual = 0;

	if (!size)
		return 0;
	for (size_t p = 0; p < node->n_parts; p++)
		size[p] = node->part[p].n;
	qsort(size, node->n_parts, sizeof(*size), compare_sizes);
	while (k < node->n_parts && 2 * n < node->n) {
		usual = size[k];
		n += size[k++];
	}
	free(size);
	return usual;
}

/* A host of the part that may be asked for more in this step; PL_SPARSE_END: none. */
static uint32_t find_idle(const struct pl_sparse *s, const struct pl_sparse_part *part, size_t from)
{
	for (size_t k = 0; k < part->n; k++) {
		const uint32_t h = part->member[(from + k) % part->n];

		if (pl_sparse_may_ask(s, h) && !pl_sparse_is_busy(s, h))
			return h;
	}
	return PL_SPARSE_END;
}

/* A host of each part, and once more: noise shall not join two. Where all have enough to do, the
 * next time will do. */
static int ask_between(struct pl_sparse *s, struct pl_sparse_node *node, size_t p, size_t q)
{
	for (size_t k = 0; k < 2; k++) {
		const uint32_t host = find_idle(s, &node->part[p], 2 * q + k);
		uint32_t member;

		if (host == PL_SPARSE_END)
			return 0;
		member = pl_sparse_pick(s, &node->part[q], host);
		if (member < PL_SPARSE_BUSY && pl_sparse_try(s, node, host, (uint32_t)q, member))
			return -1;
	}
	return 0;
}

int pl_sparse_join_ask(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const size_t usual = usual_size(node);

	node->test = s->n_tests;
	node->n_tests = 0;
	if (usual == 0)
		return -1;
	for (size_t p = 0; p < node->n_parts; p++) {
		if (node->part[p].n == 0 || node->part[p].n >= usual * SMALL_SHARE)
			continue;
		for (size_t q = 0; q < node->n_parts; q++)
			if (q != p && node->part[q].n >= node->part[p].n &&
			    ask_between(s, node, p, q))
				return -1;
	}
	return 0;
}

static int move_all(struct pl_sparse *s, struct pl_sparse_node *node, size_t from, size_t to)
{
	struct pl_sparse_part *part = &node->part[from];

	for (size_t k = 0; k < part->n; k++) {
		s->host[part->member[k]].part = (uint32_t)to;
		if (pl_sparse_part_add(&node->part[to], part->member[k]))
			return -1;
	}
	part->n = 0;
	/* whoever was left over was nearest to the same hosts */
	for (size_t k = 0; k < node->n; k++)
		if (s->host[node->member[k]].seat == PL_SEAT_LEFT &&
		    s->host[node->member[k]].part == from)
			s->host[node->member[k]].part = (uint32_t)to;
	return 0;
}

static bool is_near(const struct pl_sparse *s, const struct pl_sparse_node *node,
		    const struct pl_sparse_test *t)
{
	return pl_sparse_pairs_get(&s->pairs, t->host, t->member) - (double)s->host[t->host].own -
		       (double)s->host[t->member].own <
	       node->scale.cut;
}

int pl_sparse_join_judge(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const struct pl_sparse_test *t = s->test + node->test;

	for (size_t k = 1; k < node->n_tests; k++) {
		const size_t p = s->host[t[k].host].part;
		const size_t q = s->host[t[k].member].part;

		if (p != q && p == s->host[t[k - 1].host].part &&
		    q == s->host[t[k - 1].member].part && is_near(s, node, &t[k]) &&
		    is_near(s, node, &t[k - 1]) && move_all(s, node, p, q))
			return -1;
	}
	return 0;
}
