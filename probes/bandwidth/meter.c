/* SPDX-License-Identifier: BSD-3-Clause */
/* meter.c - the rate of bytes that arrive, when TCP has found it */
#include "config.h"

#include "probes/bandwidth/meter.h"

#include <math.h>
#include <string.h>

#define LEAST_WINDOWS 16 /* of a flow that has all of its time */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void pl_meter_init(struct pl_meter *m, int64_t limit_ns, int64_t rtt_ns)
{
	int64_t window = larger(PL_METER_WINDOW_NS, 2 * rtt_ns);

	if (window > limit_ns / LEAST_WINDOWS)
		window = limit_ns / LEAST_WINDOWS;
	memset(m, 0, sizeof(*m));
	m->window_ns = larger(window, limit_ns / (PL_METER_MARKS - 1) + 1);
}

void pl_meter_add(struct pl_meter *m, int64_t now_ns, uint64_t bytes)
{
	m->bytes += bytes;
	m->last_ns = now_ns;
	if (m->n == PL_METER_MARKS)
		return; /* beyond the time of a flow: init() made room for all
			 * windows of it */
	if (m->n == 0 || now_ns - m->mark[m->n - 1].at_ns >= m->window_ns)
		m->mark[m->n++] = (struct pl_mark){now_ns, m->bytes};
}

int64_t pl_meter_elapsed(const struct pl_meter *m)
{
	return m->n > 0 ? m->last_ns - m->mark[0].at_ns : 0;
}

static double rate(const struct pl_mark *from, const struct pl_mark *to)
{
	const double ns = (double)(to->at_ns - from->at_ns);

	return ns > 0 ? (double)(to->bytes - from->bytes) * 1e9 / ns : 0;
}

bool pl_meter_is_settled(const struct pl_meter *m, double share)
{
	const struct pl_mark *last;
	double before, after;

	if (m->n < PL_METER_LEAST + 1)
		return false;
	last = &m->mark[m->n - 1];
	before = rate(last - PL_METER_SETTLED, last - PL_METER_SETTLED / 2);
	after = rate(last - PL_METER_SETTLED / 2, last);
	return fabs(after - before) <= share * fmax(after, before);
}

double pl_meter_settled_rate(const struct pl_meter *m)
{
	const struct pl_mark *last;

	if (m->n < PL_METER_SETTLED + 1)
		return 0;
	last = &m->mark[m->n - 1];
	return rate(last - PL_METER_SETTLED, last);
}

double pl_meter_rate(const struct pl_meter *m, double from, double to)
{
	const double span = (double)pl_meter_elapsed(m);
	size_t first, last;

	if (m->n == 0)
		return 0;
	for (first = 0; first < m->n; first++)
		if ((double)(m->mark[first].at_ns - m->mark[0].at_ns) >= from * span)
			break;
	for (last = m->n; last > 0; last--)
		if ((double)(m->mark[last - 1].at_ns - m->mark[0].at_ns) <= to * span)
			break;
	if (last >= first + 2)
		return rate(&m->mark[first], &m->mark[last - 1]);
	return rate(&m->mark[0], &(struct pl_mark){m->last_ns, m->bytes});
}

/* The number of bytes that had arrived by then. */
static double bytes_at(const struct pl_meter *m, int64_t at_ns)
{
	const struct pl_mark end = {m->last_ns, m->bytes};
	const struct pl_mark *from = NULL, *to = &end;

	for (size_t k = 0; k < m->n && m->mark[k].at_ns <= at_ns; k++)
		from = &m->mark[k];
	if (!from)
		return 0;
	if (from + 1 < m->mark + m->n)
		to = from + 1;
	if (to->at_ns <= at_ns)
		return (double)to->bytes;
	return (double)from->bytes + rate(from, to) * (double)(at_ns - from->at_ns) / 1e9;
}

double pl_meter_between(const struct pl_meter *m, int64_t from_ns, int64_t to_ns)
{
	return (bytes_at(m, to_ns) - bytes_at(m, from_ns)) * 1e9 / (double)(to_ns - from_ns);
}
