/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.c - how many of the masters each group should have */
#include "config.h"

#include "engine/shares.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The most that the group may have for its uplink to take @seconds. */
static double most(size_t n, double rate, double seconds)
{
	double x;

	if (rate <= 0)
		return 1;
	x = (seconds * rate - 1) / (double)(n - 2);
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double sum_of_most(size_t n, const double *rate, double seconds)
{
	double sum = 0;

	for (size_t g = 0; g < n; g++)
		sum += most(n, rate[g], seconds);
	return sum;
}

/* The least time in which all masters find room: it takes 1 / rate to send the
 * sums of a group without masters, and at most n - 1 times as long. */
static double least_seconds(size_t n, const double *rate)
{
	double low = 0, high;

	for (size_t g = 0; g < n; g++)
		if (rate[g] > 0 && 1 / rate[g] > low)
			low = 1 / rate[g];
	high = low * (double)(n - 1);
	if (sum_of_most(n, rate, low) >= 1)
		return low;
	for (int i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (sum_of_most(n, rate, middle) >= 1)
			high = middle;
		else
			low = middle;
	}
	return high;
}

void pl_master_shares(size_t n, const double *rate, double *share)
{
	double seconds, level = 1, sum = 0;

	for (size_t g = 0; g < n; g++)
		share[g] = 1 / (double)n;
	if (n <= 2) /* what one group sends does not depend on the shares */
		return;
	seconds = least_seconds(n, rate);
	if (seconds == 0)
		return;
	/* even shares, cut at the most of each: the level rises until all are
	 * given */
	for (double step = 0.5; step > 1e-9; step /= 2) {
		sum = 0;
		for (size_t g = 0; g < n; g++)
			sum += fmin(level, most(n, rate[g], seconds));
		level += sum > 1 ? -step : step;
	}
	sum = 0;
	for (size_t g = 0; g < n; g++)
		sum += share[g] = fmin(level, most(n, rate[g], seconds));
	for (size_t g = 0; g < n; g++)
		share[g] /= sum;
}

int pl_uplink_shares(const struct pl_levels *t, const double *rate,
		     double *share)
{
	double *of = pl_array_create(t->n_nodes, sizeof(*of));
	double *to = pl_array_create(t->n_nodes, sizeof(*to));
	const bool good = of && to;

	for (size_t g = t->n_ranks; good && g < t->n_nodes; g++) {
		size_t n = 0;

		for (size_t v = 0; v + 1 < t->n_nodes; v++)
			if (t->parent[v] == g)
				of[n++] = rate[v];
		pl_master_shares(n, of, to);
		for (size_t v = t->n_nodes - 1; v-- > 0;)
			if (t->parent[v] == g)
				share[v] = to[--n];
	}
	free(of);
	free(to);
	return good ? 0 : -1;
}

void pl_bandwidth_shares(const struct pl_levels *t, const double *rate,
			 double *share)
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
