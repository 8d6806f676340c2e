/* SPDX-License-Identifier: BSD-3-Clause */
/* layers.c - the layers of a matrix with TCP's bandwidths */
#include "config.h"

#include "probes/bandwidth/layers.h"

#include "base/matrix/tiers.h"
#include "base/tournament.h"
#include "probes/bandwidth/looks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_CHARS 320
#define HEADER                                                                                     \
	"bandwidth" /* the key of the line that says how they were                                 \
		     * measured */

/* Those that have layers. */
static const enum pl_bandwidth_way ways[] = {PL_BANDWIDTH_ALONE, PL_BANDWIDTH_TOGETHER};
#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

/* The statistic of the layer, or what a note begins with. */
static const char *name_of(enum pl_bandwidth_way way)
{
	return way == PL_BANDWIDTH_ALONE      ? "alone"
	       : way == PL_BANDWIDTH_TOGETHER ? "together"
					      : "few";
}

double *pl_bandwidth_cells(const struct pl_matrix *m, enum pl_bandwidth_way way)
{
	const struct pl_layer *l = pl_matrix_bandwidths(m, name_of(way));

	return l ? l->cell : NULL;
}

static void describe(const struct pl_probe_options *o, char text[TEXT_CHARS])
{
	snprintf(text, TEXT_CHARS, "method=tcp streams=%u flow-s=%.10g flow-bytes=%" PRIu64,
		 o->streams, (double)o->flow_ns / 1e9, o->flow_bytes);
}

bool pl_bandwidth_wants_few(const struct pl_matrix *m, const struct pl_probe_options *o)
{
	return (o->bandwidth & PL_BANDWIDTH_FEW) &&
	       !(m && (pl_matrix_header(m, "card") || pl_matrix_header(m, "uplink")));
}

/* The groups of hosts, and the rates, unless these are measured anew: so are both where cells were
 * missing, as a host without any was in no group with others, and had no flow. */
static int copy_tiers(struct pl_matrix *m, const struct pl_probe_options *o)
{
	struct pl_tiers t = {0};
	int rc;

	if ((o->bandwidth & PL_BANDWIDTH_FEW) && pl_matrix_missing(o->resume) > 0 &&
	    !pl_matrix_header(o->resume, "sampled"))
		return 0;
	if (!(o->bandwidth & PL_BANDWIDTH_FEW) || !pl_tiers_flows_failed(o->resume))
		return pl_tiers_copy_lines(m, o->resume);
	if (pl_tiers_read(&t, o->resume, NULL))
		return -1;
	pl_tiers_set_cards(&t, 0);
	for (size_t g = 0; g < t.n_groups; g++)
		t.uplink[g] = (struct pl_link_rate){0};
	rc = pl_tiers_write(&t, m, NULL);
	pl_tiers_fini(&t);
	return rc;
}

int pl_bandwidth_prepare(struct pl_matrix *m, const struct pl_probe_options *o)
{
	const struct pl_matrix *old = o->resume;
	const size_t n = m->hosts.n;
	const char *how = old ? pl_matrix_header(old, HEADER) : NULL;
	char text[TEXT_CHARS];

	for (size_t k = 0; k < N_WAYS; k++) {
		const double *from = old ? pl_bandwidth_cells(old, ways[k]) : NULL;
		struct pl_layer *to;

		if (!from && !(o->bandwidth & ways[k]))
			continue;
		to = pl_matrix_add_layer(m, name_of(ways[k]), PL_BANDWIDTH, PL_BYTES_PER_S);
		if (!to)
			return -1;
		for (size_t at = 0; from && at < n * n; at++)
			if (!isnan(from[at]) && at % (n + 1) != 0 && pl_layer_set(to, at, from[at]))
				return -1;
	}
	if (old && copy_tiers(m, o))
		return -1;
	describe(o, text);
	if (o->bandwidth)
		how = text;
	return how ? pl_matrix_add_header(m, HEADER, how) : 0;
}

size_t pl_bandwidth_missing(const struct pl_matrix *m, const struct pl_probe_options *o)
{
	const size_t n = m->hosts.n;
	size_t missing = 0;

	for (size_t k = 0; k < N_WAYS; k++) {
		const double *cell = pl_bandwidth_cells(m, ways[k]);

		for (size_t i = 0; (o->bandwidth & ways[k]) && i < n * n; i++)
			missing += isnan(cell[i]) != 0;
	}
	return missing;
}

bool pl_bandwidth_lacks_round(const double *cell, size_t n, size_t round)
{
	for (size_t i = 0; i < n; i++) {
		const size_t j = pl_tournament_peer(n, round, i);

		if (j != PL_TOURNAMENT_REST && (!cell || isnan(cell[i * n + j])))
			return true;
	}
	return false;
}

int pl_bandwidth_note(struct pl_matrix *m, enum pl_bandwidth_way way, size_t src, size_t dst,
		      const char *text)
{
	char line[TEXT_CHARS];

	snprintf(line, sizeof(line), "%s: %s", name_of(way), text);
	return pl_matrix_add_note(m, src, dst, line);
}

/* Is the note about that way of measuring? Returns what follows, or NULL. */
static const char *words_of(const struct pl_cell_note *note, enum pl_bandwidth_way way)
{
	const char *name = name_of(way);
	const size_t len = strlen(name);

	return !strncmp(note->text, name, len) && !strncmp(note->text + len, ": ", 2)
		       ? note->text + len + 2
		       : NULL;
}

const char *pl_bandwidth_words(const struct pl_cell_note *note)
{
	static const enum pl_bandwidth_way all[] = {PL_BANDWIDTH_ALONE, PL_BANDWIDTH_TOGETHER,
						    PL_BANDWIDTH_FEW};
	const char *words;

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		words = words_of(note, all[k]);
		if (words)
			return words;
	}
	return note->text;
}

const struct pl_layer *pl_bandwidth_noted(const struct pl_matrix *m,
					  const struct pl_cell_note *note)
{
	for (size_t k = 0; k < N_WAYS; k++)
		if (words_of(note, ways[k]))
			return pl_matrix_bandwidths(m, name_of(ways[k]));
	return NULL;
}

bool pl_bandwidth_doubted(const struct pl_matrix *m, const struct pl_cell_note *note)
{
	return pl_bandwidth_noted(m, note) &&
	       !strncmp(pl_bandwidth_words(note), PL_LOOKS_DOUBT, strlen(PL_LOOKS_DOUBT));
}

bool pl_bandwidth_lacks(const struct pl_matrix *m, const struct pl_cell_note *note)
{
	const struct pl_layer *l = pl_bandwidth_noted(m, note);

	return !pl_tiers_flow_failed(note) &&
	       isnan(pl_layer_get(l ? l : &m->layer[0], note->src * m->hosts.n + note->dst));
}

int pl_bandwidth_check(const struct pl_probe_options *o, struct pl_err *err)
{
	const char *how = o->resume ? pl_matrix_header(o->resume, HEADER) : NULL;
	char text[TEXT_CHARS];

	describe(o, text);
	if (!o->bandwidth || !how || !strcmp(how, text))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "the bandwidths to be resumed were measured with %s, not %s; use the "
			  "same options, or leave out --resume",
			  how, text);
}
