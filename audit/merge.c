/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - several captures of one job make one picture */
#include "config.h"

#include "audit/merge.h"

#include "audit/owner.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A direction of a connection that counts, as one capture has it. */
struct sight {
	uint32_t src, dst;
	const struct pl_tcp_flow *flow;
	size_t trace;
	size_t nth; /* of those that the trace has and nothing else
		     * tells apart */
};

struct sights {
	struct sight *v;
	size_t n, room;
};

/* Is the port at which the connection was taken one of those wanted? */
static bool port_counts(const struct pl_capture_merge *m, const struct pl_tcp_flow *f)
{
	const uint16_t port = f->is_client ? f->dst_port : f->src_port;
	const uint16_t other = f->is_client ? f->src_port : f->dst_port;

	/* where both ends began it at once, neither accepted */
	if (f->is_client != f->is_server)
		return pl_port_list_has(m->ports, port) && !pl_port_list_has(m->not_ports, port);
	return (pl_port_list_has(m->ports, port) || pl_port_list_has(m->ports, other)) &&
	       !pl_port_list_has(m->not_ports, port) && !pl_port_list_has(m->not_ports, other);
}

static int take_flow(struct sights *sights, const struct pl_capture_merge *m, size_t trace,
		     const struct pl_tcp_flow *f, struct pl_merge_sums *sums)
{
	const size_t src = pl_who_find(m->who, &f->src);
	const size_t dst = pl_who_find(m->who, &f->dst);

	if (!f->stream.next || src == dst)
		return 0;
	if (src == PL_NOBODY || dst == PL_NOBODY) {
		sums->stranger_bytes += f->stream.next;
		return 0;
	}
	if (!port_counts(m, f)) {
		sums->other_ports_bytes += f->stream.next;
		return 0;
	}
	if (pl_array_grow((void **)&sights->v, &sights->room, sights->n, sizeof(*sights->v)))
		return -1;
	sights->v[sights->n++] = (struct sight){(uint32_t)src, (uint32_t)dst, f, trace, 0};
	return 0;
}

static int take_trace(struct sights *sights, const struct pl_capture_merge *m, size_t i,
		      struct pl_merge_sums *sums)
{
	const struct pl_trace *t = &m->trace[i];

