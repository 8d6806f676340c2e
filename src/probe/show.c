/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - what plink-probe says of a run */
#include "config.h"

#include "src/probe/show.h"

#include "probes/bandwidth/layers.h"
#include "src/common/probing.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const char tool[] = PL_PROBE_TOOL;

#define REASONS_MAX 20 /* shown; the matrix has all */

/* Ways that are missing for one reason. */
struct reason {
	const struct pl_cell_note *first;
	size_t n_ways;
};

/* Of the hosts of a way the one that its note begins with: lost, with all its
 * ways. *words: what follows. NULL: neither. */
static const char *lost_end(const struct pl_matrix *m, const struct pl_cell_note *note,
			    const char **words)
{
	const char *ends[] = {m->hosts.v[note->src].name, m->hosts.v[note->dst].name};
	const char *text = note->text;

	if (pl_bandwidth_noted(m, note)) /* "alone: " comes first then */
		text = strchr(text, ' ') + 1;
	for (size_t k = 0; k < 2; k++) {
		const size_t len = strlen(ends[k]);

		*words = text + len + 2;
		if (!strncmp(text, ends[k], len) && !strncmp(text + len, ": ", 2))
			return ends[k];
	}
	return NULL;
}

static void show_reason(const struct pl_matrix *m, const struct reason *r)
{
	const char *words, *text = r->first->text;
	const char *host = lost_end(m, r->first, &words);
	const char *s = r->n_ways == 1 ? "" : "s";

	if (!host)
		pl_tool_warn(tool, "missing: %s to %s: %s", m->hosts.v[r->first->src].name,
			     m->hosts.v[r->first->dst].name, text);
	else if (pl_bandwidth_noted(m, r->first))
		pl_tool_warn(tool, "missing: %.*s: %zu way%s from and to %s: %s",
			     (int)strcspn(text, ":"), text, r->n_ways, s, host, words);
	else
		pl_tool_warn(tool, "missing: %zu way%s from and to %s: %s", r->n_ways, s, host,
			     words);
}

/* Counts it among the reasons; false: it is one that there is no room for. */
static bool add_reason(struct reason *v, size_t *n, const struct pl_cell_note *note)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(v[i].first->text, note->text)) {
			v[i].n_ways++;
			return true;
		}
	if (*n == REASONS_MAX)
		return false;
	v[(*n)++] = (struct reason){note, 1};
	return true;
}

/* A line for each reason why ways are missing: with the host that is lost, or
 * the first such way. */
void probe_show_missing(const struct pl_matrix *m)
{
	struct reason v[REASONS_MAX];
	size_t n_reasons = 0;
	bool more = false;

	for (size_t k = 0; k < m->n_notes; k++)
		if (pl_bandwidth_lacks(m, &m->note[k]) && !add_reason(v, &n_reasons, &m->note[k]))
			more = true;
	for (size_t k = 0; k < n_reasons; k++)
		show_reason(m, &v[k]);
	if (more)
		pl_tool_warn(tool, "missing: more, see the matrix");
}

void probe_show_lost(const struct pl_matrix *m)
{
	for (size_t k = 0; k < m->n_headers; k++)
		if (!strcmp(m->header[k].key, "lost"))
			pl_tool_warn(tool,
				     "lost when all its pairs had been "
				     "measured: %s",
				     m->header[k].value);
}

const char *probe_warning(const struct pl_matrix *m, size_t k, char text[PROBE_WARNING_CHARS])
{
	for (size_t i = 0; i < m->n_headers; i++) {
		const struct pl_header *h = &m->header[i];
		const bool verbs = !strcmp(h->key, "verbs");

		if ((!verbs && strcmp(h->key, "insecure-4byte") != 0) || k-- > 0)
			continue;
		if (verbs)
			snprintf(text, PROBE_WARNING_CHARS,
				 "RDMA adapters (%.200s): a job may go by them "
				 "and not, as was measured, by UDP; "
				 "plink-probe-mpi measures the job's way",
				 h->value);
		else
			snprintf(text, PROBE_WARNING_CHARS, "%s", PROBE_WARN_4BYTE);
		return text;
	}
	return NULL;
}

void probe_show_verbs(const struct pl_matrix *m)
{
	char text[PROBE_WARNING_CHARS];

	for (size_t k = 0; probe_warning(m, k, text); k++)
		if (strcmp(text, PROBE_WARN_4BYTE) != 0) /* was said before */
			pl_tool_warn(tool, "%s", text);
}

