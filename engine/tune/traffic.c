/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - what the ranks of a job have sent, and how fast each could */
#include "config.h"

#include "engine/tune/traffic.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Flows of one way through one card or uplink. */
struct flows {
	double *busy_s; /* [room]: of each */
	size_t n;
	double bytes;
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts value[n]. 0 of none. */
static double median(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), by_value);
	return n > 0 ? (value[(n - 1) / 2] + value[n / 2]) / 2 : 0;
}

/* 0: there are no flows. */
static double rate_of(struct flows *f)
{
	const double busy_s = median(f->busy_s, f->n);

	return busy_s > 0 ? f->bytes / busy_s : 0;
}

static void add_flow(struct flows *f, const struct pl_traffic *t, size_t src,
		     size_t dst)
{
	const size_t at = src * t->n + dst;

	if (t->bytes[at] <= 0 || t->busy_s[at] <= 0)
		return;
	f->busy_s[f->n++] = t->busy_s[at];
	f->bytes += t->bytes[at];
}

/* The lower rate that is known. */
static double lower(double a, double b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

int pl_traffic_rates(const struct pl_traffic *t, double *rate)
{
	double *busy_s = pl_array_create(t->n, sizeof(*busy_s));
	double most = 0;

	if (!busy_s)
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		struct flows out = {.busy_s = busy_s}, in = {.busy_s = busy_s};
		double of_out;

		for (size_t k = 0; k < t->n; k++)
			add_flow(&out, t, i, k);
		of_out = rate_of(&out);
		for (size_t k = 0; k < t->n; k++)
			add_flow(&in, t, k, i);
		rate[i] = lower(of_out, rate_of(&in));
		most = fmax(most, rate[i]);
	}
	for (size_t i = 0; i < t->n; i++)
		if (rate[i] <= 0)
			rate[i] = most;
	free(busy_s);
	return most > 0 ? 0 : -1;
}

int pl_traffic_slow(const struct pl_traffic *t, double factor, bool *slow)
{
	double *busy_s = pl_array_create(t->n, sizeof(*busy_s));
	double *work = pl_array_create(t->n, sizeof(*work));
	const int rc = busy_s && work ? 0 : -1;
	double usual;

	for (size_t i = 0; rc == 0 && i < t->n; i++) {
		struct flows out = {.busy_s = work};

		for (size_t k = 0; k < t->n; k++)
			add_flow(&out, t, i, k);
		busy_s[i] = median(work, out.n);
	}
	if (rc == 0) {
		memcpy(work, busy_s, t->n * sizeof(*work));
		usual = median(work, t->n);
		for (size_t i = 0; i < t->n; i++)
			slow[i] = busy_s[i] > factor * usual;
	}
	free(busy_s);
	free(work);
	return rc;
}

static bool is_in(const struct pl_rank_tree *tree, size_t node, size_t group)
{
	while (node < group)
		node = tree->parent[node];
	return node == group;
}

int pl_traffic_uplinks(const struct pl_traffic *t,
		       const struct pl_rank_tree *tree, double *rate)
{
	double *busy_s = pl_array_create(t->n * t->n, sizeof(*busy_s));
	int rc = busy_s ? pl_traffic_rates(t, rate) : -1;

	for (size_t g = t->n; rc == 0 && g < tree->n_nodes; g++) {
		struct flows out = {.busy_s = busy_s}, in = {.busy_s = busy_s};
		double of_out;

		for (size_t i = 0; i < t->n; i++)
			for (size_t k = 0; k < t->n; k++)
				if (is_in(tree, i, g) && !is_in(tree, k, g))
					add_flow(&out, t, i, k);
		of_out = rate_of(&out);
		for (size_t i = 0; i < t->n; i++)
			for (size_t k = 0; k < t->n; k++)
				if (!is_in(tree, i, g) && is_in(tree, k, g))
					add_flow(&in, t, i, k);
		rate[g] = lower(of_out, rate_of(&in));
	}
	free(busy_s);
	return rc;
}

/* What passes each node one way, of a buffer of one byte. */
static void add_loads(const struct pl_slice *s, double part,
		      const struct pl_rank_tree *tree, double *out, double *in)
{
	for (size_t i = 0; i < s->n_transfers; i++) {
		size_t a = s->transfer[i].src, b = s->transfer[i].dst;

		while (a != b) /* up to the group of both */
			if (a < b) {
				out[a] += part;
				a = tree->parent[a];
			} else {
				in[b] += part;
				b = tree->parent[b];
			}
	}
}

double pl_slices_seconds(const struct pl_slices *slices,
			 const struct pl_rank_tree *tree, const double *rate)
{
	double *out = pl_array_create(tree->n_nodes, sizeof(*out));
	double *in = pl_array_create(tree->n_nodes, sizeof(*in));
	double weight = 0, most = out && in ? 0 : -1;

	for (size_t i = 0; i < slices->n; i++)
		weight += (double)slices->slice[i].weight;
	for (size_t i = 0; most >= 0 && i < slices->n; i++)
		add_loads(&slices->slice[i],
			  (double)slices->slice[i].weight / weight, tree, out,
			  in);
	for (size_t v = 0; most >= 0 && v + 1 < tree->n_nodes; v++)
		if (rate[v] > 0)
			most = fmax(most, fmax(out[v], in[v]) / rate[v]);
	free(out);
	free(in);
	return most;
}

int pl_rates_low(const double *rate, size_t n, double factor, bool *slow)
{
	double *work = pl_array_create(n, sizeof(*work));
	double usual;

	if (!work)
		return -1;
	memcpy(work, rate, n * sizeof(*work));
	usual = median(work, n);
	free(work);
	for (size_t i = 0; i < n; i++)
		slow[i] |= factor * rate[i] < usual;
	return 0;
}