	sums->packets += t->n_packets;
	sums->cut_packets += t->n_cut;
	sums->fragments += t->n_fragments;
	for (size_t k = 0; k < t->n_flows; k++)
		if (take_flow(sights, m, i, &t->flow[k], sums))
			return -1;
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_direction(const struct sight *x, const struct sight *y)
{
	const struct pl_tcp_flow *f = x->flow, *g = y->flow;
	int rc = compare(x->src, y->src);

	rc = rc ? rc : compare(x->dst, y->dst);
	rc = rc ? rc : memcmp(&f->src, &g->src, sizeof(f->src));
	rc = rc ? rc : memcmp(&f->dst, &g->dst, sizeof(f->dst));
	rc = rc ? rc : compare(f->src_port, g->src_port);
	rc = rc ? rc : compare(f->dst_port, g->dst_port);
	rc = rc ? rc : compare(f->stream.has_syn, g->stream.has_syn);
	if (!rc && f->stream.has_syn)
		rc = compare(f->stream.base, g->stream.base);
	return rc;
}

/* Within a direction trace by trace, each in the order it was captured. */
static int by_trace(const void *a, const void *b)
{
	const struct sight *x = a, *y = b;
	int rc = by_direction(x, y);

	rc = rc ? rc : compare(x->trace, y->trace);
	return rc ? rc : (x->flow > y->flow) - (x->flow < y->flow);
}

/* Two captures of one direction of the same connection stand side by side. */
static int by_connection(const void *a, const void *b)
{
	const struct sight *x = a, *y = b;
	int rc = by_direction(x, y);

	rc = rc ? rc : compare(x->nth, y->nth);
	return rc ? rc : compare(x->trace, y->trace);
}

static void sort(struct sights *s)
{
	if (s->n == 0)
		return;
	qsort(s->v, s->n, sizeof(*s->v), by_trace);
	for (size_t i = 1; i < s->n; i++)
		if (s->v[i].trace == s->v[i - 1].trace && by_direction(&s->v[i], &s->v[i - 1]) == 0)
			s->v[i].nth = s->v[i - 1].nth + 1;
	qsort(s->v, s->n, sizeof(*s->v), by_connection);
}

static bool is_same(const struct sight *x, const struct sight *y)
{
	const struct pl_tcp_flow *f = x->flow, *g = y->flow;

	return x->src == y->src && x->dst == y->dst &&
	       memcmp(&f->src, &g->src, sizeof(f->src)) == 0 &&
	       memcmp(&f->dst, &g->dst, sizeof(f->dst)) == 0 && f->src_port == g->src_port &&
	       f->dst_port == g->dst_port && x->nth == y->nth &&
	       (!f->stream.has_syn || !g->stream.has_syn || f->stream.base == g->stream.base);
}

/* Does the sight behind n others show the same direction of the same connection? A capture shows it
 * once; again, it is another connection. */
static bool belongs(const struct sight *s, size_t n)
{
	if (!is_same(&s[n - 1], &s[n]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (s[i].trace == s[n].trace)
			return false;
	return true;
}

/* The steps of a stream; they are summed up later. */
static int add_steps(struct pl_line_of_time *line, const struct sight *s)
{
	const struct pl_tcp_stream *stream = &s->flow->stream;
	uint64_t before = 0;

	line->trace = s->trace;
	for (size_t i = 0; i < stream->n_points; i++) {
		if (pl_array_grow((void **)&line->point, &line->room, line->n,
				  sizeof(*line->point)))
			return -1;
		line->point[line->n++] =
			(struct pl_point){stream->point[i].ns, stream->point[i].bytes - before};
		before = stream->point[i].bytes;
	}
	return 0;
}

/* Among n sights of one direction, that of the capture the node owns. */
static const struct sight *own(const struct pl_capture_merge *m, const struct sight *s, size_t n,
			       size_t node)
{
	for (size_t i = 0; i < n; i++)
		if (m->trace[s[i].trace].owner == node)
			return &s[i];
	return s;
}

static int take_direction(struct pl_audit_pairs *pairs, const struct pl_capture_merge *m,
			  const struct sight *s, size_t n, struct pl_merge_sums *sums)
{
	struct pl_audit_pair *pair = pl_pairs_get(pairs, s->src, s->dst);
	uint64_t bytes = 0, lost = UINT64_MAX, again = 0;
	bool begun = false;

	if (!pair)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct pl_tcp_stream *stream = &s[i].flow->stream;

		bytes = stream->next > bytes ? stream->next : bytes;
		lost = stream->lost_bytes < lost ? stream->lost_bytes : lost;
		again = stream->again_bytes > again ? stream->again_bytes : again;
		begun |= stream->has_syn;
		if (i == 0 && s->flow->is_client)
			pair->begin_bytes += m->wire->client_bytes;
		if (i == 0 && s->flow->is_server)
			pair->begin_bytes += m->wire->server_bytes;
	}
	pair->seen_bytes += bytes;
	sums->lost_bytes += lost;
	sums->again_bytes += again;
	sums->connections++;
	sums->unbegun += !begun;
	if (!m->times)
		return 0;
	return add_steps(&pair->left, own(m, s, n, s->src)) ||
	       add_steps(&pair->arrived, own(m, s, n, s->dst));
}

static int by_time(const void *a, const void *b)
{
	const struct pl_point *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static void sum_up(struct pl_line_of_time *line)
{
	if (line->n)
		qsort(line->point, line->n, sizeof(*line->point), by_time);
	for (size_t i = 1; i < line->n; i++)
		line->point[i].bytes += line->point[i - 1].bytes;
}

int pl_merge_traces(struct pl_audit_pairs *pairs, const struct pl_capture_merge *merge,
		    struct pl_merge_sums *sums, struct pl_err *err)
{
	struct sights sights = {0};
	size_t n = 0;
	int rc = 0;

	memset(sums, 0, sizeof(*sums));
	if (pl_owners_find(merge->trace, merge->n_traces, merge->who))
		return pl_err_nomem(err);
	for (size_t i = 0; !rc && i < merge->n_traces; i++)
		rc = take_trace(&sights, merge, i, sums);
	sort(&sights);
	for (size_t i = 0; !rc && i < sights.n; i += n) {
		for (n = 1; i + n < sights.n; n++)
			if (!belongs(&sights.v[i], n))
				break;
		rc = take_direction(pairs, merge, &sights.v[i], n, sums);
	}
	free(sights.v);
	for (size_t i = 0; !rc && i < pairs->n; i++) {
		sum_up(&pairs->v[i].left);
		sum_up(&pairs->v[i].arrived);
	}
	if (!rc)
		rc = pl_owners_unseen(pairs, merge->trace, merge->n_traces, merge->n_nodes);
	return rc ? pl_err_nomem(err) : 0;
}
