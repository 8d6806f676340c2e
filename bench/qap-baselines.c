/* SPDX-License-Identifier: BSD-3-Clause */
/* qap-baselines.c - exchanges of two, and heaviest pair first */
#include "config.h"

#include "bench/qap-baselines.h"

#include "base/mem.h"
#include "solver/assign/flows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define NONE SIZE_MAX

/* The host of @pos, were those of p and q exchanged. */
static size_t host_if(const size_t *host_at, size_t pos, size_t p, size_t q)
{
	return host_at[pos == p ? q : pos == q ? p : pos];
}

/* What the flows of @pos would cost then. */
static double cost_if(const struct pl_assign_flows *f, const size_t *host_at, size_t pos, size_t p,
		      size_t q)
{
	const size_t here = host_if(host_at, pos, p, q);
	double sum = 0;

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];
		const size_t there = host_if(host_at, x->pos, p, q);

		sum += pl_assign_hop(f, here, there, x->out) + pl_assign_hop(f, there, here, x->in);
	}
	return sum;
}

/* Flows between the two count twice, before and after. */
static bool pays(const struct pl_assign_flows *f, const size_t *host_at, size_t p, size_t q)
{
	const double before = cost_if(f, host_at, p, p, p) + cost_if(f, host_at, q, q, q);

	return cost_if(f, host_at, p, p, q) + cost_if(f, host_at, q, p, q) < before * (1 - 1e-12);
}

int qap_exchange(const struct qap_instance *in, size_t *host_at, const volatile sig_atomic_t *over,
		 struct pl_err *err)
{
	struct pl_assign_flows f;
	bool better = true;

	if (pl_assign_flows_init(&f, &in->problem, host_at, err))
		return -1;
	while (better && !*over) {
		better = false;
		for (size_t p = 1; p < f.n_pos && !*over; p++)
			for (size_t q = 0; q < p; q++)
				if (pays(&f, host_at, p, q)) {
					const size_t host = host_at[p];

					host_at[p] = host_at[q];
					host_at[q] = host;
					better = true;
				}
	}
	pl_assign_flows_fini(&f);
	return 0;
}

struct pair {
	size_t p, q;
	double exchanged;
};

static int by_exchanged(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->exchanged != y->exchanged)
		return x->exchanged > y->exchanged ? -1 : 1;
	return x->p != y->p ? (x->p < y->p ? -1 : 1) : (x->q > y->q) - (x->q < y->q);
}

static size_t list_pairs(const struct pl_assign_flows *f, struct pair *pair)
{
	size_t n = 0;

	for (size_t p = 0; p < f->n_pos; p++)
		for (size_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (f->peer[k].pos > p)
				pair[n++] = (struct pair){p, f->peer[k].pos,
							  pl_assign_exchanged(f, &f->peer[k])};
	if (n > 0)
		qsort(pair, n, sizeof(*pair), by_exchanged);
	return n;
}

static double there_and_back(const struct pl_assign_flows *f, size_t a, size_t b)
{
	return f->c[a * f->n_hosts + b] + f->c[b * f->n_hosts + a];
}

/* The host with room that is nearest to @host, itself perhaps. */
static size_t nearest(const struct pl_assign_flows *f, const size_t *left, size_t host)
{
	size_t best = NONE;

	for (size_t h = 0; h < f->n_hosts; h++)
		if (left[h] > 0 &&
		    (best == NONE || there_and_back(f, host, h) < there_and_back(f, host, best)))
			best = h;
	return best;
}

/* The first of the two hosts with room that are nearest to each other. */
static size_t first_of_nearest(const struct pl_assign_flows *f, size_t *left)
{
	size_t best = NONE;
	double least = INFINITY;

	for (size_t h = 0; h < f->n_hosts; h++) {
		size_t other;

		if (left[h] == 0)
			continue;
		left[h]--;
		other = nearest(f, left, h);
		left[h]++;
		if (other != NONE && there_and_back(f, h, other) < least) {
			least = there_and_back(f, h, other);
			best = h;
		}
		if (least == 0)
			break;
	}
	return best;
}

static void put(size_t *host_at, size_t *left, size_t pos, size_t host)
{
	host_at[pos] = host;
	left[host]--;
}

static void place_pairs(const struct pl_assign_flows *f, const struct pair *pair, size_t n,
			size_t *host_at, size_t *left)
{
	for (size_t k = 0; k < n; k++) {
		const size_t p = pair[k].p, q = pair[k].q;

		if (host_at[p] == NONE && host_at[q] == NONE)
			put(host_at, left, p, first_of_nearest(f, left));
		if (host_at[p] == NONE)
			put(host_at, left, p, nearest(f, left, host_at[q]));
		if (host_at[q] == NONE)
			put(host_at, left, q, nearest(f, left, host_at[p]));
	}
	for (size_t p = 0; p < f->n_pos; p++)
		if (host_at[p] == NONE)
			put(host_at, left, p, nearest(f, left, 0));
}

int qap_greedy(const struct qap_instance *in, size_t *host_at, struct pl_err *err)
{
	struct pl_assign_flows f;
	struct pair *pair;
	size_t *left;
	int rc = 0;

	if (pl_assign_flows_init(&f, &in->problem, NULL, err))
		return -1;
	pair = pl_array_create(f.first[f.n_pos], sizeof(*pair));
	left = pl_array_create(f.n_hosts, sizeof(*left));
	if (pair && left) {
		for (size_t h = 0; h < f.n_hosts; h++)
			left[h] = f.slot[h + 1] - f.slot[h];
		for (size_t p = 0; p < f.n_pos; p++)
			host_at[p] = NONE;
		place_pairs(&f, pair, list_pairs(&f, pair), host_at, left);
	} else {
		rc = pl_err_nomem(err);
	}
	free(pair);
	free(left);
	pl_assign_flows_fini(&f);
	return rc;
}
