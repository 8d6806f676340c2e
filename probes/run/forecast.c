/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c - what a run is going to take, before anything is started */
#include "config.h"

#include "probes/bandwidth/bandwidth.h"
#include "probes/bandwidth/layers.h"
#include "probes/protocol/thesis-packet.h"
#include "probes/run/coordinator.h"
#include "probes/run/forecast-chosen.h"
#include "probes/run/measure.h"
#include "probes/run/options.h"
#include "probes/run/resume.h"
#include "src/mem.h"

#include <stdlib.h>

#define HEADER_BYTES 28 /* UDP and IPv4 */

/* From a probe to the next: the gap, and half as much by chance. */
static double pace_s(const struct pl_probe_options *o)
{
	return 1.5e-9 * (double)o->gap_ns;
}

static double smaller(double x, double y)
{
	return x < y ? x : y;
}

/* Seconds of a pair: as its probes take, but no longer than it may. */
static double pair_s(const struct pl_probe_options *o, uint32_t probes)
{
	const double least = (o->probes_min + 1) * pace_s(o);
	const double all = (probes + 1) * pace_s(o);
	const double most = (double)o->pair_ns / 1e9;

	return smaller(all, least > most ? least : most);
}

static uint64_t n_ways(const struct pl_meet *v, size_t n)
{
	uint64_t ways = 0;

	for (size_t i = 0; i < n; i++)
		ways += v[i].ways == PL_MEET_BOTH ? 2 : 1;
	return ways;
}

/* All hosts but one of an odd number probe at once: so many in so long, and the other
 * way round; no two leave closer to one another than the gap. */
static double at_once(const struct pl_probe_forecast *f)
{
	return f->n_hosts < 2 ? 1 : (double)(f->n_hosts / 2 * 2);
}

static void limit_by_probes(struct pl_probe_forecast *f,
			    const struct pl_probe_options *o)
{
	const double n = (double)o->budget_probes;
	const double seconds = n / at_once(f) * pace_s(o);

	if (n >= (double)f->probes_most)
		return;
	f->probes_most = o->budget_probes;
	f->seconds_most = smaller(f->seconds_most, seconds);
	f->seconds_least = smaller(f->seconds_least, f->seconds_most);
}

static void limit_by_time(struct pl_probe_forecast *f,
			  const struct pl_probe_options *o)
{
	const double gap_s = (double)o->gap_ns / 1e9;
	const double seconds = (double)o->budget_ns / 1e9;
	const double n = gap_s > 0 ? at_once(f) * (seconds / gap_s + 1) : 1e18;

	if (n < (double)f->probes_most)
		f->probes_most = (uint64_t)n;
}

static void limit(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double seconds = (double)o->budget_ns / 1e9;

	if (o->budget_probes > 0)
		limit_by_probes(f, o);
	if (o->budget_ns > 0)
		limit_by_time(f, o);
	if (f->probes_least > f->probes_most)
		f->probes_least = f->probes_most;
	if (o->budget_ns > 0) {
		f->seconds_least = smaller(f->seconds_least, seconds);
		f->seconds_most = smaller(f->seconds_most, seconds);
		f->flow_seconds_least = smaller(f->flow_seconds_least,
						seconds - f->seconds_least);
		f->flow_seconds_most = smaller(f->flow_seconds_most,
					       seconds - f->seconds_least);
	}
}

static void count_probes(struct pl_probe_forecast *f,
			 const struct pl_probe_options *o, uint64_t least,
			 uint64_t most)
{
	f->probes_least = least * (o->probes_min + 1);
	f->probes_most = most * (o->probes_max + 1);
}

static int count_chosen(struct pl_matrix *m, const struct pl_probe_options *o,
			struct pl_probe_forecast *f, struct pl_err *err)
{
	if (pl_forecast_chosen(m, o->chooser, f, err))
		return -1;
	count_probes(f, o, 2 * (uint64_t)f->n_pairs,
		     2 * (uint64_t)f->n_pairs_most);
	return 0;
}

static int count(const struct pl_matrix *m, const struct pl_probe_options *o,
		 struct pl_probe_forecast *f, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	bool *all = pl_array_create(n, sizeof(*all));
	struct pl_meet *v = NULL;
	uint64_t ways;
	int status = -1;

	for (size_t i = 0; all && i < n; i++)
		all[i] = true;
	if (all)
		f->n_pairs = pl_measure_list(m, all, NULL);
	if (all)
		v = pl_array_create(f->n_pairs, sizeof(*v));
	if (v) {
		ways = n_ways(v, pl_measure_list(m, all, v));
		count_probes(f, o, ways, ways);
		status = pl_rounds_assign(v, f->n_pairs, n, &f->n_rounds, err);
		f->n_pairs_most = f->n_pairs;
		f->n_rounds_most = f->n_rounds;
	} else {
		pl_err_nomem(err);
	}
	free(all);
	free(v);
	return status;
}

int pl_probe_forecast(const struct pl_hosts *hosts,
		      const struct pl_probe_options *given,
		      struct pl_probe_forecast *f, struct pl_err *err)
{
	struct pl_probe_options o;
	struct pl_collect c = {0};
	struct pl_hosts once = {0};
	size_t kept;
	int status = -1;

	*f = (struct pl_probe_forecast){0};
	if (pl_options_settle(hosts, given, &once, &o, err))
		goto out;
	f->n_hosts = once.n;
	f->packet_bytes = HEADER_BYTES + (o.insecure_4byte ? PL_THESIS_BYTES
							   : PL_PACKET_BYTES);
	if (pl_collect_init(&c, &once, err))
		goto out;
	if ((o.resume && pl_resume_take(&c, o.resume, &kept)) ||
	    pl_bandwidth_prepare(c.matrix, &o))
		pl_err_nomem(err);
	else
		status = o.chooser ? count_chosen(c.matrix, &o, f, err)
				   : count(c.matrix, &o, f, err);
	f->seconds_least = (double)f->n_rounds * pair_s(&o, o.probes_min);
	f->seconds_most = (double)f->n_rounds_most * pair_s(&o, o.probes_max);
	if (!status)
		pl_bandwidth_forecast(c.matrix, &o, f);
	limit(f, &o);
	pl_collect_fini(&c);
out:
	pl_hosts_fini(&once);
	return status;
}
