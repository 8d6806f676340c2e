/* SPDX-License-Identifier: BSD-3-Clause */
/* looks.c - flows from one host to another, repeated where segments were
 * lost */
#include "config.h"

#include "probes/bandwidth/looks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define APART_ALONE 0.05
#define APART_TOGETHER 0.25
#define LOST_SHARE 0.005
#define LOST_LEAST 10
/* the usual payload of an Ethernet frame */
#define SEGMENT_BYTES 1448

void pl_looks_add(struct pl_looks *looks, const struct pl_way *way)
{
	looks->src = way->src;
	looks->dst = way->dst;
	looks->tried = true;
	if (way->state == PL_WAY_DONE)
		looks->v[looks->n++] = way->flow;
	else
		memcpy(looks->why, way->why, sizeof(looks->why));
}

static bool is_share(uint64_t resent, uint64_t bytes)
{
	return (double)resent * SEGMENT_BYTES >= LOST_SHARE * (double)bytes;
}

bool pl_looks_lossy(const struct pl_flow_figures *flow)
{
	return flow->resent >= LOST_LEAST && is_share(flow->resent, flow->bytes);
}

int pl_looks_run(struct pl_looks *looks, struct pl_coordinator *c, size_t round, struct pl_way *way,
		 size_t n, const struct pl_flow_ask *ask, bool *lossy, struct pl_err *err)
{
	*lossy = false;
	if (pl_transfer(c, round, way, n, ask, err))
		return -1;
	for (size_t k = 0; k < n; k++) {
		pl_looks_add(&looks[way[k].src], &way[k]);
		*lossy |= way[k].state == PL_WAY_DONE && pl_looks_lossy(&way[k].flow);
	}
	return 0;
}

/* Looks by rate, the slowest first. */
static void sort(const struct pl_looks *looks, const struct pl_flow_figures *by[PL_LOOKS])
{
	for (size_t i = 0; i < looks->n; i++) {
		size_t k = i;

		for (; k > 0 && looks->v[i].bytes_per_s < by[k - 1]->bytes_per_s; k--)
			by[k] = by[k - 1];
		by[k] = &looks->v[i];
	}
}

const struct pl_flow_figures *pl_looks_best(const struct pl_looks *looks,
					    enum pl_bandwidth_way kind)
{
	const struct pl_flow_figures *by[PL_LOOKS];

	sort(looks, by);
	return by[kind == PL_BANDWIDTH_ALONE ? looks->n - 1 : (looks->n - 1) / 2];
}

static double apart(const struct pl_flow_figures *low, const struct pl_flow_figures *high)
{
	return (double)(high->bytes_per_s - low->bytes_per_s);
}

bool pl_looks_doubt(const struct pl_looks *looks, enum pl_bandwidth_way kind,
		    char text[PL_LOOKS_TEXT])
{
	const size_t n = looks->n;
	const struct pl_flow_figures *by[PL_LOOKS] = {0};
	const double best = (double)pl_looks_best(looks, kind)->bytes_per_s;
	uint64_t bytes = 0, resent = 0;
	bool doubt;

	sort(looks, by);
	for (size_t k = 0; k < n; k++) {
		bytes += looks->v[k].bytes;
		resent += looks->v[k].resent;
	}
	if (kind == PL_BANDWIDTH_ALONE)
		doubt = n == PL_LOOKS && apart(by[n - 2], by[n - 1]) >= APART_ALONE * best;
	else
		doubt = (n > 1 && apart(by[0], by[n - 1]) >= APART_TOGETHER * best) ||
			(resent >= LOST_LEAST && is_share(resent, bytes));
	if (!doubt)
		return false;
	snprintf(text, PL_LOOKS_TEXT,
		 PL_LOOKS_DOUBT "%zu looks gave %" PRIu64 " to %" PRIu64
				" bytes per second, %" PRIu64
				" segments sent again: losses determined the rate",
		 n, by[0]->bytes_per_s, by[n - 1]->bytes_per_s, resent);
	return true;
}
