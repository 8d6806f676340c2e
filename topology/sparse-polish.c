/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-polish.c - neighbours' neighbours are measured, and the order of it
 * all */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 8
#define NEAREST 6 /* of a host, whose nearest are looked at */
#define AT_ONCE 4 /* pairs of a host in a round */
#define ENOUGH 16 /* a host knows its neighbours when so many are as near */

struct near {
	uint32_t host;
	float distance;
};

/* Puts x into the list v[*n] of at most @most, sorted by distance, unless it is
 * there. */
static void insert(struct near *v, size_t *n, size_t most, struct near x)
{
	size_t k = *n;

	for (size_t i = 0; i < *n; i++)
		if (v[i].host == x.host)
			return;
	if (k == most) {
		if (x.distance >= v[k - 1].distance)
			return;
		k--;
	} else {
		++*n;
	}
	for (; k > 0 && v[k - 1].distance > x.distance; k--)
		v[k] = v[k - 1];
	v[k] = x;
}

static size_t find_nearest(const struct pl_sparse *s, size_t host,
			   struct near *v, size_t most)
{
	uint32_t at = s->pairs.head[host];
	size_t n = 0;

	while (at != PL_SPARSE_END) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		if (!isnan(d))
			insert(v, &n, most,
			       (struct near){(uint32_t)other, (float)d});
	}
	return n;
}

/* Hosts whose neighbours' neighbours might be as near as what it knows. */
static int polish_host(struct pl_sparse *s, size_t host)
{
	struct near own[ENOUGH], next[NEAREST], want[AT_ONCE];
	const size_t n = find_nearest(s, host, own, ENOUGH);
	size_t n_want = 0;

	for (size_t i = 0; i < n && i < NEAREST; i++) {
		const size_t m = find_nearest(s, own[i].host, next, NEAREST);

		for (size_t k = 0; k < m; k++) {
			const float most = next[k].distance > own[i].distance
						   ? next[k].distance
						   : own[i].distance;

			if (next[k].host == host ||
			    s->host[next[k].host].gone ||
			    (n == ENOUGH && most >= own[n - 1].distance) ||
			    s->pairs.degree[next[k].host] >=
				    s->options.per_host ||
			    pl_sparse_pairs_find(&s->pairs, host, next[k].host))
				continue;
			insert(want, &n_want, AT_ONCE,
			       (struct near){next[k].host, most});
		}
	}
	for (size_t k = 0; k < n_want; k++)
		if (s->pairs.degree[host] < s->options.per_host &&
		    pl_sparse_ask(s, host, want[k].host))
			return -1;
	return 0;
}

int pl_sparse_polish(struct pl_sparse *s)
{
	if (s->n_polished++ >= ROUNDS)
		return 0;
	for (size_t i = 0; i < s->n; i++)
		if (!s->host[i].gone && polish_host(s, i))
			return -1;
	return 0;
}

/* From its first host on always the nearest one not yet there, of those that
 * were measured; else the next one. */
static void order_leaf(const struct pl_sparse *s,
		       const struct pl_sparse_node *node, size_t *order,
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
			if (there[other] ||
			    s->host[other].node != s->host[at].node ||
			    !(d < best))
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

/* Nodes below node k, in the order of their parts; how many hosts. Nodes lie as
 * deep as there are levels. */
static size_t order_node(const struct pl_sparse *s, size_t k, size_t *order,
			 bool *there)
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

int pl_sparse_order(const struct pl_sparse *s, size_t *order,
		    struct pl_err *err)
{
	bool *there = pl_array_create(s->n, sizeof(*there));

	if (!there)
		return pl_err_nomem(err);
	order_node(s, 0, order, there);
	free(there);
	return 0;
}

void pl_sparse_describe(const struct pl_sparse *s, struct pl_sparse_report *r)
{
	*r = (struct pl_sparse_report){.n_pairs = s->n_asked,
				       .n_steps = s->n_steps};
	for (size_t i = 0; i < s->n; i++)
		if (s->pairs.degree[i] > r->busiest)
			r->busiest = s->pairs.degree[i];
	for (size_t k = 0; k < s->n_nodes; k++)
		r->n_groups += s->node[k].child == 0;
}
