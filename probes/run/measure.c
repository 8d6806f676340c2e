/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - what a run measures: first what is missing, then what must be measured again */
#include "config.h"

#include "probes/run/measure.h"

#include "base/clock.h"
#include "base/matrix/label.h"
#include "base/matrix/message-cost.h"
#include "base/mem.h"
#include "probes/bandwidth/bandwidth.h"
#include "probes/bandwidth/layers.h"
#include "probes/run/again.h"
#include "probes/run/checkpoint.h"
#include "probes/run/resume.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
	struct pl_coordinator *c;
	struct pl_collect *collect;
	struct pl_probe_report *report;
	struct pl_again again;
	struct pl_checkpoint checkpoint;
	bool has_all;        /* all that was missing has been tried ... */
	bool has_seen_again; /* ... and what was to be seen again */
	bool described;      /* the matrix has its hosts' addresses and its pace */
	/* of the first pass, what was begun before all others */
	struct pl_meet *first;
	size_t n_first;
};

/* A pair and what is missing of it; no ways: nothing is. */
static struct pl_meet missing_of(const struct pl_layer *p10, size_t a, size_t b)
{
	const bool forth = isnan(pl_layer_get(p10, a * p10->n + b));
	const bool back = isnan(pl_layer_get(p10, b * p10->n + a));

	return (struct pl_meet){
		.a = (uint32_t)a,
		.b = (uint32_t)b,
		.ways = (uint8_t)((forth ? PL_MEET_FORTH : 0) | (back ? PL_MEET_BACK : 0))};
}

size_t pl_measure_list(const struct pl_matrix *m, const bool *wanted, struct pl_meet *v)
{
	const size_t n = m->hosts.n;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const struct pl_meet meet = missing_of(&m->layer[0], i, j);

			if (!wanted[i] || !wanted[j] || !meet.ways)
				continue;
			if (v)
				v[k] = meet;
			k++;
		}
	return k;
}

/* All that is missing between hosts that are up. NULL: out of memory. */
static struct pl_meet *list_missing(const struct run *r, size_t *n)
{
	const struct pl_fleet *fleet = &r->c->fleet;
	bool *up = pl_array_create(fleet->n, sizeof(*up));
	struct pl_meet *v = NULL;

	if (!up)
		return NULL;
	for (size_t i = 0; i < fleet->n; i++)
		up[i] = pl_fleet_is_up(fleet, i);
	*n = pl_measure_list(r->collect->matrix, up, NULL);
	v = pl_array_create(*n, sizeof(*v));
	if (v)
		pl_measure_list(r->collect->matrix, up, v);
	free(up);
	return v;
}

static int take_first(void *arg, size_t src, size_t dst, const struct pl_probed_pair *pair,
		      const char *note)
{
	struct run *r = arg;

	if (pl_collect_pair(r->collect, src, dst, pair, note))
		return -1;
	return pl_checkpoint_offer(&r->checkpoint, r->c->fleet.options, r->collect->matrix);
}

static int take_second(void *arg, size_t src, size_t dst, const struct pl_probed_pair *pair,
		       const char *note)
{
	struct run *r = arg;

	(void)note; /* the first value stays, with its own */
	if (pl_again_take(&r->again, src, dst, pair))
		return -1;
	return pl_checkpoint_offer(&r->checkpoint, r->c->fleet.options, r->collect->matrix);
}

/* What came in the last second, should the next result be long in coming. */
static int save_rest(void *arg)
{
	struct run *r = arg;

	return pl_checkpoint_look(&r->checkpoint, r->c->fleet.options, r->collect->matrix);
}

/* Pairs of the first round, which are begun before all others. */
static size_t n_in_first_round(const struct pl_meet *v, size_t n)
{
	size_t k = 0;

	while (k < n && v[k].round == 0)
		k++;
	return k;
}

static int measure_again(struct run *r, struct pl_err *err)
{
	int status;

	r->again.collect = r->collect;
	r->again.options = r->c->fleet.options;
	r->c->arg = r;
	r->c->take = take_second;
	r->c->phase = "measuring again";
	if (pl_again_choose(&r->again, r->first, r->n_first, err))
		return -1;
	if (r->again.n == 0)
		return 0;
	status = pl_coordinator_pass(r->c, r->again.v, r->again.n, err);
	if (pl_again_report(&r->again, r->report))
		return pl_err_nomem(err);
	return status;
}

/* Keeps what the first pass begins with. */
static int keep_first(struct run *r, const struct pl_meet *v, size_t n, struct pl_err *err)
{
	const size_t n_first = n_in_first_round(v, n);

	if (r->first)
		return 0;
	r->first = pl_array_create(n_first, sizeof(*v));
	if (!r->first)
		return pl_err_nomem(err);
	if (n_first > 0)
		memcpy(r->first, v, n_first * sizeof(*v));
	r->n_first = n_first;
	return 0;
}

