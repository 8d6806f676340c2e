/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-flows.c - how long flows will take, before anything is started */
#include "config.h"

#include "base/tournament.h"
#include "probes/bandwidth/bandwidth.h"
#include "probes/bandwidth/layers.h"
#include "probes/bandwidth/looks.h"
#include "probes/bandwidth/meter.h"

#include <math.h>

/* Flows of the rounds that are not all there, as they would be with every host
 * up; of *n_rounds rounds. @cell: NULL, nothing is there. */
static size_t count_together(const double *cell, size_t n, size_t *n_rounds)
{
	*n_rounds = 0;
	for (size_t round = 0; round < pl_tournament_rounds(n); round++)
		*n_rounds += pl_bandwidth_lacks_round(cell, n, round);
	return *n_rounds * 2 * (n / 2);
}

static size_t count_alone(const double *cell, size_t n)
{
	size_t missing = 0;

	if (!cell)
		return n * (n - (n > 0));
	for (size_t i = 0; i < n * n; i++)
		missing += isnan(cell[i]) != 0;
	return missing;
}

static const double *cells(const struct pl_matrix *m, enum pl_bandwidth_way way)
{
	return m ? pl_bandwidth_cells(m, way) : NULL;
}

void pl_bandwidth_forecast(const struct pl_matrix *m, size_t n_hosts,
			   const struct pl_probe_options *o, struct pl_probe_forecast *f)
{
	const double least_s = (double)(PL_METER_LEAST * PL_METER_WINDOW_NS) / 1e9;
	size_t n_turns = 0, n_turns_most, n_most, n;

	if (o->bandwidth & PL_BANDWIDTH_ALONE) {
		n_turns = count_alone(cells(m, PL_BANDWIDTH_ALONE), n_hosts);
		f->n_flows += n_turns;
	}
	if (o->bandwidth & PL_BANDWIDTH_TOGETHER) {
		f->n_flows += count_together(cells(m, PL_BANDWIDTH_TOGETHER), n_hosts, &n);
		n_turns += n;
	}
	n_turns_most = n_turns;
	n_most = f->n_flows;
	if (pl_bandwidth_wants_few(m, o)) {
		n_turns += o->flow_chooser->sets_least;
		n_turns_most += o->flow_chooser->sets_most;
		f->n_flows += o->flow_chooser->flows_least;
		n_most += o->flow_chooser->flows_most;
	}
	/* a flow that loses much is measured again */
	f->n_flows_most = PL_LOOKS * n_most;
	f->flow_bytes_most = (double)f->n_flows_most * (double)o->flow_bytes;
	f->flow_seconds_least = (double)n_turns * fmin(least_s, (double)o->flow_ns / 1e9);
	f->flow_seconds_most = (double)(PL_LOOKS * n_turns_most) * (double)o->flow_ns / 1e9;
}
