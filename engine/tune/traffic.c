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

/* The median of three spread over value[n]. */
static double middle_of(const double *value, size_t n)
{
	const double a = value[0], b = value[n / 2], c = value[n - 1];

	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Moves what is below the limit to the front of value[n]; how many that are. */
static size_t divide(double *value, size_t n, double limit)
{
	size_t n_below = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = value[i];

		value[i] = value[n_below];
		value[n_below] = x;
		n_below += x < limit;
	}
	return n_below;
}

/* Orders value[n] so far that value[k] stands in its place, and none before it is larger. */
static void put_in_place(double *value, size_t n, size_t k)
{
	while (n > 1) {
		const double middle = middle_of(value, n);
		size_t n_less = divide(value, n, middle);

		if (k < n_less) {
			n = n_less;
			continue;
		}
		value += n_less;
		n -= n_less;
		k -= n_less;
		n_less = divide(value, n, nextafter(middle, INFINITY));
		if (k < n_less) /* all as the middle one */
			return;
		value += n_less;
		n -= n_less;
		k -= n_less;
	}
}

/* Changes the order of value[n]. 0 of none. */
static double median(double *value, size_t n)
{
	double below = 0;

	if (n == 0)
		return 0;
	put_in_place(value, n, n / 2);
	if (n % 2)
		return value[n / 2];
	for (size_t i = 0; i < n / 2; i++)
		below = fmax(below, value[i]);
	return (below + value[n / 2]) / 2;
}

/* 0: there are no flows. */
static double rate_of(struct flows *f)
{
	const double busy_s = median(f->busy_s, f->n);

	return busy_s > 0 ? f->bytes / busy_s : 0;
}

static void add_flow(struct flows *f, const struct pl_traffic *t, size_t src, size_t dst)
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

static int rank_rates(const struct pl_traffic *t, double *rate)
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

/* The ranks of a group, one at least. */
struct members {
	bool *is;     /* [n] */
	size_t *rank; /* [n_ranks] */
	size_t n_ranks;
};

static void find_members(struct members *m, const struct pl_rank_tree *tree, size_t group)
{
	m->n_ranks = 0;
	for (size_t i = 0; i < tree->n_ranks; i++) {
		m->is[i] = is_in(tree, i, group);
		if (m->is[i])
			m->rank[m->n_ranks++] = i;
	}
}

static double uplink_rate(const struct pl_traffic *t, const struct members *m, double *busy_s)
{
	struct flows out = {.busy_s = busy_s}, in = {.busy_s = busy_s};
	double of_out;

	for (size_t i = 0; i < m->n_ranks; i++)
		for (size_t k = 0; k < t->n; k++)
			if (!m->is[k])
				add_flow(&out, t, m->rank[i], k);
	of_out = rate_of(&out);
	for (size_t k = 0; k < t->n; k++)
		for (size_t i = 0; !m->is[k] && i < m->n_ranks; i++)
			add_flow(&in, t, k, m->rank[i]);
	return lower(of_out, rate_of(&in));
}

int pl_traffic_uplinks(const struct pl_traffic *t, const struct pl_rank_tree *tree, double *rate)
{
	double *busy_s = pl_array_create(t->n * t->n, sizeof(*busy_s));
	struct members m = {.is = pl_array_create(t->n, sizeof(*m.is)),
			    .rank = pl_array_create(t->n, sizeof(*m.rank))};
	int rc = busy_s && m.is && m.rank ? rank_rates(t, rate) : -1;

	for (size_t g = t->n; rc == 0 && g < tree->n_nodes; g++) {
		find_members(&m, tree, g);
		rate[g] = m.n_ranks == 1 ? rate[*m.rank] : uplink_rate(t, &m, busy_s);
	}
	free(busy_s);
	free(m.is);
	free(m.rank);
	return rc;
}

/* What passes each node one way, of a buffer of one byte. */
static void add_loads(const struct pl_slice *s, double part, const struct pl_rank_tree *tree,
		      double *out, double *in)
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

double pl_slices_seconds(const struct pl_slices *slices, const struct pl_rank_tree *tree,
			 const double *rate)
{
	double *out = pl_array_create(tree->n_nodes, sizeof(*out));
	double *in = pl_array_create(tree->n_nodes, sizeof(*in));
	double weight = 0, most = out && in ? 0 : -1;

	for (size_t i = 0; i < slices->n; i++)
		weight += (double)slices->slice[i].weight;
	for (size_t i = 0; most >= 0 && i < slices->n; i++)
		add_loads(&slices->slice[i], (double)slices->slice[i].weight / weight, tree, out,
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