/* A pass over v[n], which get their rounds. */
static int measure_pairs(struct run *r, struct pl_meet *v, size_t n, struct pl_err *err)
{
	size_t n_rounds;

	if (pl_rounds_assign(v, n, r->c->fleet.n, &n_rounds, err) || keep_first(r, v, n, err))
		return -1;
	r->report->n_rounds += n_rounds;
	return pl_coordinator_pass(r->c, v, n, err);
}

/* Those of the pairs whose hosts are up and of which a cell is missing. NULL: out of memory. */
static struct pl_meet *list_chosen(struct run *r, const struct pl_probe_pair *pair, size_t n_pairs,
				   size_t *n)
{
	const size_t hosts = r->c->fleet.n;
	const struct pl_layer *p10 = &r->collect->matrix->layer[0];
	struct pl_meet *v = pl_array_create(n_pairs, sizeof(*v));

	*n = 0;
	for (size_t k = 0; v && k < n_pairs; k++) {
		const size_t a = pair[k].a < pair[k].b ? pair[k].a : pair[k].b;
		const size_t b = pair[k].a < pair[k].b ? pair[k].b : pair[k].a;
		const struct pl_meet meet = missing_of(p10, a, b);

		r->collect->chosen[a * hosts + b] = 1;
		r->collect->chosen[b * hosts + a] = 1;
		if (meet.ways && pl_fleet_is_up(&r->c->fleet, a) && pl_fleet_is_up(&r->c->fleet, b))
			v[(*n)++] = meet;
	}
	return v;
}

/* One step of the chooser; *more: there may be another one. */
static int take_step(struct run *r, bool *lost, bool *more, struct pl_err *err)
{
	const struct pl_probe_chooser *chooser = r->c->fleet.options->chooser;
	const struct pl_probe_pair *pair;
	struct pl_meet *v;
	size_t n_pairs, n;
	int status = 0;

	for (size_t i = 0; i < r->c->fleet.n; i++)
		lost[i] = !pl_fleet_is_up(&r->c->fleet, i);
	if (chooser->next(chooser->arg, r->collect->matrix, lost, &pair, &n_pairs, err))
		return -1;
	*more = n_pairs > 0;
	if (!*more)
		return 0;
	r->report->n_steps++;
	v = list_chosen(r, pair, n_pairs, &n);
	if (!v)
		return pl_err_nomem(err);
	if (n > 0)
		status = measure_pairs(r, v, n, err);
	free(v);
	return status;
}

static int measure_chosen(struct run *r, struct pl_err *err)
{
	bool *lost = pl_array_create(r->c->fleet.n, sizeof(*lost));
	bool more = true;
	int status = 0;

	if (!lost)
		return pl_err_nomem(err);
	while (status == 0 && more && !r->c->budget_is_spent)
		status = take_step(r, lost, &more, err);
	free(lost);
	return status;
}

static int measure_missing(struct run *r, struct pl_err *err)
{
	size_t n;
	struct pl_meet *v = list_missing(r, &n);
	int status;

	if (!v)
		return pl_err_nomem(err);
	status = measure_pairs(r, v, n, err);
	free(v);
	return status;
}

static int measure_all(struct run *r, struct pl_err *err)
{
	const struct pl_probe_options *o = r->c->fleet.options;
	int status;

	if (o->budget_ns > 0)
		r->c->fleet.until_ns = pl_clock_ns() + o->budget_ns;
	r->c->arg = r;
	r->c->tick = save_rest;
	r->c->take = take_first;
	status = o->chooser ? measure_chosen(r, err) : measure_missing(r, err);
	r->has_all = !status && !r->c->budget_is_spent;
	if (r->has_all)
		status = measure_again(r, err);
	free(r->first);
	r->first = NULL;
	r->has_seen_again = r->has_all && !status && !r->c->budget_is_spent;
	if (r->has_seen_again)
		status = pl_bandwidth_measure(r->c, r->collect->matrix, r->report, err);
	return status;
}

static int name_host(struct pl_host *host, const struct pl_remote *r)
{
	char text[PL_ADDR_CHARS];

	pl_addr_format(&r->addr[r->pick], text);
	free(host->node);
	free(host->addr);
	host->node = pl_string_copy(r->node, strlen(r->node));
	host->addr = pl_string_copy(text, strlen(text));
	return host->node && host->addr ? 0 : -1;
}

static int note_echo(struct pl_matrix *m, const struct pl_remote *r)
{
	if (r->echo_ns <= 0)
		return 0;
	return pl_matrix_print_header(m, "self-echo-ns", "%s %" PRId64, r->name, r->echo_ns);
}

