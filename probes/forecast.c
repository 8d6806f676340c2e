/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c - what a run is going to take, before anything is started */
#include "config.h"

#include "probes/coordinator.h"
#include "probes/measure.h"
#include "probes/options.h"
#include "probes/resume.h"
#include "src/mem.h"

#include <stdlib.h>

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

static void limit(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double seconds = (double)o->budget_ns / 1e9;

	if (o->budget_probes > 0 && f->probes_most > o->budget_probes)
		f->probes_most = o->budget_probes;
	if (f->probes_least > f->probes_most)
		f->probes_least = f->probes_most;
	if (o->budget_ns > 0) {
		f->seconds_least = smaller(f->seconds_least, seconds);
		f->seconds_most = smaller(f->seconds_most, seconds);
	}
}

static int count(const struct pl_matrix *m, const struct pl_probe_options *o,
		 struct pl_probe_forecast *f, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	bool *all = pl_array_create(n, sizeof(*all));
	struct pl_meet *v = NULL;
	int status = -1;

	for (size_t i = 0; all && i < n; i++)
		all[i] = true;
	if (all)
		f->n_pairs = pl_measure_list(m, all, NULL);
	if (all)
		v = pl_array_create(f->n_pairs, sizeof(*v));
	if (v) {
		const uint64_t ways = n_ways(v, pl_measure_list(m, all, v));

		f->probes_least = ways * (o->probes_min + 1);
		f->probes_most = ways * (o->probes_max + 1);
		status = pl_rounds_assign(v, f->n_pairs, n, &f->n_rounds, err);
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
	if (pl_collect_init(&c, &once, err))
		goto out;
	if (o.resume && pl_resume_take(&c, o.resume, &kept))
		pl_err_nomem(err);
	else
		status = count(c.matrix, &o, f, err);
	f->seconds_least = (double)f->n_rounds * pair_s(&o, o.probes_min);
	f->seconds_most = (double)f->n_rounds * pair_s(&o, o.probes_max);
	limit(f, &o);
	pl_collect_fini(&c);
out:
	pl_hosts_fini(&once);
	return status;
}
