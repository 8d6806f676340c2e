/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.c - the bandwidth of every pair, alone and with all others at
 * once */
#include "config.h"

#include "probes/bandwidth/bandwidth.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/tournament.h"
#include "probes/bandwidth/layers.h"
#include "probes/bandwidth/looks.h"
#include "probes/bandwidth/meter.h"
#include "probes/bandwidth/transfer.h"
#include "probes/run/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE_PPM 50000 /* the halves of the last windows differ by 5 % */
/* at least, for all to be on their way */
#define TOGETHER_NS INT64_C(50000000)

struct work {
	struct pl_coordinator *c;
	struct pl_matrix *m;
	struct pl_probe_report *report;
	struct pl_way *way;     /* [n] */
	struct pl_looks *looks; /* [n] by source, of one round */
	struct pl_checkpoint checkpoint;
	size_t n_done, n_flows;
};

static struct pl_flow_ask settings(const struct pl_probe_options *o)
{
	return (struct pl_flow_ask){
		.n_streams = o->streams,
		.limit_ns = o->flow_ns,
		.bytes_max = o->flow_bytes,
		.silence_ns = o->silence_ns,
		.settle_ppm = SETTLE_PPM,
	};
}

static int keep(struct work *w, enum pl_bandwidth_way kind, const struct pl_looks *looks)
{
	const struct pl_flow_figures *best = pl_looks_best(looks, kind);
	char text[PL_LOOKS_TEXT];

	w->report->flows_measured++;
	pl_bandwidth_cells(w->m, kind)[looks->src * w->m->hosts.n + looks->dst] =
		(double)best->bytes_per_s;
	if (!pl_looks_doubt(looks, kind, text)) {
		if (kind != PL_BANDWIDTH_ALONE || best->settled)
			return 0;
		snprintf(text, sizeof(text), "the rate has not settled");
	}
	w->report->flows_unsettled++;
	return pl_bandwidth_note(w->m, kind, looks->src, looks->dst, text);
}

/* A cell that has a value keeps it: it was measured together with the same hosts. */
static int take(struct work *w, enum pl_bandwidth_way kind, const struct pl_looks *looks)
{
	const size_t at = looks->src * w->m->hosts.n + looks->dst;

	w->n_done++;
	for (size_t k = 0; k < looks->n; k++) {
		w->report->flow_bytes += looks->v[k].bytes;
		w->report->flow_resent += looks->v[k].resent;
	}
	if (!isnan(pl_bandwidth_cells(w->m, kind)[at]))
		return 0;
	return looks->n > 0 ? keep(w, kind, looks)
			    : pl_bandwidth_note(w->m, kind, looks->src, looks->dst, looks->why);
}

static int take_all(struct work *w, enum pl_bandwidth_way kind)
{
	for (size_t i = 0; i < w->m->hosts.n; i++)
		if (w->looks[i].tried && take(w, kind, &w->looks[i]))
			return -1;
	pl_coordinator_show(w->c, "measuring bandwidth", "flows", w->n_done, w->n_flows);
	return pl_checkpoint_offer(&w->checkpoint, w->c->fleet.options, w->m);
}

/* Is there a round's number for another look, and enough for the rounds to come? */
static bool may_look_again(const struct work *w, enum pl_bandwidth_way kind, size_t round)
{
	const size_t n_rounds = pl_tournament_rounds(w->m->hosts.n);
	size_t left = n_rounds - round;

	if (kind == PL_BANDWIDTH_ALONE && (w->c->fleet.options->bandwidth & PL_BANDWIDTH_TOGETHER))
		left += n_rounds;
	return pl_transfer_has_rounds(w->c, left);
}

static bool are_up(const struct work *w, size_t a, size_t b)
{
	return pl_fleet_is_up(&w->c->fleet, a) && pl_fleet_is_up(&w->c->fleet, b);
}

/* What is on the way from host @i alone: again, where much was lost. @number: of the round, for the
 * first look; the others take their own. */
static int measure_way(struct work *w, size_t round, size_t number, size_t i,
		       const struct pl_flow_ask *ask, struct pl_err *err)
{
	const size_t n = w->m->hosts.n, j = pl_tournament_peer(n, round, i);
	bool lossy = true;
	int status = 0;

	memset(w->looks, 0, n * sizeof(*w->looks));
	for (size_t k = 0; k < PL_LOOKS && lossy && !status; k++) {
		if (!are_up(w, i, j) || (k > 0 && !may_look_again(w, PL_BANDWIDTH_ALONE, round)))
			break;
		w->way[0] = (struct pl_way){.src = i, .dst = j};
		if (k > 0)
			status = pl_transfer_round(w->c, &number, err);
		if (!status)
			status = pl_looks_run(w->looks, w->c, number, w->way, 1, ask, &lossy, err);
	}
	return take_all(w, PL_BANDWIDTH_ALONE) ? pl_err_nomem(err) : status;
}

