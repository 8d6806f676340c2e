/* SPDX-License-Identifier: BSD-3-Clause */
/* passive.c - the round trips of a job's own packets become a matrix */
#include "config.h"

#include "audit/passive.h"

#include "audit/owner.h"
#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELAYED_NS INT64_C(35000000)

enum { P10, MIN, P50, P90, P99, SAMPLES, DELAYED, AGAIN, N_LAYERS };

static const char *const names[N_LAYERS] = {
	[P10] = "p10", [MIN] = "min",         [P50] = "p50",         [P90] = "p90",
	[P99] = "p99", [SAMPLES] = "samples", [DELAYED] = "delayed", [AGAIN] = "again",
};

/* What one directed pair has; pieces of the traces' flows. */
struct pair {
	const struct pl_trips **of; /* [n] */
	size_t n, room;
	bool seen; /* something went that way */
};

static int describe(struct pl_matrix *m, size_t samples_min)
{
	char text[64];

	snprintf(text, sizeof(text), "least=%zu", samples_min);
	return pl_matrix_describe(m, "passive", names, SAMPLES, N_LAYERS) ||
	       pl_matrix_add_header(m, "samples", text);
}

/* Which flows are of which pair: those that the capture on their source saw. */
static int sort_flows(const struct pl_passive_input *in, struct pair *pair)
{
	const size_t n = in->job->node.n;

	for (size_t k = 0; k < in->n_traces; k++)
		for (size_t i = 0; i < in->trace[k].n_flows; i++) {
			const struct pl_tcp_flow *f = &in->trace[k].flow[i];
			const size_t src = pl_who_find(in->who, &f->src);
			const size_t dst = pl_who_find(in->who, &f->dst);
			struct pair *p;

			if (src == PL_NOBODY || dst == PL_NOBODY || src == dst)
				continue;
			p = &pair[src * n + dst];
			p->seen = true;
			if (in->trace[k].owner != src)
				continue;
			if (pl_array_grow((void **)&p->of, &p->room, p->n, sizeof(*p->of)))
				return -1;
			p->of[p->n++] = &f->trips;
		}
	return 0;
}

/* The fastest of all, or INT64_MAX; how many there are. */
static size_t count(const struct pair *p, int64_t *fastest)
{
	size_t n = 0;

	*fastest = INT64_MAX;
	for (size_t k = 0; k < p->n; k++) {
		n += p->of[k]->n;
		for (size_t i = 0; i < p->of[k]->n; i++)
			if (p->of[k]->trip[i].ns < *fastest)
				*fastest = p->of[k]->trip[i].ns;
	}
	return n;
}

static void set_figures(struct pl_matrix *m, size_t at, int64_t *v, size_t n)
{
	static const double percent[] = {[P10] = 0.1, [P50] = 0.5, [P90] = 0.9, [P99] = 0.99};

	pl_sort_int64(v, n);
	for (size_t k = 0; k <= P99; k++)
		m->layer[k].cell[at] = (double)v[k == MIN ? 0 : pl_percentile_index(n, percent[k])];
}

static int fill(struct pl_matrix *m, size_t at, const struct pair *p, size_t samples_min,
		size_t *n_taken)
{
	int64_t fastest, *v;
	size_t n = count(p, &fastest), n_delayed = 0, n_again = 0, used = 0;

	v = pl_array_create(n, sizeof(*v));
	if (!v)
		return -1;
	for (size_t k = 0; k < p->n; k++) {
		n_again += p->of[k]->n_again;
		for (size_t i = 0; i < p->of[k]->n; i++) {
			const struct pl_trip *t = &p->of[k]->trip[i];

			if (t->bare && t->ns - fastest >= DELAYED_NS)
				n_delayed++;
			else
				v[used++] = t->ns;
		}
	}
	m->layer[SAMPLES].cell[at] = (double)used;
	m->layer[DELAYED].cell[at] = (double)n_delayed;
	m->layer[AGAIN].cell[at] = (double)n_again;
	if (used >= samples_min)
		set_figures(m, at, v, used);
	free(v);
	*n_taken = used;
	return 0;
}

static int miss(const struct pl_passive_input *in, struct pl_matrix *m, size_t src, size_t dst,
		bool seen, size_t n_samples)
{
	char text[128];

	if (!pl_owners_have(in->trace, in->n_traces, src))
		snprintf(text, sizeof(text), "no capture was taken on %.64s", m->hosts.v[src].name);
	else if (!seen)
		snprintf(text, sizeof(text), "nothing was sent this way");
	else
		snprintf(text, sizeof(text), "%zu round trips in the capture, %zu are wanted",
			 n_samples, in->samples_min);
	return pl_matrix_add_note(m, src, dst, text);
}

static int fill_all(const struct pl_passive_input *in, struct pl_matrix *m, const struct pair *pair)
{
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			size_t n_taken;

			if (i == j)
				continue;
			if (fill(m, i * n + j, &pair[i * n + j], in->samples_min, &n_taken) ||
			    (n_taken < in->samples_min &&
			     miss(in, m, i, j, pair[i * n + j].seen, n_taken)))
				return -1;
		}
	return 0;
}

struct pl_matrix *pl_passive_matrix(const struct pl_passive_input *in, struct pl_err *err)
{
	const size_t n = in->job->node.n;
	struct pl_matrix *m = pl_matrix_create(&in->job->node, err);
	struct pair *pair = NULL;
	int status = -1;

	if (!m)
		return NULL;
	pair = pl_array_create(n, n * sizeof(*pair));
	if (pair && !describe(m, in->samples_min) &&
	    !pl_owners_find(in->trace, in->n_traces, in->who) && !sort_flows(in, pair))
		status = fill_all(in, m, pair);
	for (size_t k = 0; pair && k < n * n; k++)
		free(pair[k].of);
	free(pair);
	if (!status)
		return m;
	pl_matrix_destroy(m);
	pl_err_nomem(err);
	return NULL;
}
