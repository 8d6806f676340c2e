/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - results of pairs become a matrix */
#include "config.h"

#include "probes/run/collect.h"

#include "base/matrix/cells.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layers, by index into the matrix; the first is the matrix proper. */
enum { P10, MIN, P50, P90, P99, SPREAD, RAW, SENT, LOST, LATE, DUPLICATE, N_LAYERS };

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

int pl_collect_init(struct pl_collect *c, const struct pl_hosts *hosts, bool few,
		    struct pl_err *err)
{
	c->noted = c->fresh = c->chosen = NULL;
	c->matrix = few ? pl_matrix_create_few(hosts, err) : pl_matrix_create(hosts, err);
	if (!c->matrix)
		return -1;
	c->noted = pl_array_create(hosts->n, hosts->n);
	c->fresh = pl_array_create(hosts->n, hosts->n);
	if (c->noted && c->fresh && !pl_matrix_describe(c->matrix, "udp", names, SENT, N_LAYERS))
		return 0;
	pl_collect_fini(c);
	return pl_err_nomem(err);
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

int pl_collect_note(struct pl_collect *c, size_t src, size_t dst, const char *text)
{
	c->noted[src * c->matrix->hosts.n + dst] = 1;
	return pl_matrix_add_note(c->matrix, src, dst, text);
}

int pl_collect_pair(struct pl_collect *c, size_t src, size_t dst, const struct pl_probed_pair *pair,
		    const char *text)
{
	const size_t at = src * c->matrix->hosts.n + dst;
	const double value[] = {
		[P10] = (double)pair->rtt.p10_ns,      [MIN] = (double)pair->rtt.min_ns,
		[P50] = (double)pair->rtt.p50_ns,      [P90] = (double)pair->rtt.p90_ns,
		[P99] = (double)pair->rtt.p99_ns,      [SPREAD] = (double)pair->rtt.spread_ns,
		[RAW] = (double)pair->rtt.raw_ns,      [SENT] = (double)pair->sent,
		[LOST] = (double)pair->lost,           [LATE] = (double)pair->late,
		[DUPLICATE] = (double)pair->duplicate,
	};

	for (size_t k = 0; k < N_LAYERS; k++) {
		const bool is_count = k >= SENT && k <= DUPLICATE;

		if ((is_count || pair->answered > 0) &&
		    pl_layer_set(&c->matrix->layer[k], at, value[k]))
			return -1;
	}
	c->fresh[at] = 1;
	return text[0] ? pl_collect_note(c, src, dst, text) : 0;
}

int pl_collect_miss(struct pl_collect *c, size_t src, size_t dst, const char *why)
{
	const size_t at = src * c->matrix->hosts.n + dst;

	if (c->noted[at] || !isnan(pl_layer_get(&c->matrix->layer[P10], at)))
		return 0;
	return pl_collect_note(c, src, dst, why);
}

/* Sum of a layer over the pairs that were tried now. */
static uint64_t sum(const struct pl_collect *c, size_t layer)
{
	const size_t n = c->matrix->hosts.n;
	const struct pl_layer *l = &c->matrix->layer[layer];
	uint64_t total = 0;

	for (size_t i = 0; i < n * n; i++)
		if (c->fresh[i])
			total += (uint64_t)pl_layer_get(l, i);
	return total;
}

void pl_collect_count(const struct pl_collect *c, struct pl_probe_report *report)
{
	const size_t n = c->matrix->hosts.n;
	const struct pl_layer *p10 = &c->matrix->layer[P10];
	const size_t lacking = pl_matrix_missing(c->matrix);

	report->pairs_missing = c->chosen ? 0 : lacking;
	for (size_t i = 0; c->chosen && i < n * n; i++)
		report->pairs_missing += c->chosen[i] && isnan(pl_layer_get(p10, i));
	report->pairs_left_out = lacking - report->pairs_missing;
	report->pairs_measured = n * n - n - report->pairs_missing - report->pairs_left_out;
	report->probes_sent = sum(c, SENT);
	report->probes_lost = sum(c, LOST);
	report->probes_late = sum(c, LATE);
	report->probes_duplicate = sum(c, DUPLICATE);
}
