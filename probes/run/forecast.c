/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c - how long a run will take, before anything is started */
#include "config.h"

#include "base/mem.h"
#include "base/tournament.h"
#include "probes/bandwidth/bandwidth.h"
#include "probes/protocol/thesis-packet.h"
#include "probes/run/forecast-parts.h"
#include "probes/run/measure.h"
#include "probes/run/options.h"
#include "probes/run/rounds.h"

#include <stdlib.h>

#define HEADER_BYTES 28 /* UDP and IPv4 */

static uint64_t n_ways(const struct pl_meet *v, size_t n)
{
	uint64_t ways = 0;

	for (size_t i = 0; i < n; i++)
		ways += v[i].ways == PL_MEET_BOTH ? 2 : 1;
	return ways;
}

static void count_probes(struct pl_probe_forecast *f, const struct pl_probe_options *o,
			 uint64_t least, uint64_t most)
{
	f->n_ways = least;
	f->n_ways_most = most;
	f->probes_least = least * (o->probes_min + 1);
	f->probes_most = most * (o->probes_max + 1);
}

static int count_chosen(const struct pl_hosts *hosts, const struct pl_probe_options *o,
			struct pl_probe_forecast *f, struct pl_err *err)
{
	if (pl_forecast_chosen(hosts, o->resume, o->chooser, f, err))
		return -1;
	count_probes(f, o, 2 * (uint64_t)f->n_pairs, 2 * (uint64_t)f->n_pairs_most);
	return 0;
}

/* What @m lacks: its hosts are those to be measured. */
static int count_missing(const struct pl_matrix *m, const struct pl_probe_options *o,
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
	} else {
		pl_err_nomem(err);
	}
	free(all);
	free(v);
	return status;
}

/* Each with each. */
static void count_all(size_t n, const struct pl_probe_options *o, struct pl_probe_forecast *f)
{
	f->n_pairs = n * (n - 1) / 2;
	f->n_rounds = n > 1 ? pl_tournament_rounds(n) : 0;
	count_probes(f, o, 2 * (uint64_t)f->n_pairs, 2 * (uint64_t)f->n_pairs);
}

static int count(const struct pl_hosts *hosts, const struct pl_probe_options *o,
		 struct pl_probe_forecast *f, struct pl_err *err)
{
	if (o->chooser)
		return count_chosen(hosts, o, f, err);
	if (!o->resume)
		count_all(hosts->n, o, f);
	else if (count_missing(o->resume, o, f, err))
		return -1;
	f->n_pairs_most = f->n_pairs;
	f->n_rounds_most = f->n_rounds;
	return 0;
}

int pl_probe_forecast(const struct pl_hosts *hosts, const struct pl_probe_options *given,
		      struct pl_probe_forecast *f, struct pl_err *err)
{
	struct pl_probe_options o;
	struct pl_hosts once = {0};
	int status = -1;

	*f = (struct pl_probe_forecast){0};
	if (pl_options_settle(hosts, given, &once, &o, err))
		goto out;
	f->n_hosts = once.n;
	f->packet_bytes = HEADER_BYTES + (o.insecure_4byte ? PL_THESIS_BYTES : PL_PACKET_BYTES);
	status = count(&once, &o, f, err);
	f->seconds_least = (double)f->n_rounds * pl_forecast_pair(&o, o.probes_min);
	f->seconds_most = (double)f->n_rounds_most * pl_forecast_pair(&o, o.probes_max);
	if (!status)
		pl_bandwidth_forecast(o.resume, once.n, &o, f);
	pl_forecast_limit(f, &o);
out:
	pl_hosts_fini(&once);
	return status;
}
