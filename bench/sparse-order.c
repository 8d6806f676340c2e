/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-order.c - the hosts in the order of the groups a search has found */
#include "config.h"

#include "bench/sparse-order.h"

#include "base/mem.h"
#include "topology/sparse-tree.h"

#include <math.h>
#include <stdlib.h>

/* From its first host on always the nearest one not yet there, of those that were measured; else
 * the next one. */
static void order_leaf(const struct pl_sparse *s, const struct pl_sparse_node *node, size_t *order,
		       bool *there)
{
	size_t at = node->member[0], next = 0;

	for (size_t k = 0; k < node->n; k++) {
		uint32_t e = s->pairs.head[at];
		size_t found = s->n;
		double best = INFINITY;

		order[k] = at;
		there[at] = true;
		while (e != PL_SPARSE_END) {
			size_t other;
			double d;

			e = pl_sparse_pairs_walk(&s->pairs, at, e, &other, &d);
			if (there[other] || s->host[other].node != s->host[at].node || !(d < best))
				continue;
			best = d;
			found = other;
		}
		while (found == s->n && next < node->n) {
			if (!there[node->member[next]])
				found = node->member[next];
			next++;
		}
		at = found;
	}
}

/* Nodes below node k, in the order of their parts; how many hosts. Nodes lie as deep as there are
 * levels. */
static size_t order_node(const struct pl_sparse *s, size_t k, size_t *order, bool *there)
{
	const struct pl_sparse_node *node = &s->node[k];
	size_t n = 0;

	if (node->n == 0)
		return 0;
	if (node->child == 0) {
		order_leaf(s, node, order, there);
		return node->n;
	}
	for (size_t p = 0; p < node->n_parts; p++)
		n += order_node(s, node->child + p, order + n, there);
	return n;
}

int sparse_order(const struct pl_sparse *s, size_t *order, struct pl_err *err)
{
	bool *there = pl_array_create(s->n, sizeof(*there));

	if (!there)
		return pl_err_nomem(err);
	order_node(s, 0, order, there);
	free(there);
	return 0;
}

void sparse_describe(const struct pl_sparse *s, struct sparse_report *r)
{
	*r = (struct sparse_report){.n_pairs = s->n_asked, .n_steps = s->n_steps};
	for (size_t i = 0; i < s->n; i++)
		if (s->pairs.degree[i] > r->busiest)
			r->busiest = s->pairs.degree[i];
	for (size_t k = 0; k < s->n_nodes; k++)
		r->n_groups += s->node[k].child == 0;
}
