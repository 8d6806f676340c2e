/* SPDX-License-Identifier: BSD-3-Clause */
/* disagree.c - hosts whose measurements contradict their places in a file */
#include "config.h"

#include "topology/disagree.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

/* A host that is in the file, and the place it is in. */
struct member {
	size_t node, host;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

static int compare_worst(const void *a, const void *b)
{
	const struct pl_disagreement *x = a, *y = b;
	const double left = x->own * y->near, right = y->own * x->near;

	if (left != right)
		return left > right ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

/* The mean of both directions between two hosts, or one if the other is missing. */
static double between(const struct pl_places_measured *tm, size_t i, size_t j)
{
	const double a = tm->c[i * tm->n + j], b = tm->c[j * tm->n + i];

	if (isnan(a))
		return b;
	return isnan(b) ? a : a / 2 + b / 2;
}

/* Median from @host to the members m[n] but itself; NaN: no pair was
 * measured. */
static double median_to(const struct pl_places_measured *tm, size_t host, const struct member *m,
			size_t n, double *scratch)
{
	size_t used = 0;

	for (size_t k = 0; k < n; k++) {
		const double d = m[k].host == host ? NAN : between(tm, host, m[k].host);

		if (!isnan(d))
			scratch[used++] = d;
	}
	return pl_median(scratch, used);
}

/* Looks for the place that a host is nearest to. */
static struct pl_disagreement judge(const struct pl_places_measured *tm, size_t self,
				    const struct member *m, size_t n, double *scratch)
{
	struct pl_disagreement d = {.host = m[self].host, .own = NAN, .near = NAN};
	size_t end;

	for (size_t from = 0; from < n; from = end) {
		double median;

		for (end = from; end < n && m[end].node == m[from].node;)
			end++;
		median = median_to(tm, d.host, m + from, end - from, scratch);
		if (m[from].node == m[self].node) {
			d.own = median;
		} else if (!isnan(median) && !(median >= d.near)) {
			d.near = median;
			d.other = m[from].host;
		}
	}
	return d;
}

static size_t find_members(const struct pl_places_measured *tm, struct member *m)
{
	size_t n = 0;

	for (size_t i = 0; i < tm->n; i++)
		if (tm->at[i] >= 0)
			m[n++] = (struct member){.node = tm->places->host[tm->at[i]].node,
						 .host = i};
	qsort(m, n, sizeof(*m), compare_members);
	return n;
}

int pl_places_disagree(const struct pl_places_measured *tm, struct pl_disagreement *list,
		       size_t *n_list, size_t *n_judged, struct pl_err *err)
{
	struct member *m = pl_array_create(tm->n, sizeof(*m));
	double *scratch = pl_array_create(tm->n, sizeof(*scratch));
	size_t n;
	int rc = 0;

	*n_list = *n_judged = 0;
	if (!m || !scratch) {
		rc = pl_err_nomem(err);
		goto out;
	}
	n = find_members(tm, m);
	for (size_t self = 0; self < n; self++) {
		const struct pl_disagreement d = judge(tm, self, m, n, scratch);

		*n_judged += !isnan(d.own) && !isnan(d.near);
		if (d.near * PL_DISAGREE_FACTOR < d.own)
			list[(*n_list)++] = d;
	}
	qsort(list, *n_list, sizeof(*list), compare_worst);
out:
	free(m);
	free(scratch);
	return rc;
}
