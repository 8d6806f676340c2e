/* SPDX-License-Identifier: BSD-3-Clause */
/* kd-span.c - the least spanning tree of points that have prices */
#include "config.h"

#include "solver/points/kd-span.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SEVERAL UINT32_MAX

/* The cheapest way out of a component that is known. */
struct way {
	double weight; /* with both prices */
	uint32_t src, dst;
};

struct spanning {
	const struct pl_kd *kd;
	const double *price;
	uint32_t *component; /* [n] number of a host of it */
	double *least;       /* [n_nodes] price in the node */
	uint32_t *whole;     /* [n_nodes] component of all, or SEVERAL */
	struct way *way;     /* [n] by component */
	struct pl_graph_link *link;
	size_t n_links;
};

static uint32_t root(uint32_t *component, uint32_t host)
{
	while (component[host] != host) {
		component[host] = component[component[host]];
		host = component[host];
	}
	return host;
}

static void find_least(struct spanning *s, struct pl_kd_node node)
{
	double least = INFINITY;

	if (node.number >= s->kd->first_leaf) {
		for (size_t i = node.from; i < node.to; i++)
			least = fmin(least, s->price[s->kd->host[i]]);
	} else {
		for (int i = 0; i < 2; i++) {
			const struct pl_kd_node child = pl_kd_child(node, i);

			find_least(s, child);
			least = fmin(least, s->least[child.number]);
		}
	}
	s->least[node.number] = least;
}

/* component[] has been made flat. */
static uint32_t find_whole(struct spanning *s, struct pl_kd_node node)
{
	uint32_t whole;

	if (node.number >= s->kd->first_leaf) {
		whole = s->component[s->kd->host[node.from]];
		for (size_t i = node.from + 1; i < node.to; i++)
			if (s->component[s->kd->host[i]] != whole)
				whole = SEVERAL;
	} else {
		const uint32_t a = find_whole(s, pl_kd_child(node, 0));
		const uint32_t b = find_whole(s, pl_kd_child(node, 1));

		whole = a == b ? a : SEVERAL;
	}
	s->whole[node.number] = whole;
	return whole;
}

static void look_at_leaf(struct spanning *s, struct pl_kd_node node,
			 uint32_t src, struct way *way)
{
	for (size_t i = node.from; i < node.to; i++) {
		const uint32_t dst = s->kd->host[i];
		double weight;

		if (s->component[dst] == s->component[src])
			continue;
		weight = pl_distance(&s->kd->p, src, dst) +
			 (s->price[src] + s->price[dst]);
		if (weight < way->weight)
			*way = (struct way){weight, src, dst};
	}
}

/* Is there a cheaper way from @src out of its component than *way? */
static void look(struct spanning *s, struct pl_kd_node node, uint32_t src,
		 struct way *way)
{
	const struct pl_kd *kd = s->kd;
	struct pl_kd_node child[2];
	double weight[2];
	int first;

	if (s->whole[node.number] == s->component[src])
		return;
	if (node.number >= kd->first_leaf) {
		look_at_leaf(s, node, src, way);
		return;
	}
	for (int i = 0; i < 2; i++) {
		child[i] = pl_kd_child(node, i);
		weight[i] = pl_box_distance(&kd->box[child[i].number],
					    kd->p.x[src], kd->p.y[src]) +
			    (s->price[src] + s->least[child[i].number]);
	}
	first = weight[1] < weight[0];
	for (int i = 0; i < 2; i++, first = !first)
		if (weight[first] < way->weight)
			look(s, child[first], src, way);
}

/* Every component takes its way out, unless that has joined another's. */
static void join(struct spanning *s)
{
	const struct pl_points *p = &s->kd->p;

	for (size_t i = 0; i < p->n; i++) {
		const struct way *w = &s->way[i];
		uint32_t a, b;

		if (w->weight == INFINITY)
			continue;
		a = root(s->component, w->src);
		b = root(s->component, w->dst);
		if (a == b)
			continue;
		s->component[a] = b;
		s->link[s->n_links++] = (struct pl_graph_link){
			pl_distance(p, w->src, w->dst), w->src, w->dst};
	}
}

static void span(struct spanning *s)
{
	const size_t n = s->kd->p.n;
	const struct pl_kd_node all = pl_kd_root(s->kd);

	for (size_t i = 0; i < n; i++)
		s->component[i] = (uint32_t)i;
	find_least(s, all);
	while (s->n_links + 1 < n) {
		for (size_t i = 0; i < n; i++) {
			s->component[i] = root(s->component, (uint32_t)i);
			s->way[i].weight = INFINITY;
		}
		find_whole(s, all);
		/* neighbours after each other: their ways out are alike */
		for (size_t i = 0; i < n; i++) {
			const uint32_t src = s->kd->host[i];

			look(s, all, src, &s->way[s->component[src]]);
		}
		join(s);
	}
}

int pl_kd_span(const struct pl_kd *kd, const double *price,
	       struct pl_graph_link *link, struct pl_err *err)
{
	struct spanning s = {.kd = kd, .price = price, .link = link};
	int rc = 0;

	s.component = pl_array_create(kd->p.n, sizeof(*s.component));
	s.least = pl_array_create(kd->n_nodes, sizeof(*s.least));
	s.whole = pl_array_create(kd->n_nodes, sizeof(*s.whole));
	s.way = pl_array_create(kd->p.n, sizeof(*s.way));
	if (!s.component || !s.least || !s.whole || !s.way)
		rc = pl_err_nomem(err);
	else
		span(&s);
	free(s.component);
	free(s.least);
	free(s.whole);
	free(s.way);
	return rc;
}