static int note_cost(struct pl_matrix *m, const char *label, const struct pl_remote *r)
{
	const struct pl_cost_figures *f = &r->cost;
	const struct pl_message_cost cost = {
		.send_s = (double)f->send_ns * 1e-9,
		.recv_s = (double)f->recv_ns * 1e-9,
		.wake_s = (double)f->wake_ns * 1e-9,
		.spread_s = (double)f->spread_ns * 1e-9,
		.probe_s = (double)r->echo_ns / 2 * 1e-9,
		.share = (double)f->share_ppm * 1e-6,
		.cores = f->cores,
	};

	return f->share_ppm > 0 && f->cores > 0 ? pl_message_cost_add(m, label, &cost) : 0;
}

/* Of whoever found fewer ports free than there are flows. */
static int note_flows(struct pl_matrix *m, const struct pl_remote *r, unsigned n_flows)
{
	if (r->n_ports >= n_flows)
		return 0;
	return pl_matrix_print_header(m, "fewer-flows", "%s %u", r->name, r->n_ports);
}

/* "efa hosts=4 rdmap0s6": what else hosts have, by which a job may go. */
static int note_verbs(const struct run *r, enum pl_verbs_kind kind)
{
	const char *name = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->c->fleet.n; i++) {
		const struct pl_verbs *verbs = &r->c->fleet.v[i].verbs;

		if (verbs->kind != kind)
			continue;
		name = name ? name : verbs->name;
		n++;
	}
	if (n == 0)
		return 0;
	return pl_matrix_print_header(r->collect->matrix, "verbs", "%s hosts=%zu %s",
				      pl_verbs_word(kind), n, name);
}

/* Node names and addresses of those that were ready, and what else they told. */
static int name_hosts(const struct run *r)
{
	struct pl_matrix *m = r->collect->matrix;
	char **label = pl_labels_create(&m->hosts, NULL);
	int rc = label ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < m->hosts.n; i++) {
		const struct pl_remote *remote = &r->c->fleet.v[i];

		if (remote->n_ports > 0 &&
		    (name_host(&m->hosts.v[i], remote) || note_echo(m, remote) ||
		     note_cost(m, label[i], remote) ||
		     note_flows(m, remote, r->c->fleet.options->flows)))
			rc = -1;
	}
	pl_labels_destroy(label, m->hosts.n);
	return rc;
}

/* What is kept must have been measured at the same addresses. */
static int check_addresses(const struct run *r, struct pl_err *err)
{
	const struct pl_coordinator *c = r->c;
	char text[PL_ADDR_CHARS];

	for (size_t i = 0; c->fleet.options->resume && i < c->fleet.n; i++) {
		const struct pl_remote *remote = &c->fleet.v[i];

		if (remote->n_ports == 0)
			continue;
		pl_addr_format(&remote->addr[remote->pick], text);
		if (pl_resume_check_address(c->fleet.options->resume, i, text, err))
			return -1;
	}
	return 0;
}

static const char *unmeasured(const struct run *r)
{
	return r->report->budget_spent ? "the budget was spent before it was measured"
				       : "interrupted before it was measured";
}

/* Why src -> dst was not measured, as far as that is not known better. */
static int explain_cell(const struct run *r, size_t src, size_t dst)
{
	const struct pl_remote *const ends[] = {&r->c->fleet.v[src], &r->c->fleet.v[dst]};
	char text[PL_LINE_CHARS + PL_HOST_NAME_MAX];

	for (size_t k = 0; k < 2; k++) {
		if (!pl_remote_is_lost(ends[k]))
			continue;
		snprintf(text, sizeof(text), "%s: %s", ends[k]->name, ends[k]->reason);
		return pl_collect_miss(r->collect, src, dst, text);
	}
	return pl_collect_miss(r->collect, src, dst, unmeasured(r));
}

/* Is the cell to be explained? What nobody wanted to measure is not, but for one of a host that is
 * lost. */
static bool is_due(const struct run *r, size_t i, size_t j)
{
	const uint8_t *chosen = r->collect->chosen;

	if (i == j)
		return false;
	return !chosen || chosen[i * r->c->fleet.n + j] ||
	       (j == !i && pl_remote_is_lost(&r->c->fleet.v[i]));
}

static int explain_all(const struct run *r)
{
	const size_t n = r->c->fleet.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (is_due(r, i, j) && explain_cell(r, i, j))
				return -1;
	return pl_bandwidth_explain(r->c, r->collect->matrix, unmeasured(r));
}

