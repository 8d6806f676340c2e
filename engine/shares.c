/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.c - how many of the masters each group should have */
#include "config.h"

#include "engine/shares.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What the group's cards can send beyond a buffer each, with what its masters send to the others of
 * the group; in buffers. */
static double left_by_cards(const struct pl_group_rates *g, double seconds)
{
	double left = 1 - (double)g->n_cards;

	for (size_t i = 0; i < g->n_cards; i++) {
		if (g->card[i] <= 0)
			return INFINITY;
		left += fmax(0, seconds * g->card[i] - 1);
	}
	return g->n_cards > 0 ? left : INFINITY;
}

/* The most that the group may have of the masters of @n groups if all is to take @seconds; below 0:
 * it needs longer even without any. */
static double most(size_t n, const struct pl_group_rates *g, double seconds)
{
	double left = left_by_cards(g, seconds);

	if (g->uplink > 0)
		left = fmin(left, seconds * g->uplink - 1);
	if (left < 0)
		return -1;
	return fmin(1, left / (double)(n - 2));
}

/* Is it long enough for all groups, and do all masters find room? */
static bool is_enough(size_t n, const struct pl_group_rates *group, double seconds)
{
	double sum = 0;

	for (size_t g = 0; g < n; g++) {
		const double x = most(n, &group[g], seconds);

		if (x < 0)
			return false;
		sum += x;
	}
	return sum >= 1;
}

/* The longest that any uplink or card takes for a buffer; 0: there is no
 * limit. */
static double slowest(size_t n, const struct pl_group_rates *group)
{
	double seconds = 0;

	for (size_t g = 0; g < n; g++) {
		if (group[g].uplink > 0)
			seconds = fmax(seconds, 1 / group[g].uplink);
		for (size_t i = 0; i < group[g].n_cards; i++)
			if (group[g].card[i] > 0)
				seconds = fmax(seconds, 1 / group[g].card[i]);
	}
	return seconds;
}

static double least_seconds(size_t n, const struct pl_group_rates *group)
{
	double low = slowest(n, group), high = low;

	if (low == 0 || is_enough(n, group, low))
		return low;
	while (!is_enough(n, group, high))
		high *= 2;
	for (int i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (is_enough(n, group, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

void pl_master_shares(size_t n, const struct pl_group_rates *group, double *share)
{
	double seconds, level = 1, sum = 0;

	for (size_t g = 0; g < n; g++)
		share[g] = 1 / (double)n;
	if (n <= 2) /* what one group sends does not depend on the shares */
		return;
	seconds = least_seconds(n, group);
	if (seconds == 0)
		return;
	/* even shares, cut at the most of each: the level rises until all are given */
	for (double step = 0.5; step > 1e-9; step /= 2) {
		sum = 0;
		for (size_t g = 0; g < n; g++)
			sum += fmin(level, most(n, &group[g], seconds));
		level += sum > 1 ? -step : step;
	}
	sum = 0;
	for (size_t g = 0; g < n; g++)
		sum += share[g] = fmin(level, most(n, &group[g], seconds));
	for (size_t g = 0; g < n; g++)
		share[g] /= sum;
}

/* The rates of the ranks in the node, to card[]; 0: it is a rank, or has groups in it. */
static size_t cards_of(const struct pl_rank_tree *t, size_t node, const double *rate, double *card)
{
	size_t n = 0;

	if (node < t->n_ranks)
		return 0;
	for (size_t v = 0; v + 1 < t->n_nodes; v++) {
		if (t->parent[v] != node)
			continue;
		if (v >= t->n_ranks)
			return 0;
		card[n++] = rate[v];
	}
	return n;
}

int pl_uplink_shares(const struct pl_rank_tree *t, const double *rate, double *share)
{
	struct pl_group_rates *of = pl_array_create(t->n_nodes, sizeof(*of));
	double *to = pl_array_create(t->n_nodes, sizeof(*to));
	double *cards = pl_array_create(t->n_nodes, sizeof(*cards));
	const bool good = of && to && cards;

	for (size_t g = t->n_ranks; good && g < t->n_nodes; g++) {
		double *card = cards;
		size_t n = 0;

		for (size_t v = 0; v + 1 < t->n_nodes; v++) {
			if (t->parent[v] != g)
				continue;
			of[n] = (struct pl_group_rates){rate[v], card, cards_of(t, v, rate, card)};
			card += of[n++].n_cards;
		}
		pl_master_shares(n, of, to);
		for (size_t v = t->n_nodes - 1; v-- > 0;)
			if (t->parent[v] == g)
				share[v] = to[--n];
	}
	free(of);
	free(to);
	free(cards);
	return good ? 0 : -1;
}

void pl_bandwidth_shares(const struct pl_rank_tree *t, const double *rate, double *share)
{
	const size_t n = t->n_ranks;

	for (size_t v = 0; v < t->n_nodes; v++)
		share[v] = 0;
	for (uint32_t src = 0; src < n; src++)
		for (uint32_t dst = 0; dst < n; dst++) {
			uint32_t a = src, b = dst;

			while (a != b) /* up to the group of both */
				if (a < b) {
					share[a] += rate[src * n + dst];
					a = t->parent[a];
				} else {
					b = t->parent[b];
				}
		}
}
