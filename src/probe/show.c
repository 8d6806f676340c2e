/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - what plink-probe says of a run */
#include "config.h"

#include "src/probe/show.h"

#include "src/common/missing.h"
#include "src/common/probing.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const char tool[] = PL_PROBE_TOOL;

void probe_show_missing(const struct pl_matrix *m)
{
	struct pl_missing missing;

	pl_missing_find(&missing, m, PL_MISSING_CELLS | PL_MISSING_FLOWS);
	for (size_t k = 0; k < missing.n; k++) {
		char text[PL_MISSING_TEXT];

		pl_tool_warn(tool, "missing: %s", pl_missing_text(text, m, &missing.v[k]));
	}
	if (missing.more)
		pl_tool_warn(tool, "missing: more, see the matrix");
}

void probe_show_lost(const struct pl_matrix *m)
{
	for (size_t k = 0; k < m->n_headers; k++)
		if (!strcmp(m->header[k].key, "lost"))
			pl_tool_warn(tool, "lost when all its pairs had been measured: %s",
				     m->header[k].value);
}

const char *probe_warning(const struct pl_matrix *m, size_t k, char text[PROBE_WARNING_CHARS])
{
	for (size_t i = 0; i < m->n_headers; i++) {
		const struct pl_header *h = &m->header[i];

		if (strcmp(h->key, "verbs") != 0 || k-- > 0)
			continue;
		snprintf(text, PROBE_WARNING_CHARS,
			 "RDMA adapters (%.200s): a job may go by them and not, as was "
			 "measured, by UDP; plink-probe-mpi measures the job's way",
			 h->value);
		return text;
	}
	return NULL;
}

void probe_show_verbs(const struct pl_matrix *m)
{
	char text[PROBE_WARNING_CHARS];

	for (size_t k = 0; probe_warning(m, k, text); k++)
		pl_tool_warn(tool, "%s", text);
}

void probe_show_second_pass(const struct pl_probe_report *r, const struct pl_probe_options *o)
{
	pl_probing_say_again(tool, r);
	if (r->again_cut)
		pl_tool_warn(tool,
			     "the budget ended before all disturbed pairs were measured again");
	if (r->drift_ways == 0)
		return;
	pl_tool_say(tool,
		    "drift from start to end: %+.1f %% in the median of %zu ways, %zu beyond twice "
		    "%g %% + %g us",
		    100 * r->drift_share, r->drift_ways, r->drift_beyond, o->precision * 100,
		    PL_PROBE_PRECISION_NS / 1e3);
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
		    "%" PRIu64 " probes in %zu rounds, at most one per %g us and pair; %" PRIu64
		    " lost, %" PRIu64 " late, %" PRIu64 " duplicate; %" PRIu64
		    " packets refused, %" PRIu64 " out of their round",
		    r->probes_sent, r->n_rounds, (double)r->gap_ns / 1e3, r->probes_lost,
		    r->probes_late, r->probes_duplicate, r->replies_refused, r->packets_stale);
	probe_show_second_pass(r, o);
	if (o->bandwidth)
		pl_tool_say(tool,
			    "%zu ways measured by TCP, %zu missing, %zu not settled; %" PRIu64
			    " bytes, %" PRIu64 " segments sent again, %.2f s",
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
			    "%zu pairs were left out; plink-order --missing=estimate and "
			    "plink-groups estimate them",
			    r->pairs_left_out);
	if (off->n_ways > 0)
		pl_tool_say(tool,
			    "of %zu ways held back estimates are off by %.1f %% (median), %.1f %% "
			    "(90th percentile)",
			    off->n_ways, 100 * off->median, 100 * off->p90);
}

void probe_show_count(const struct pl_probe_count *count, FILE *out)
{
	const char *most = count->is_most ? "at most " : "";

	fprintf(out, "hosts %zu\npairs %s%zu\nways %s%zu\n", count->n_hosts, most, count->n_pairs,
		most, count->n_ways);
	if (count->n_flows + count->n_flows_few > 0)
		fprintf(out, "flows %s%zu\n", count->n_flows_few > 0 ? "at most " : "",
			count->n_flows + count->n_flows_few);
}
