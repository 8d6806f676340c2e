/* SPDX-License-Identifier: BSD-3-Clause */
/* shape-cost.h - what a shape costs, from the definition alone */
#ifndef PLINK_TESTS_COSTMODELS_SHAPE_COST_H
#define PLINK_TESTS_COSTMODELS_SHAPE_COST_H

#include "costmodels/shape.h"

#include <stddef.h>

/* A network: a hop of @bytes from i to j costs c[i * n + j] + bytes * b[i * n + j]. */
struct net {
	size_t n;
	const double *c, *b;
};

static double net_cost(const struct net *net, size_t i, size_t j, double bytes)
{
	return net->c[i * net->n + j] + bytes * net->b[i * net->n + j];
}

static double hop_cost(const struct net *net, const struct pl_hop *h)
{
	return h->times * net_cost(net, h->src, h->dst, h->bytes);
}

/* The cost of the most expensive way from @pos to a leaf of its tree. */
__attribute__((unused)) static double longest_from(const struct pl_shape *s, const struct net *net,
						   size_t group, size_t pos)
{
	double max = 0, way;

	for (size_t i = 0; i < s->n_hops; i++) {
		const struct pl_hop *h = &s->hop[i];

		if (h->group == group && h->src == pos) {
			way = hop_cost(net, h) + longest_from(s, net, group, h->dst);
			max = way > max ? way : max;
		}
	}
	return max;
}

__attribute__((unused)) static double longest_path(const struct pl_shape *s, const struct net *net)
{
	double max = 0;

	for (size_t i = 0; i < s->n_hops; i++) {
		const struct pl_hop *h = &s->hop[i];
		const double way = longest_from(s, net, h->group, h->src);

		max = way > max ? way : max;
	}
	return max;
}

__attribute__((unused)) static double sum_of_maxima(const struct pl_shape *s, const struct net *net)
{
	double sum = 0;

	for (size_t g = 0; g < s->n_groups; g++) {
		double max = 0;

		for (size_t i = 0; i < s->n_hops; i++)
			if (s->hop[i].group == g && hop_cost(net, &s->hop[i]) > max)
				max = hop_cost(net, &s->hop[i]);
		sum += max;
	}
	return sum;
}

__attribute__((unused)) static double shape_sum(const struct pl_shape *s, const struct net *net)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_hops; i++)
		sum += hop_cost(net, &s->hop[i]);
	return sum;
}

#endif