/* The flows of one round of the schedule, one after another. Each host is in two of them at most,
 * so that they share the round's numbers, of which there are 65 536. */
static int measure_in_turn(struct work *w, size_t round, const struct pl_flow_ask *ask,
			   struct pl_err *err)
{
	const double *cell = pl_bandwidth_cells(w->m, PL_BANDWIDTH_ALONE);
	const size_t n = w->m->hosts.n;
	size_t number;

	if (pl_transfer_round(w->c, &number, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const size_t j = pl_tournament_peer(n, round, i);

		if (j != PL_TOURNAMENT_REST && isnan(cell[i * n + j]) &&
		    measure_way(w, round, number, i, ask, err))
			return -1;
	}
	return 0;
}

static int measure_alone(struct work *w, struct pl_err *err)
{
	const struct pl_flow_ask ask = settings(w->c->fleet.options);
	const size_t n_rounds = pl_tournament_rounds(w->m->hosts.n);

	for (size_t round = 0; round < n_rounds; round++)
		if (measure_in_turn(w, round, &ask, err))
			return -1;
	return 0;
}

/* Both directions of each pair, as hosts in a ring send and receive. How
 * many. */
static size_t list_round(struct work *w, size_t round)
{
	const size_t n = w->m->hosts.n;
	size_t n_ways = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t j = pl_tournament_peer(n, round, i);

		if (j != PL_TOURNAMENT_REST && are_up(w, i, j))
			w->way[n_ways++] = (struct pl_way){.src = i, .dst = j};
	}
	return n_ways;
}

/* All flows have the same time. If the rate of the fastest pair is known, the time is so long that
 * not even that pair reaches the end of its bytes. */
static int64_t common_time(const struct work *w)
{
	const struct pl_probe_options *o = w->c->fleet.options;
	const double *cell = pl_bandwidth_cells(w->m, PL_BANDWIDTH_ALONE);
	const size_t n = w->m->hosts.n;
	double fastest = 0, ns;

	for (size_t i = 0; cell && i < n * n; i++)
		fastest = fmax(fastest, cell[i]);
	if (fastest <= 0)
		return o->flow_ns;
	ns = fmax((double)o->flow_bytes / fastest * 1e9, (double)TOGETHER_NS);
	return ns < (double)o->flow_ns ? (int64_t)ns : o->flow_ns;
}

/* The flows of a round, all at once: again, where any of them lost much. */
static int measure_at_once(struct work *w, size_t round, const struct pl_flow_ask *ask,
			   struct pl_err *err)
{
	bool lossy = true;
	int status = 0;

	memset(w->looks, 0, w->m->hosts.n * sizeof(*w->looks));
	for (size_t k = 0; k < PL_LOOKS && lossy && !status; k++) {
		const size_t n_ways = list_round(w, round);
		size_t number;

		if (n_ways == 0 || (k > 0 && !may_look_again(w, PL_BANDWIDTH_TOGETHER, round)))
			break;
		status = pl_transfer_round(w->c, &number, err);
		if (!status)
			status = pl_looks_run(w->looks, w->c, number, w->way, n_ways, ask, &lossy,
					      err);
	}
	return take_all(w, PL_BANDWIDTH_TOGETHER) ? pl_err_nomem(err) : status;
}

static int measure_together(struct work *w, struct pl_err *err)
{
	struct pl_flow_ask ask = settings(w->c->fleet.options);
	const double *cell = pl_bandwidth_cells(w->m, PL_BANDWIDTH_TOGETHER);
	const size_t n_rounds = pl_tournament_rounds(w->m->hosts.n);

	ask.settle_ppm = 0;
	ask.limit_ns = common_time(w);
	for (size_t round = 0; round < n_rounds; round++)
		if (pl_bandwidth_lacks_round(cell, w->m->hosts.n, round) &&
		    measure_at_once(w, round, &ask, err))
			return -1;
	return 0;
}

static int save_rest(void *arg)
{
	struct work *w = arg;

	return pl_checkpoint_look(&w->checkpoint, w->c->fleet.options, w->m);
}

/* Of the rounds that are not all there, as they would be with every host up. @cell NULL: nothing is
 * there. */
