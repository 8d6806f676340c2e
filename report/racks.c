/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.c - which hosts of a report stand together, and what is usual between them */
#include "config.h"

#include "report/report.h"

#include "base/mem.h"
#include "base/stats.h"
#include "report/parts.h"
#include "topology/linkage.h"
#include "topology/racks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A jump from one height of the tree to the next by less tells no groups
 * apart. */
#define JUMP 1.3

/* Puts the value of rank @k among v[n] in its place, what is less before it (Hoare, 1961). */
static double select_value(double *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		const double pivot = v[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			const double x = v[i];

			v[i++] = v[j];
			v[j--] = x;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return v[k];
}

double pl_report_percentile(double *v, size_t n, double p)
{
	return n == 0 ? NAN : select_value(v, n, pl_percentile_index(n, p));
}

/* Costs where something was measured, either way; of bandwidths the inverse, which grows with the
 * distance. */
static double distance(const struct pl_report *r, size_t i, size_t j)
{
	const double x = r->from.c[i * r->n + j];

	if (isnan(pl_report_cell(r, i, j)) && isnan(pl_report_cell(r, j, i)))
		return NAN;
	return i == j ? 0 : !pl_report_is_rate(r) ? x : x > 0 ? 1 / x : NAN;
}

/* How many merges come before the greatest jump in height. */
static size_t find_cut(const struct pl_cluster_merge *merge, size_t n_merges)
{
	double most = JUMP;
	size_t cut = n_merges;

	for (size_t k = 1; k < n_merges; k++) {
		const double low = merge[k - 1].height, high = merge[k].height;

		if (low > 0 && isfinite(high) && high / low > most) {
			most = high / low;
			cut = k;
		}
	}
	return cut;
}

/* Groups by average linkage. */
static int link_hosts(struct pl_report *r)
{
	const size_t n = r->n;
	float *d = pl_array_create(n, n * sizeof(*d));
	struct pl_cluster_merge *merge = pl_array_create(n, sizeof(*merge));
	size_t *map = pl_array_create(n, sizeof(*map));
	int rc = d && merge && map ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < n; i++)
		for (size_t j = i; j < n; j++) {
			const double there = distance(r, i, j);
			const double back = distance(r, j, i);

			d[i * n + j] = d[j * n + i] = (float)(isnan(there)  ? back
							      : isnan(back) ? there
									    : (there + back) / 2);
		}
	if (rc == 0)
		rc = pl_linkage(d, n, merge);
	if (rc == 0)
		r->n_racks = pl_linkage_cut(merge, find_cut(merge, n - 1), n, r->rack, map);
	free(d);
	free(merge);
	free(map);
	return rc;
}

static int part(struct pl_report *r, double *v, struct pl_err *err)
{
	const size_t n = r->n;

	if (r->from.traffic) {
		for (size_t i = 0; i < n; i++)
			r->rack[i] = r->from.rack ? r->from.rack[i] : 0;
		r->n_racks = r->from.rack ? r->from.n_racks : 1;
		return 0;
	}

	r->linked = n > PL_REPORT_RACKS_MAX;
	if (r->linked)
		return link_hosts(r) ? pl_err_nomem(err) : 0;
	for (size_t p = 0; p < n * n; p++)
		v[p] = distance(r, p / n, p % n);
	r->too_few = !pl_racks_can_tell(v, n);
	return pl_racks(v, n, r->rack, &r->n_racks, err);
}

/* Medians of costs within rack @a (or, SIZE_MAX, any) and between it and the rest; v[n * n] is
 * scratch. */
static struct pl_report_rack describe(const struct pl_report *r, size_t a, double *v)
{
	const size_t n = r->n;
	struct pl_report_rack rack = {0};
	size_t n_inner = 0, n_outer = 0;

	/* inner ones from the front, outer ones from the back */
	for (size_t i = 0; i < n; i++) {
		rack.n += r->rack[i] == a;
		for (size_t j = 0; j < n; j++) {
			const double x = r->from.c[i * n + j];

			if (i == j || isnan(x) ||
			    (a != SIZE_MAX && r->rack[i] != a && r->rack[j] != a))
				continue;
			if (r->rack[i] == r->rack[j])
				v[n_inner++] = x;
			else
				v[n * n - ++n_outer] = x;
		}
	}
	rack.inner = pl_report_percentile(v, n_inner, 0.5);
	rack.outer = pl_report_percentile(v + n * n - n_outer, n_outer, 0.5);
	return rack;
}

/* Between what is usual within racks and between them; of one rack twice the usual. */
static double slow_from(const struct pl_report *r, double *v)
{
	const struct pl_report_rack all = describe(r, SIZE_MAX, v);

	if (pl_report_is_rate(r) || (isnan(all.inner) && isnan(all.outer)))
		return INFINITY;
	if (isnan(all.inner) || isnan(all.outer) || all.outer <= all.inner)
		return 2 * (isnan(all.inner) ? all.outer : all.inner);
	return all.inner > 0 ? sqrt(all.inner * all.outer) : all.outer;
}

char *pl_report_hosts(char buf[PL_REPORT_LINE], const struct pl_report *r)
{
	if (r->too_few)
		snprintf(buf, PL_REPORT_LINE, "%zu hosts, %s", r->n, PL_RACKS_TOO_FEW);
	else
		snprintf(buf, PL_REPORT_LINE, "%zu hosts in %zu rack%s", r->n, r->n_racks,
			 r->n_racks == 1 ? "" : "s");
	return buf;
}

int pl_report_find_racks(struct pl_report *r, double *v, struct pl_err *err)
{
	if (part(r, v, err))
		return -1;
	r->racks = pl_array_create(r->n_racks, sizeof(*r->racks));
	if (!r->racks)
		return pl_err_nomem(err);
	for (size_t a = 0; a < r->n_racks && a < PL_REPORT_RACKS_LISTED; a++)
		r->racks[a] = describe(r, a, v);
	r->slow = r->from.traffic ? INFINITY : slow_from(r, v);
	return 0;
}
