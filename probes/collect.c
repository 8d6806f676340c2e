/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - results of pairs become a matrix */
#include "config.h"

#include "probes/collect.h"

#include "src/mem.h"
#include "src/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layers, by index into the matrix; the first is the matrix proper. */
enum { P10, MIN, P50, P90, P99, SPREAD, SENT, LOST, LATE, DUPLICATE, N_LAYERS };

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
};

static int set_string(char **to, const char *s)
{
	free(*to);
	*to = pl_string_copy(s, strlen(s));
	return *to ? 0 : -1;
}

static int describe(struct pl_matrix *m)
{
	char now[32];

	if (set_string(&m->layer[0].statistic, names[P10]) ||
	    set_string(&m->method, "udp") ||
	    set_string(&m->created, pl_tool_now(now)))
		return -1;
	m->layer[0].quantity = PL_RTT;
	m->layer[0].unit = PL_NS;
	m->symmetrize = PL_SYM_MAX;
	for (size_t k = 1; k < N_LAYERS; k++)
		if (!pl_matrix_add_layer(m, names[k],
					 k < SENT ? PL_RTT : PL_COUNT,
					 k < SENT ? PL_NS : PL_PROBES))
			return -1;
	return 0;
}

int pl_collect_init(struct pl_collect *c, const struct pl_hosts *hosts,
		    struct pl_err *err)
{
	c->noted = c->fresh = NULL;
	c->matrix = pl_matrix_create(hosts, err);
	if (!c->matrix)
		return -1;
	c->noted = pl_array_create(hosts->n, hosts->n);
	c->fresh = pl_array_create(hosts->n, hosts->n);
	if (c->noted && c->fresh && !describe(c->matrix))
		return 0;
	pl_collect_fini(c);
	return pl_err_nomem(err);
}

void pl_collect_fini(struct pl_collect *c)
{
	pl_matrix_destroy(c->matrix);
	free(c->noted);
	free(c->fresh);
	c->matrix = NULL;
	c->noted = c->fresh = NULL;
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

	report->pairs_missing = 0;
	for (size_t i = 0; i < n * n; i++)
		report->pairs_missing += isnan(cell[i]) != 0;
	report->pairs_measured = n * n - n - report->pairs_missing;
	report->probes_sent = sum(c, SENT);
	report->probes_lost = sum(c, LOST);
	report->probes_late = sum(c, LATE);
	report->probes_duplicate = sum(c, DUPLICATE);
}