static size_t count_together(const double *cell, size_t n)
{
	size_t n_rounds = 0;

	for (size_t round = 0; round < pl_tournament_rounds(n); round++)
		n_rounds += pl_bandwidth_lacks_round(cell, n, round);
	return n_rounds * 2 * (n / 2);
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

size_t pl_bandwidth_count(const struct pl_matrix *m, size_t n_hosts,
			  const struct pl_probe_options *o)
{
	size_t n = 0;

	if (o->bandwidth & PL_BANDWIDTH_ALONE)
		n += count_alone(cells(m, PL_BANDWIDTH_ALONE), n_hosts);
	if (o->bandwidth & PL_BANDWIDTH_TOGETHER)
		n += count_together(cells(m, PL_BANDWIDTH_TOGETHER), n_hosts);
	return n;
}

int pl_bandwidth_measure(struct pl_coordinator *c, struct pl_matrix *m,
			 struct pl_probe_report *report, struct pl_err *err)
{
	const struct pl_probe_options *o = c->fleet.options;
	struct work w = {.c = c, .m = m, .report = report};
	const int64_t begun_ns = pl_clock_ns();
	int status = 0;

	w.n_flows = pl_bandwidth_count(m, m->hosts.n, o);
	if (w.n_flows == 0 && !pl_bandwidth_wants_few(m, o))
		return 0;
	w.way = pl_array_create(m->hosts.n, sizeof(*w.way));
	w.looks = pl_array_create(m->hosts.n, sizeof(*w.looks));
	if (!w.way || !w.looks)
		status = pl_err_nomem(err);
	w.checkpoint.unsaved = true; /* the last round trips may be */
	c->arg = &w;
	c->tick = save_rest;
	if (!status && pl_bandwidth_wants_few(m, o)) {
		const struct pl_flow_ask ask = settings(o);

		status = pl_few_measure(c, m, &ask, report, err);
	}
	if (!status && (o->bandwidth & PL_BANDWIDTH_ALONE))
		status = measure_alone(&w, err);
	if (!status && (o->bandwidth & PL_BANDWIDTH_TOGETHER))
		status = measure_together(&w, err);
	report->flows_ns = pl_clock_ns() - begun_ns;
	c->tick = NULL;
	free(w.way);
	free(w.looks);
	return status;
}

const char *pl_bandwidth_lost(const struct pl_coordinator *c, size_t src, size_t dst,
			      char text[PL_LINE_CHARS])
{
	const size_t ends[] = {src, dst};

	for (size_t k = 0; k < 2; k++) {
		const struct pl_remote *r = &c->fleet.v[ends[k]];

		if (!pl_remote_is_lost(r))
			continue;
		snprintf(text, PL_LINE_CHARS, "%s: %.240s", r->name, r->reason);
		return text;
	}
	return NULL;
}

static bool is_of(const struct pl_matrix *m, const struct pl_cell_note *note, const double *cell)
{
	const struct pl_layer *l = pl_bandwidth_noted(m, note);

	return l && l->cell == cell;
}

/* said[n*n]: which cells of the layer have a note. */
static void mark_said(const struct pl_matrix *m, const double *cell, uint8_t *said)
{
	for (size_t k = 0; k < m->n_notes; k++)
		if (is_of(m, &m->note[k], cell))
			said[m->note[k].src * m->hosts.n + m->note[k].dst] = 1;
}

static int explain(const struct pl_coordinator *c, struct pl_matrix *m, enum pl_bandwidth_way kind,
		   const char *why)
{
	const double *cell = pl_bandwidth_cells(m, kind);
	const size_t n = m->hosts.n;
	uint8_t *said = pl_array_create(n, n);
	char text[PL_LINE_CHARS];
	int status = said ? 0 : -1;

	if (said)
		mark_said(m, cell, said);
	for (size_t at = 0; !status && at < n * n; at++) {
		const char *lost;

		if (!isnan(cell[at]) || said[at])
			continue;
		lost = pl_bandwidth_lost(c, at / n, at % n, text);
		status = pl_bandwidth_note(m, kind, at / n, at % n, lost ? lost : why);
	}
	free(said);
	return status;
}

int pl_bandwidth_explain(const struct pl_coordinator *c, struct pl_matrix *m, const char *why)
{
	const unsigned asked = c->fleet.options->bandwidth;

	if ((asked & PL_BANDWIDTH_ALONE) && explain(c, m, PL_BANDWIDTH_ALONE, why))
		return -1;
	return asked & PL_BANDWIDTH_TOGETHER ? explain(c, m, PL_BANDWIDTH_TOGETHER, why) : 0;
}