void probe_show_second_pass(const struct pl_probe_report *r, const struct pl_probe_options *o)
{
	pl_probing_say_again(tool, r);
	if (r->again_cut)
		pl_tool_warn(tool, "the budget ended before all disturbed pairs "
				   "were measured again");
	if (r->drift_ways == 0)
		return;
	pl_tool_say(tool,
		    "drift from start to end: %+.1f %% in the median of %zu "
		    "ways, %zu beyond twice %g %% + %g us",
		    100 * r->drift_share, r->drift_ways, r->drift_beyond, o->precision * 100,
		    (double)o->precision_ns / 1e3);
	if (2 * r->drift_beyond > r->drift_ways)
		pl_tool_warn(tool, "the network changed while it was measured");
}

void probe_show_summary(const struct pl_probe_report *r, const struct pl_probe_options *o)
{
	pl_tool_say(tool, "%zu pairs measured, %zu missing, %zu of %zu hosts lost%s",
		    r->pairs_measured - r->pairs_kept, r->pairs_missing, r->n_lost_hosts,
		    r->n_hosts,
		    r->interrupted    ? ", interrupted"
		    : r->budget_spent ? ", the budget is spent"
				      : "");
	if (r->pairs_kept > 0)
		pl_tool_say(tool, "%zu pairs kept from before", r->pairs_kept);
	pl_tool_say(tool,
		    "%" PRIu64 " probes in %zu rounds, at most one per %g us "
		    "and pair; %" PRIu64 " lost, %" PRIu64 " late, %" PRIu64 " duplicate; %" PRIu64
		    " packets refused, %" PRIu64 " out of their round",
		    r->probes_sent, r->n_rounds, (double)r->gap_ns / 1e3, r->probes_lost,
		    r->probes_late, r->probes_duplicate, r->replies_refused, r->packets_stale);
	probe_show_second_pass(r, o);
	if (o->bandwidth)
		pl_tool_say(tool,
			    "%zu ways measured by TCP, %zu missing, %zu not "
			    "settled; %" PRIu64 " bytes, %" PRIu64 " segments sent again, %.2f s",
			    r->flows_measured, r->flows_missing, r->flows_unsettled, r->flow_bytes,
			    r->flow_resent, (double)r->flows_ns / 1e9);
	pl_tool_say(tool, "%.2f s, of them %.2f s to start", (double)r->elapsed_ns / 1e9,
		    (double)r->start_ns / 1e9);
}

void probe_show_choice(const struct pl_probe_report *r, const struct probe_off *off)
{
	if (r->pairs_left_out == 0)
		pl_tool_say(tool, "no pair was left out");
	else
		pl_tool_say(tool,
			    "%zu pairs were left out; plink-order "
			    "--missing=estimate and plink-groups estimate them",
			    r->pairs_left_out);
	if (off->n_ways > 0)
		pl_tool_say(tool,
			    "of %zu ways held back estimates are off by %.1f "
			    "%% (median), %.1f %% (90th percentile)",
			    off->n_ways, 100 * off->median, 100 * off->p90);
}

void probe_show_forecast(const struct pl_probe_forecast *f, FILE *out)
{
	fprintf(out, "hosts %zu\npairs %zu", f->n_hosts, f->n_pairs);
	if (f->n_pairs_most > f->n_pairs)
		fprintf(out, " to %zu", f->n_pairs_most);
	fprintf(out, "\nways %zu", f->n_ways);
	if (f->n_ways_most > f->n_ways)
		fprintf(out, " to %zu", f->n_ways_most);
	fprintf(out, "\nrounds %zu", f->n_rounds);
	if (f->n_rounds_most > f->n_rounds)
		fprintf(out, " to %zu", f->n_rounds_most);
	fprintf(out,
		"\nprobes %" PRIu64 " to %" PRIu64 "\npackets %" PRIu64 " to %" PRIu64
		"\nbytes %" PRIu64 " to %" PRIu64 "\nseconds %.1f to %.1f\n",
		f->probes_least, f->probes_most, 2 * f->probes_least, 2 * f->probes_most,
		2 * f->packet_bytes * f->probes_least, 2 * f->packet_bytes * f->probes_most,
		f->seconds_least, f->seconds_most);
	if (f->n_flows > 0)
		fprintf(out,
			"flows %zu to %zu\nflow-bytes 0 to %.0f\n"
			"flow-seconds %.1f to %.1f\n",
			f->n_flows, f->n_flows_most, f->flow_bytes_most, f->flow_seconds_least,
			f->flow_seconds_most);
}

void probe_show_calibration(const struct pl_calibration *c)
{
	if (c->n_ways == 0)
		pl_tool_warn(tool, "not calibrated: %s", c->reason);
	else
		pl_tool_say(tool,
			    "ICMP takes %+.1f us beside UDP in the median of "
			    "%zu ways (from %+.1f to %+.1f in eight of ten); "
			    "no cell is changed by that",
			    c->median_ns / 1e3, c->n_ways, c->low_ns / 1e3, c->high_ns / 1e3);
}
