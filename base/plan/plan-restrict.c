/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-restrict.c - a plan of more hosts than a job has */
#include "config.h"

#include "base/plan/plan.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* An order keeps the sequence of the hosts that are left; its costs were those of all. */
static void restrict_order(struct pl_order *order, size_t n, const size_t *number)
{
	size_t pos = 0;

	for (size_t i = 0; i < n; i++)
		if (number[order->host_at[i]] < n)
			order->host_at[pos++] = number[order->host_at[i]];
	order->cost = order->given = order->bound = NAN;
}

/* Cells move to lower places, in this sequence. */
static void restrict_costs(double *cost, size_t n, const size_t *number)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (number[i] < n && number[j] < n)
				cost[to++] = cost[i * n + j];
}

/* number[n]: of each host that is left, or n. */
static int number_hosts(const struct pl_hosts *all, const bool *keep, struct pl_hosts *left,
			size_t *number)
{
	for (size_t i = 0; i < all->n; i++) {
		number[i] = keep[i] ? left->n : all->n;
		if (keep[i] && pl_hosts_add(left, &all->v[i]))
			return -1;
	}
	return 0;
}

int pl_plan_restrict(struct pl_plan *plan, const bool *keep)
{
	const size_t n = plan->hosts.n;
	size_t *number = pl_array_create(n, sizeof(*number));
	struct pl_hosts left = {0};

	if (!number || number_hosts(&plan->hosts, keep, &left, number)) {
		pl_hosts_fini(&left);
		free(number);
		return -1;
	}
	for (size_t k = 0; left.n < n && k < plan->n_orders; k++)
		restrict_order(&plan->order[k], n, number);
	if (plan->cost)
		restrict_costs(plan->cost, n, number);
	pl_hosts_fini(&plan->hosts);
	plan->hosts = left;
	free(number);
	return 0;
}
