/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - a pair's figures over its flows: one sample, or one for each */
#include "config.h"

#include "probes/pair/flows.h"

#include "base/stats.h"

#include <string.h>

#define PERCENTILE 0.1
#define ALL UINT8_MAX

/* Puts one flow's round trips, or all, into work, ascending; how many. */
static size_t gather(const struct pl_sample *s, unsigned flow)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (flow == ALL || s->flow[i] == flow)
			s->work[n++] = s->rtt_ns[i];
	pl_sort_int64(s->work, n);
	return n;
}

static int64_t percentile(const struct pl_sample *s, size_t n, double p)
{
	return s->work[pl_percentile_index(n, p)];
}

/* The flows' 10th percentiles ascending; how many flows were answered. */
static size_t flow_p10(const struct pl_sample *s, int64_t p10[PL_FLOWS_MAX])
{
	size_t n_flows = 0;

	for (unsigned f = 0; f < s->n_flows; f++) {
		const size_t n = gather(s, f);

		if (n > 0)
			p10[n_flows++] = percentile(s, n, PERCENTILE);
	}
	pl_sort_int64(p10, n_flows);
	return n_flows;
}

/* Whether they agree, and by how much they differ. */
static bool agree(const struct pl_sample *s, const struct pl_tolerance *tolerance,
		  int64_t *spread_ns)
{
	int64_t p10[PL_FLOWS_MAX];
	size_t n_flows;
	double all, slack;

	*spread_ns = 0;
	if (s->n_flows == 1)
		return true;
	n_flows = flow_p10(s, p10);
	all = (double)percentile(s, gather(s, ALL), PERCENTILE);
	slack = 2 * (tolerance->share * all + (double)tolerance->ns);
	*spread_ns = p10[n_flows - 1] - p10[0];
	return all - (double)p10[0] <= slack && (double)p10[n_flows - 1] - all <= slack;
}

bool pl_flows_settled(const struct pl_sample *s, const struct pl_tolerance *tolerance)
{
	int64_t spread_ns;

	if (s->n == 0)
		return false;
	if (agree(s, tolerance, &spread_ns))
		return pl_settled(s->work, gather(s, ALL), PERCENTILE, tolerance);
	for (unsigned f = 0; f < s->n_flows; f++) {
		const size_t n = gather(s, f);

		if (n > 0 && !pl_settled(s->work, n, PERCENTILE, tolerance))
			return false;
	}
	return true;
}

static void take_figures(const struct pl_sample *s, size_t n, struct pl_figures *out)
{
	out->min_ns = s->work[0];
	out->p10_ns = percentile(s, n, PERCENTILE);
	out->p50_ns = percentile(s, n, 0.5);
	out->p90_ns = percentile(s, n, 0.9);
	out->p99_ns = percentile(s, n, 0.99);
}

static int64_t median(int64_t *v, size_t n)
{
	pl_sort_int64(v, n);
	return v[pl_percentile_index(n, 0.5)];
}

static void take_medians(const struct pl_sample *s, struct pl_figures *out)
{
	int64_t min[PL_FLOWS_MAX], p10[PL_FLOWS_MAX], p50[PL_FLOWS_MAX];
	int64_t p90[PL_FLOWS_MAX], p99[PL_FLOWS_MAX];
	size_t k = 0;

	for (unsigned f = 0; f < s->n_flows; f++) {
		const size_t n = gather(s, f);
		struct pl_figures one;

		if (n == 0)
			continue;
		take_figures(s, n, &one);
		min[k] = one.min_ns;
		p10[k] = one.p10_ns;
		p50[k] = one.p50_ns;
		p90[k] = one.p90_ns;
		p99[k++] = one.p99_ns;
	}
	out->min_ns = median(min, k);
	out->p10_ns = median(p10, k);
	out->p50_ns = median(p50, k);
	out->p90_ns = median(p90, k);
	out->p99_ns = median(p99, k);
}

/* As the figures of the others: of all flows, or in the median of them. */
static int64_t raw_p10(const struct pl_sample *s, bool agreed)
{
	struct pl_sample raw = *s;
	int64_t p10[PL_FLOWS_MAX];

	if (s->raw_ns)
		raw.rtt_ns = s->raw_ns;
	if (agreed)
		return percentile(&raw, gather(&raw, ALL), PERCENTILE);
	return median(p10, flow_p10(&raw, p10));
}

void pl_flows_figures(const struct pl_sample *s, const struct pl_tolerance *tolerance,
		      struct pl_figures *out)
{
	bool agreed;

	memset(out, 0, sizeof(*out));
	if (s->n == 0)
		return;
	agreed = agree(s, tolerance, &out->spread_ns);
	if (agreed)
		take_figures(s, gather(s, ALL), out);
	else
		take_medians(s, out);
	out->raw_ns = raw_p10(s, agreed);
}
