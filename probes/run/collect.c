/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - results of pairs become a matrix */
#include "config.h"

#include "probes/run/collect.h"

#include "src/mem.h"
#include "src/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layers, by index into the matrix; the first is the matrix proper. */
enum {
	P10,
	MIN,
	P50,
	P90,
	P99,
	SPREAD,
	RAW,
	SENT,
	LOST,
	LATE,
	DUPLICATE,
	N_LAYERS,
	RESOLUTION = N_LAYERS /* where it is there */
};

static const char *const names[N_LAYERS] = {
	[P10] = "p10",
	[MIN] = "min",
	[P50] = "p50",
	[P90] = "p90",
	[P99] = "p99",
	[SENT] = "sent",
	[LOST] = "lost",
	[LATE] = "late",
	[DUPLICATE] = "duplicate",
	[SPREAD] = "flow-spread",
	[RAW] = "raw-p10",
};

int pl_collect_init(struct pl_collect *c, const struct pl_hosts *hosts,
		    struct pl_err *err)
{
	c->noted = c->fresh = c->chosen = NULL;
	c->has_resolution = false;
	c->matrix = pl_matrix_create(hosts, err);
	if (!c->matrix)
		return -1;
	c->noted = pl_array_create(hosts->n, hosts->n);
	c->fresh = pl_array_create(hosts->n, hosts->n);
	if (c->noted && c->fresh &&
	    !pl_matrix_describe(c->matrix, "udp", names, SENT, N_LAYERS))
		return 0;
	pl_collect_fini(c);
	return pl_err_nomem(err);
}

int pl_collect_is_icmp(struct pl_collect *c, struct pl_err *err)
{
	if (pl_matrix_set_method(c->matrix, "icmp") ||
	    !pl_matrix_add_layer(c->matrix, "resolution", PL_RTT, PL_NS))
		return pl_err_nomem(err);
	c->has_resolution = true;
	return 0;
}

void pl_collect_prune(struct pl_collect *c)
{
	struct pl_matrix *m = c->matrix;
	size_t kept = 0;

	for (size_t k = 0; k < m->n_layers; k++) {
		if (k == SPREAD || k == RAW || k == LATE || k == DUPLICATE) {
			free(m->layer[k].statistic);
			free(m->layer[k].cell);
		} else {
			m->layer[kept++] = m->layer[k];
		}
	}
	m->n_layers = kept;
}

void pl_collect_fini(struct pl_collect *c)
{
	pl_matrix_destroy(c->matrix);
	free(c->noted);
	free(c->fresh);
	free(c->chosen);
	c->matrix = NULL;
	c->noted = c->fresh = c->chosen = NULL;
}

int pl_collect_choose(struct pl_collect *c)
{
	const size_t n = c->matrix->hosts.n;

	c->chosen = pl_array_create(n, n);
	return c->chosen ? 0 : -1;
}

int pl_collect_note(struct pl_collect *c, size_t src, size_t dst,
		    const char *text)
{
	c->noted[src * c->matrix->hosts.n + dst] = 1;
	return pl_matrix_add_note(c->matrix, src, dst, text);
}

int pl_collect_pair(struct pl_collect *c, size_t src, size_t dst,
		    const struct pl_pair *pair, const char *text)
{
	const size_t at = src * c->matrix->hosts.n + dst;
	struct pl_layer *layer = c->matrix->layer;

	layer[SENT].cell[at] = (double)pair->sent;
	layer[LOST].cell[at] = (double)pair->lost;
	layer[LATE].cell[at] = (double)pair->late;
	layer[DUPLICATE].cell[at] = (double)pair->duplicate;
	c->fresh[at] = 1;
	if (pair->answered > 0) {
		layer[MIN].cell[at] = (double)pair->rtt.min_ns;
		layer[P10].cell[at] = (double)pair->rtt.p10_ns;
		layer[P50].cell[at] = (double)pair->rtt.p50_ns;
		layer[P90].cell[at] = (double)pair->rtt.p90_ns;
		layer[P99].cell[at] = (double)pair->rtt.p99_ns;
		layer[SPREAD].cell[at] = (double)pair->rtt.spread_ns;
		layer[RAW].cell[at] = (double)pair->rtt.raw_ns;
		if (c->has_resolution)
			layer[RESOLUTION].cell[at] = (double)pair->step_ns;
	}
	return text[0] ? pl_collect_note(c, src, dst, text) : 0;
}

int pl_collect_miss(struct pl_collect *c, size_t src, size_t dst,
		    const char *why)
{
	const size_t at = src * c->matrix->hosts.n + dst;

	if (c->noted[at] || !isnan(c->matrix->layer[P10].cell[at]))
		return 0;
	return pl_collect_note(c, src, dst, why);
}

/* Sum of a layer over the pairs that were tried now. */
static uint64_t sum(const struct pl_collect *c, size_t layer)
{
	const size_t n = c->matrix->hosts.n;
	const double *cell = c->matrix->layer[layer].cell;
	uint64_t total = 0;

	for (size_t i = 0; i < n * n; i++)
		if (c->fresh[i])
			total += (uint64_t)cell[i];
	return total;
}

void pl_collect_count(const struct pl_collect *c,
		      struct pl_probe_report *report)
{
	const size_t n = c->matrix->hosts.n;
	const double *cell = c->matrix->layer[P10].cell;

	report->pairs_missing = report->pairs_left_out = 0;
	for (size_t i = 0; i < n * n; i++) {
		const bool there = !c->chosen || c->chosen[i];

		if (isnan(cell[i]) && there)
			report->pairs_missing++;
		else if (isnan(cell[i]))
			report->pairs_left_out++;
	}
	report->pairs_measured =
		n * n - n - report->pairs_missing - report->pairs_left_out;
	report->probes_sent = sum(c, SENT);
	report->probes_lost = sum(c, LOST);
	report->probes_late = sum(c, LATE);
	report->probes_duplicate = sum(c, DUPLICATE);
}
