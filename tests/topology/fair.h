/* SPDX-License-Identifier: BSD-3-Clause */
/* fair.h - rates of flows in a made-up network: max-min fair shares */
#ifndef PLINK_TESTS_TOPOLOGY_FAIR_H
#define PLINK_TESTS_TOPOLOGY_FAIR_H

#include "base/matrix/tiers.h"
#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fair_net {
	const struct pl_tiers *t; /* a rate of 0 is no limit */
	double flow_bps;          /* of a single flow between racks; 0: none */
	double noise;             /* share of a rate, either way */
	struct pl_rng *rng;
	size_t n_lost, lost; /* if n_lost is 1, the host @lost is missing */
};

struct fair_flow {
	size_t src, dst;
	double bytes_per_s; /* out */
};

/* Lists the links that flow @k passes: cards out and in, then uplinks out and in; then a limit of
 * its own. */
static size_t fair_path(const struct fair_net *net, size_t k, const struct fair_flow *flow,
			size_t *path)
{
	const struct pl_tiers *t = net->t;
	size_t *leave = calloc(t->n_groups + 1, sizeof(*leave));
	size_t *enter = calloc(t->n_groups + 1, sizeof(*enter));
	struct pl_tiers_way way = {.leave = leave, .enter = enter};
	size_t n = 0;

	path[n++] = 2 * flow->src;
	path[n++] = 2 * flow->dst + 1;
	pl_tiers_cross(t, flow->src, flow->dst, &way);
	for (size_t i = 0; i < way.n_leave; i++)
		path[n++] = 2 * (t->n + way.leave[i]);
	for (size_t i = 0; i < way.n_enter; i++)
		path[n++] = 2 * (t->n + way.enter[i]) + 1;
	if (way.n_leave > 0)
		path[n++] = 2 * (t->n + t->n_groups) + k;
	free(leave);
	free(enter);
	return n;
}

static double fair_limit(const struct fair_net *net, size_t link)
{
	const struct pl_tiers *t = net->t;
	const struct pl_link_rate *rate;
	double bps;

	if (link >= 2 * (t->n + t->n_groups))
		return net->flow_bps > 0 ? net->flow_bps : INFINITY;
	rate = link < 2 * t->n ? &t->card[link / 2] : &t->uplink[link / 2 - t->n];
	bps = link % 2 ? rate->in_bps : rate->out_bps;
	return bps > 0 ? bps : INFINITY;
}

/* Computes bytes_per_s of each flow: again and again takes the link with the smallest share for
 * each of its flows, and gives them that share. */
static void fair_share(const struct fair_net *net, struct fair_flow *flow, size_t n)
{
	const struct pl_tiers *t = net->t;
	const size_t n_links = 2 * (t->n + t->n_groups) + n;
	const size_t room = 2 * t->n_groups + 3;
	double *left = calloc(n_links, sizeof(*left));
	size_t *users = calloc(n_links, sizeof(*users));
	size_t *path = calloc(n * room + 1, sizeof(*path));
	size_t *len = calloc(n + 1, sizeof(*len));
	size_t open = n;

	for (size_t l = 0; l < n_links; l++)
		left[l] = fair_limit(net, l);
	for (size_t k = 0; k < n; k++) {
		flow[k].bytes_per_s = 0;
		len[k] = fair_path(net, k, &flow[k], path + k * room);
		for (size_t i = 0; i < len[k]; i++)
			users[path[k * room + i]]++;
	}
	while (open > 0) {
		size_t tight = n_links;
		double share = INFINITY;

		for (size_t l = 0; l < n_links; l++)
			if (users[l] > 0 && left[l] / (double)users[l] < share) {
				share = left[l] / (double)users[l];
				tight = l;
			}
		if (tight == n_links)
			abort(); /* a card has a rate in every test */
		for (size_t k = 0; k < n; k++) {
			const size_t *on = path + k * room;
			bool hit = false;

			for (size_t i = 0; i < len[k]; i++)
				hit = hit || on[i] == tight;
			if (!hit || flow[k].bytes_per_s > 0)
				continue;
			flow[k].bytes_per_s = share;
			open--;
			for (size_t i = 0; i < len[k]; i++) {
				users[on[i]]--;
				left[on[i]] -= share;
			}
		}
	}
	for (size_t k = 0; k < n; k++) {
		const double off =
			net->noise > 0 ? net->noise * (2 * pl_rng_double(net->rng) - 1) : 0;

		flow[k].bytes_per_s *= PL_TIERS_TCP_SHARE / 8 * (1 + off);
	}
	free(left);
	free(users);
	free(path);
	free(len);
}

#endif
