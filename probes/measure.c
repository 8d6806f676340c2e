/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - what a run measures: what is missing, then what must be seen again */
#include "config.h"

#include "probes/measure.h"

#include "probes/again.h"
#include "probes/resume.h"
#include "src/mem.h"
#include "src/tool.h"

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
	bool has_all; /* all that was missing has been tried */
};

size_t pl_measure_list(const struct pl_matrix *m, const bool *wanted,
		       struct pl_meet *v)
{
	const size_t n = m->hosts.n;
	const double *cell = m->layer[0].cell;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const bool forth = isnan(cell[i * n + j]);
			const bool back = isnan(cell[j * n + i]);

			if (!wanted[i] || !wanted[j] || (!forth && !back))
				continue;
			if (v)
				v[k] = (struct pl_meet){
					.a = (uint32_t)i,
					.b = (uint32_t)j,
					.ways = (uint8_t)((forth ? PL_MEET_FORTH
								 : 0) |
							  (back ? PL_MEET_BACK
								: 0))};
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

static int take_first(void *arg, size_t src, size_t dst,
		      const struct pl_pair *pair, const char *note)
{
	struct run *r = arg;

	return pl_collect_pair(r->collect, src, dst, pair, note);
}

static int take_second(void *arg, size_t src, size_t dst,
		       const struct pl_pair *pair, const char *note)
{
	struct run *r = arg;

	(void)note; /* the first value stays, with its own */
	return pl_again_take(&r->again, src, dst, pair);
}

/* Pairs of the first round, which are begun before all others. */
static size_t n_in_first_round(const struct pl_meet *v, size_t n)
{
	size_t k = 0;

	while (k < n && v[k].round == 0)
		k++;
	return k;
}

static int measure_again(struct run *r, const struct pl_meet *first,
			 size_t n_first, struct pl_err *err)
{
	int status;

	r->again.collect = r->collect;
	r->again.options = r->c->fleet.options;
	r->c->arg = r;
	r->c->take = take_second;
	if (pl_again_choose(&r->again, first, n_first, err))
		return -1;
	if (r->again.n == 0)
		return 0;
	status = pl_coordinator_pass(r->c, r->again.v, r->again.n, err);
	if (pl_again_report(&r->again, r->report))
		return pl_err_nomem(err);
	return status;
}

static int measure_all(struct run *r, struct pl_err *err)
{
	const struct pl_probe_options *o = r->c->fleet.options;
	size_t n;
	struct pl_meet *v = list_missing(r, &n);
	int status = -1;

	if (!v)
		return pl_err_nomem(err);
	if (pl_rounds_assign(v, n, r->c->fleet.n, &r->report->n_rounds, err))
		goto out;
	if (o->budget_ns > 0)
		r->c->fleet.until_ns = pl_tool_clock_ns() + o->budget_ns;
	r->c->arg = r;
	r->c->take = take_first;
	status = pl_coordinator_pass(r->c, v, n, err);
	r->has_all = !status && !r->c->budget_is_spent;
	if (r->has_all)
		status = measure_again(r, v, n_in_first_round(v, n), err);
out:
	free(v);
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
	char text[PL_HOST_NAME_MAX + 32];

	if (r->echo_ns <= 0)
		return 0;
	snprintf(text, sizeof(text), "%s %" PRId64, r->name, r->echo_ns);
	return pl_matrix_add_header(m, "self-echo-ns", text);
}

/* Node names and addresses of those that were ready. */
static int name_hosts(const struct run *r)
{
	struct pl_matrix *m = r->collect->matrix;

	for (size_t i = 0; i < m->hosts.n; i++) {
		const struct pl_remote *remote = &r->c->fleet.v[i];

		if (remote->n_ports > 0 &&
		    (name_host(&m->hosts.v[i], remote) || note_echo(m, remote)))
			return -1;
	}
	return 0;
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
		if (pl_resume_check_address(c->fleet.options->resume, i, text,
					    err))
			return -1;
	}
	return 0;
}

/* Why src -> dst was not measured, as far as that is not known better. */
static int explain_cell(const struct run *r, size_t src, size_t dst)
{
	const struct pl_remote *const ends[] = {&r->c->fleet.v[src],
						&r->c->fleet.v[dst]};
	char text[PL_LINE_CHARS + PL_HOST_NAME_MAX];

	for (size_t k = 0; k < 2; k++) {
		if (!pl_remote_is_lost(ends[k]))
			continue;
		snprintf(text, sizeof(text), "%s: %s", ends[k]->name,
			 ends[k]->reason);
		return pl_collect_miss(r->collect, src, dst, text);
	}
	return pl_collect_miss(
		r->collect, src, dst,
		r->report->budget_spent
			? "the budget was spent before it was measured"
			: "interrupted before it was measured");
}

static int explain_all(const struct run *r)
{
	const size_t n = r->c->fleet.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && explain_cell(r, i, j))
				return -1;
	return 0;
}

/* What the matrix says of itself: its pace, and whether it is all there. */
static int describe(const struct run *r)
{
	struct pl_matrix *m = r->collect->matrix;
	const size_t missing = pl_matrix_missing(m);
	char text[PL_PACE_CHARS];

	pl_resume_pace(r->c->fleet.options, text);
	if (pl_matrix_add_header(m, "pace", text))
		return -1;
	if (r->report->pairs_kept > 0) {
		snprintf(text, sizeof(text), "ways-kept=%zu",
			 r->report->pairs_kept);
		if (pl_matrix_add_header(m, "resumed", text))
			return -1;
	}
	if (missing == 0)
		return 0;
	snprintf(text, sizeof(text), "ways-missing=%zu%s", missing,
		 r->report->budget_spent  ? " budget spent"
		 : r->report->interrupted ? " interrupted"
					  : "");
	return pl_matrix_add_header(m, "partial", text);
}

/* 0; -1 with @err set, or untouched when told to stop or out of time. */
static int start_and_measure(struct run *r, struct pl_err *err)
{
	const int64_t begun = pl_tool_clock_ns();
	int status;

	if (r->c->fleet.options->resume &&
	    pl_matrix_missing(r->collect->matrix) == 0)
		return 0;
	status = pl_coordinator_start(r->c, err);
	r->report->start_ns = pl_tool_clock_ns() - begun;
	if (status || check_addresses(r, err))
		return -1;
	return measure_all(r, err);
}

int pl_measure(struct pl_coordinator *c, struct pl_collect *collect,
	       struct pl_probe_report *report, struct pl_err *err)
{
	struct run r = {.c = c, .collect = collect, .report = report};
	const volatile sig_atomic_t *stop = c->fleet.options->stop;
	struct pl_err why = {0};
	bool spent;
	int status = start_and_measure(&r, &why);

	pl_again_fini(&r.again);
	if (status && why.code != PL_OK) {
		if (err)
			*err = why;
		return -1;
	}
	report->interrupted = status && stop && *stop;
	spent = c->budget_is_spent || (status && !report->interrupted);
	report->budget_spent = spent && !r.has_all;
	report->again_cut = spent && r.has_all;
	report->packets_sent = c->n_packets;
	if (explain_all(&r) || name_hosts(&r) || describe(&r))
		return pl_err_nomem(err);
	return 0;
}
