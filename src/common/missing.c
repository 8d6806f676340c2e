/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.c - why pairs of a matrix, or rates, were not measured: each reason once */
#include "config.h"

#include "src/common/missing.h"

#include "base/matrix/tiers.h"
#include "probes/bandwidth/layers.h"

#include <stdio.h>
#include <string.h>

/* Of the hosts of a way the one that its note begins with: lost, with all its ways. *words: what
 * follows. NULL: neither. */
static const char *lost_end(const struct pl_matrix *m, const struct pl_cell_note *note,
			    const char **words)
{
	const char *ends[] = {m->hosts.v[note->src].name, m->hosts.v[note->dst].name};
	const char *text = pl_bandwidth_words(note);

	for (size_t k = 0; k < 2; k++) {
		const size_t len = strlen(ends[k]);

		*words = text + len + 2;
		if (!strncmp(text, ends[k], len) && !strncmp(text + len, ": ", 2))
			return ends[k];
	}
	return NULL;
}

static bool is_of(const struct pl_matrix *m, const struct pl_cell_note *note, unsigned kinds)
{
	if (pl_tiers_flow_failed(note))
		return kinds & PL_MISSING_FLOWS;
	return (kinds & PL_MISSING_CELLS) && pl_bandwidth_lacks(m, note);
}

/* Counts it among the reasons. */
static void add(struct pl_missing *to, const struct pl_cell_note *note)
{
	for (size_t i = 0; i < to->n; i++)
		if (!strcmp(to->v[i].first->text, note->text)) {
			to->v[i].n_ways++;
			return;
		}
	if (to->n == PL_MISSING_REASONS)
		to->more = true;
	else
		to->v[to->n++] = (struct pl_missing_reason){note, 1};
}

void pl_missing_find(struct pl_missing *to, const struct pl_matrix *m, unsigned kinds)
{
	to->n = 0;
	to->more = false;
	for (size_t k = 0; k < m->n_notes; k++)
		if (is_of(m, &m->note[k], kinds))
			add(to, &m->note[k]);
}

/* Those of a host that is lost: "alone: 8 ways from and to h3: why". */
static void tell_host(char *text, const struct pl_missing_reason *reason, const char *host,
		      const char *words)
{
	const char *note = reason->first->text;
	const char *s = reason->n_ways == 1 ? "" : "s";
	const int len = (int)(pl_bandwidth_words(reason->first) - note);

	if (pl_tiers_flow_failed(reason->first))
		snprintf(text, PL_MISSING_TEXT, "%zu flow%s from and to %s: %s", reason->n_ways, s,
			 host, words);
	else
		snprintf(text, PL_MISSING_TEXT, "%.*s%zu way%s from and to %s: %s", len, note,
			 reason->n_ways, s, host, words);
}

const char *pl_missing_text(char text[PL_MISSING_TEXT], const struct pl_matrix *m,
			    const struct pl_missing_reason *reason)
{
	const struct pl_cell_note *first = reason->first;
	const bool flow = pl_tiers_flow_failed(first);
	const char *words, *host = lost_end(m, first, &words);
	char more[40] = "";

	if (host) {
		tell_host(text, reason, host, words);
		return text;
	}
	if (reason->n_ways > 1)
		snprintf(more, sizeof(more), " and %zu more%s", reason->n_ways - 1,
			 flow                  ? ""
			 : reason->n_ways == 2 ? " way"
					       : " ways");
	snprintf(text, PL_MISSING_TEXT, "%s%s to %s%s: %s", flow ? "flow from " : "",
		 m->hosts.v[first->src].name, m->hosts.v[first->dst].name, more,
		 flow ? pl_bandwidth_words(first) : first->text);
	return text;
}