/* "ways-left-out=N", and how the others were chosen. */
static int describe_choice(const struct run *r, size_t left_out)
{
	const char *how = r->c->fleet.options->chooser->how;

	return pl_matrix_print_header(r->collect->matrix, "sampled", "ways-left-out=%zu %.200s",
				      left_out, how);
}

/* How this machine's connections find their pace, as those of its like will. */
static int note_congestion(struct pl_matrix *m)
{
	FILE *f = fopen("/proc/sys/net/ipv4/tcp_congestion_control", "re");
	char name[32] = "";
	int rc = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%31[a-z0-9_-]", name) == 1)
		rc = pl_matrix_add_header(m, "tcp", name);
	fclose(f);
	return rc;
}

/* What whoever starts a job on these hosts has to know. */
static int note_ways(const struct run *r)
{
	struct pl_matrix *m = r->collect->matrix;
	const struct pl_fleet *fleet = &r->c->fleet;
	size_t n_dropped = 0;

	for (size_t i = 0; i < fleet->n; i++)
		n_dropped += fleet->v[i].tries > 0 && fleet->v[i].ready;
	if (r->c->network[0] && pl_matrix_add_header(m, "network", r->c->network))
		return -1;
	return n_dropped ? pl_matrix_print_header(m, "logins", "%zu", fleet->starts.fanout) : 0;
}

/* What the matrix says of itself from the start: hosts' addresses, its pace. */
static int describe(struct run *r)
{
	struct pl_matrix *m = r->collect->matrix;
	char text[PL_PACE_CHARS];

	if (r->described)
		return 0;
	r->described = true;
	if (name_hosts(r) || note_ways(r))
		return -1;
	for (int kind = PL_VERBS_EFA; kind <= PL_VERBS_OTHER; kind++)
		if (note_verbs(r, (enum pl_verbs_kind)kind))
			return -1;
	pl_resume_pace(r->c->fleet.options, text);
	if (pl_matrix_add_header(m, "pace", text) || note_congestion(m))
		return -1;
	if (r->report->pairs_kept == 0)
		return 0;
	return pl_matrix_print_header(m, "resumed", "ways-kept=%zu", r->report->pairs_kept);
}

/* And at the end, unless it is all there. */
static int describe_missing(const struct run *r)
{
	struct pl_probe_report count;

	pl_collect_count(r->collect, &count);
	if (count.pairs_left_out > 0 && describe_choice(r, count.pairs_left_out))
		return -1;
	if (count.pairs_missing == 0)
		return 0;
	return pl_matrix_print_header(r->collect->matrix, "partial", "ways-missing=%zu%s",
				      count.pairs_missing,
				      r->report->budget_spent  ? " budget spent"
				      : r->report->interrupted ? " interrupted"
							       : "");
}

static size_t report_flows(const struct run *r)
{
	r->report->flows_missing = r->report->few_missing +
				   pl_bandwidth_missing(r->collect->matrix, r->c->fleet.options);
	return r->report->flows_missing;
}

/* 0, or -1 with @err set: PL_EPARTIAL when told to stop or out of time. */
static int start_and_measure(struct run *r, struct pl_err *err)
{
	const int64_t begun = pl_clock_ns();
	int status;

	if (r->c->fleet.options->chooser && pl_collect_choose(r->collect))
		return pl_err_nomem(err);
	if (r->c->fleet.options->resume && pl_matrix_missing(r->collect->matrix) == 0 &&
	    report_flows(r) == 0)
		return 0;
	status = pl_coordinator_start(r->c, err);
	r->report->start_ns = pl_clock_ns() - begun;
	if (status || check_addresses(r, err))
		return -1;
	if (describe(r))
		return pl_err_nomem(err);
	return measure_all(r, err);
}

int pl_measure(struct pl_coordinator *c, struct pl_collect *collect, struct pl_probe_report *report,
	       struct pl_err *err)
{
	struct run r = {.c = c, .collect = collect, .report = report};
	const volatile sig_atomic_t *stop = c->fleet.options->stop;
	struct pl_err why = {0};
	bool spent;
	int status;

	report->few_missing = pl_bandwidth_wants_few(collect->matrix, c->fleet.options);
	status = start_and_measure(&r, &why);

	pl_again_fini(&r.again);
	if (status && why.code != PL_EPARTIAL) {
		if (err)
			*err = why;
		return -1;
	}
	report->interrupted = status && stop && *stop;
	spent = c->budget_is_spent || (status && !report->interrupted);
	report->budget_spent = spent && (!r.has_all || report_flows(&r) > 0);
	report->again_cut = spent && r.has_all && !r.has_seen_again;
	report->packets_sent = c->n_packets;
	report_flows(&r);
	if (explain_all(&r) || describe(&r) || describe_missing(&r))
		return pl_err_nomem(err);
	return 0;
}
