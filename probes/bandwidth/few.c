/* SPDX-License-Identifier: BSD-3-Clause */
/* few.c - flows that a chooser asks for, set by set */
#include "config.h"

#include "probes/bandwidth/bandwidth.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "probes/bandwidth/layers.h"
#include "probes/bandwidth/looks.h"
#include "probes/bandwidth/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Flows that share links have so long, or so many round trips, of which the part is measured in
 * which all are on their way. */
#define SHARED_NS INT64_C(600000000)
#define SHARED_TRIPS 40
#define SHARED_LEAST_NS INT64_C(50000000)

struct few {
	struct pl_coordinator *c;
	struct pl_matrix *m;
	struct pl_probe_report *report;
	struct pl_flow_ask apart, shared;
	struct pl_way *way;     /* [hosts] */
	struct pl_looks *looks; /* [hosts] by source, of one set */
	bool *lost;             /* [hosts] */
	double fastest;         /* bytes per second, so far */
	size_t n_failed;
};

static double longest_ns(const struct pl_matrix *m)
{
	const struct pl_layer *l = &m->layer[0];
	double most = 0;

	for (size_t at = 0; at < l->n * l->n; at++)
		most = fmax(most, pl_layer_get(l, at));
	return most;
}

/* So long that not even the fastest comes to the end of its bytes, if it may be. */
static int64_t shared_ns(const struct few *f, double longest)
{
	double ns = fmax((double)SHARED_NS, SHARED_TRIPS * longest);

	if (f->fastest > 0)
		ns = fmin(ns, fmax((double)f->apart.bytes_max / f->fastest * 1e9,
				   (double)SHARED_LEAST_NS));
	return (int64_t)fmin(ns, (double)f->apart.limit_ns);
}

static size_t list_ways(struct few *f, const struct pl_probe_flow *flow, size_t n)
{
	size_t n_ways = 0;

	for (size_t k = 0; k < n; k++)
		if (pl_fleet_is_up(&f->c->fleet, flow[k].src) &&
		    pl_fleet_is_up(&f->c->fleet, flow[k].dst))
			f->way[n_ways++] = (struct pl_way){.src = flow[k].src, .dst = flow[k].dst};
	return n_ways;
}

/* Once for each reason. */
static int note_failure(struct few *f, const struct pl_probe_flow *flow)
{
	const struct pl_looks *looks = &f->looks[flow->src];
	char text[PL_LINE_CHARS];
	const char *why = pl_bandwidth_lost(f->c, flow->src, flow->dst, text);

	f->n_failed++;
	if (!why && looks->tried)
		why = looks->why;
	for (size_t k = 0; why && k < f->m->n_notes; k++) {
		const struct pl_cell_note *note = &f->m->note[k];

		if (note->src == flow->src && note->dst == flow->dst &&
		    pl_tiers_flow_failed(note) && !strcmp(pl_bandwidth_words(note), why))
			return 0;
	}
	return why ? pl_bandwidth_note(f->m, PL_BANDWIDTH_FEW, flow->src, flow->dst, why) : 0;
}

static int take(struct few *f, struct pl_probe_flow *flow, bool apart)
{
	const struct pl_looks *looks = &f->looks[flow->src];
	const enum pl_bandwidth_way kind = apart ? PL_BANDWIDTH_ALONE : PL_BANDWIDTH_TOGETHER;
	char text[PL_LOOKS_TEXT];

	flow->bytes_per_s = NAN;
	for (size_t k = 0; k < looks->n; k++) {
		f->report->flow_bytes += looks->v[k].bytes;
		f->report->flow_resent += looks->v[k].resent;
	}
	if (looks->n == 0)
		return note_failure(f, flow);
	flow->bytes_per_s = (double)pl_looks_best(looks, kind)->bytes_per_s;
	flow->doubted = pl_looks_doubt(looks, kind, text);
	f->report->flows_measured++;
	f->report->flows_unsettled += flow->doubted;
	f->fastest = fmax(f->fastest, flow->bytes_per_s);
	return 0;
}

static int measure_set(struct few *f, struct pl_probe_flow *flow, size_t n, bool apart,
		       struct pl_err *err)
{
	bool lossy = true;

	memset(f->looks, 0, f->c->fleet.n * sizeof(*f->looks));
	for (size_t k = 0; k < PL_LOOKS && lossy; k++) {
		const size_t n_ways = list_ways(f, flow, n);
		size_t number;

		if (n_ways == 0 || (k > 0 && !pl_transfer_has_rounds(f->c, 1)))
			break;
		if (pl_transfer_round(f->c, &number, err) ||
		    pl_looks_run(f->looks, f->c, number, f->way, n_ways,
				 apart ? &f->apart : &f->shared, &lossy, err))
			return -1;
	}
	for (size_t k = 0; k < n; k++)
		if (take(f, &flow[k], apart))
			return pl_err_nomem(err);
	f->report->flow_sets++;
	return 0;
}

static int measure_sets(struct few *f, struct pl_err *err)
{
	const struct pl_probe_flow_chooser *chooser = f->c->fleet.options->flow_chooser;
	const double longest = longest_ns(f->m);
	struct pl_probe_flow *flow;
	size_t n = 0, n_done = 0;
	bool apart;

	do {
		for (size_t i = 0; i < f->c->fleet.n; i++)
			f->lost[i] = !pl_fleet_is_up(&f->c->fleet, i);
		if (chooser->next(chooser->arg, f->m, f->lost, &flow, &n, &apart, err))
			return -1;
		f->shared.limit_ns = shared_ns(f, longest);
		if (n > 0 && measure_set(f, flow, n, apart, err))
			return -1;
		n_done += n;
		pl_coordinator_show(f->c, "measuring bandwidth", "flows", n_done,
				    chooser->flows_most);
	} while (n > 0);
	return 0;
}

int pl_few_measure(struct pl_coordinator *c, struct pl_matrix *m, const struct pl_flow_ask *ask,
		   struct pl_probe_report *report, struct pl_err *err)
{
	const size_t n = c->fleet.n;
	struct few f = {.c = c, .m = m, .report = report, .apart = *ask, .shared = *ask};
	int status = -1;

	f.shared.settle_ppm = 0;
	f.way = pl_array_create(n, sizeof(*f.way));
	f.looks = pl_array_create(n, sizeof(*f.looks));
	f.lost = pl_array_create(n, sizeof(*f.lost));
	if (!f.way || !f.looks || !f.lost)
		pl_err_nomem(err);
	else
		status = measure_sets(&f, err);
	if (status == 0)
		report->few_missing = f.n_failed;
	free(f.way);
	free(f.looks);
	free(f.lost);
	return status;
}
