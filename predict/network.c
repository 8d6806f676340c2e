/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what a matrix tells of the network between hosts */
#include "config.h"

#include "predict/network.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is no measurement, and would end in sums that are infinite or lose what is small: beyond
 * days, and below a byte a second. */
#define SECONDS_MAX 1e6
#define BYTES_PER_S_MIN 1.0

/* One way. A round trip of a small UDP packet from host to host took 47 us over cards and a switch
 * of 10 Gbit/s as they come (Majkowski, How to achieve low latency with 10Gbps Ethernet, 2015). */
#define NEAR_S 25e-6

/* @why, of the pair in that cell. */
static int bad_cell(const struct pl_matrix *m, size_t cell, const char *why, struct pl_err *err)
{
	return pl_err_set(err, PL_EINPUT, "%s from %s to %s", why,
			  m->hosts.v[cell / m->hosts.n].name, m->hosts.v[cell % m->hosts.n].name);
}

static int take_latencies(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	const struct pl_layer *layer = &m->layer[0];
	const double scale = pl_unit_ns(layer->unit) * 1e-9 * (layer->quantity == PL_RTT ? 0.5 : 1);

	if (layer->quantity != PL_RTT && layer->quantity != PL_ONE_WAY)
		return pl_err_set(
			err, PL_EINPUT,
			"a matrix of %s has no times: a matrix of rtt or one-way is needed",
			pl_quantity_name(layer->quantity));
	net->latency_s = pl_array_create(net->n * net->n, sizeof(double));
	if (!net->latency_s)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n * net->n; i++) {
		const double cell = layer->cell[i];

		if (!(cell >= 0))
			return bad_cell(m, i, "missing or negative time", err);
		net->latency_s[i] = cell * scale;
		if (net->latency_s[i] > SECONDS_MAX)
			return bad_cell(m, i, "more than a million seconds", err);
	}
	return 0;
}

/* Pairs whose rate is missing or 0 have none of their own. */
static int take_rates(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	const struct pl_layer *layer = pl_matrix_bandwidths(m, NULL);

	if (!layer)
		return 0;
	net->bytes_per_s = pl_array_create(net->n * net->n, sizeof(double));
	if (!net->bytes_per_s)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n * net->n; i++) {
		const double cell = layer->cell[i];

		if (cell > 0 && cell < BYTES_PER_S_MIN)
			return bad_cell(m, i, "less than a byte a second", err);
		net->bytes_per_s[i] = cell > 0 ? cell : INFINITY;
	}
	return 0;
}

enum pl_congestion pl_network_congestion(const char *name)
{
	return strcmp(name, "bbr") == 0 ? PL_CONGESTION_BBR : PL_CONGESTION_WINDOW;
}

/* What the hosts' connections find their pace by: one name, however often. */
int pl_network_find_congestion(enum pl_congestion *congestion, const struct pl_matrix *m,
			       struct pl_err *err)
{
	const char *known = NULL;

	for (size_t i = 0; i < m->n_headers; i++) {
		const struct pl_header *line = &m->header[i];

		if (strcmp(line->key, "tcp") != 0)
			continue;
		if (!*line->value || strpbrk(line->value, " \t"))
			return pl_err_at(err, pl_header_place(m, line),
					 "\"# tcp %s\": exactly one name must follow", line->value);
		if (known && strcmp(known, line->value) != 0)
			return pl_err_at(err, pl_header_place(m, line),
					 "\"# tcp %s\": another line says %s", line->value, known);
		known = line->value;
		*congestion = pl_network_congestion(known);
	}
	return 0;
}

/* The uplinks that failed flows took. */
static int take_failed(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	const size_t n_groups = net->tiers.n_groups;
	struct pl_tiers_way way = {0};
	int rc = 0;

	if (n_groups == 0 || !pl_tiers_flows_failed(m))
		return 0;
	net->failed = pl_array_create(n_groups, sizeof(*net->failed));
	way.leave = pl_array_create(n_groups, sizeof(*way.leave));
	way.enter = pl_array_create(n_groups, sizeof(*way.enter));
	if (!net->failed || !way.leave || !way.enter)
		rc = pl_err_nomem(err);
	for (size_t k = 0; rc == 0 && k < m->n_notes; k++) {
		if (!pl_tiers_flow_failed(&m->note[k]))
			continue;
		pl_tiers_cross(&net->tiers, m->note[k].src, m->note[k].dst, &way);
		for (size_t i = 0; i < way.n_leave; i++)
			net->failed[way.leave[i]] = true;
		for (size_t i = 0; i < way.n_enter; i++)
			net->failed[way.enter[i]] = true;
	}
	free(way.leave);
	free(way.enter);
	return rc;
}

static bool is_shared(const struct pl_message_cost *cost)
{
	return cost->share < 0.5;
}

/* Hosts that have less than half of a processor share it with one another: how it was divided while
 * they were measured is chance. All of them get the medians. */
static int even_out(struct pl_message_cost *cost, size_t n, struct pl_err *err)
{
	static const size_t field[] = {offsetof(struct pl_message_cost, send_s),
				       offsetof(struct pl_message_cost, recv_s),
				       offsetof(struct pl_message_cost, wake_s),
				       offsetof(struct pl_message_cost, spread_s),
				       offsetof(struct pl_message_cost, share)};
	struct pl_message_cost median = {0};
	double *v = pl_array_create(n, sizeof(*v));
	size_t n_shared = 0;

	if (!v)
		return pl_err_nomem(err);
	for (size_t f = 0; f < sizeof(field) / sizeof(*field); f++) {
		n_shared = 0;
		for (size_t h = 0; h < n; h++)
			if (is_shared(&cost[h]))
				memcpy(&v[n_shared++], (char *)&cost[h] + field[f], sizeof(*v));
		pl_sort_doubles(v, n_shared);
		memcpy((char *)&median + field[f], &v[n_shared / 2], sizeof(*v));
	}
	for (size_t h = 0; h < n; h++)
		if (is_shared(&cost[h])) {
			median.cores = cost[h].cores;
			cost[h] = median;
		}
	free(v);
	return 0;
}

/* Latencies without what the two hosts spent on the messages that measured them: all that a message
 * of MPI costs, or what a packet to itself takes. */
static void subtract_costs(struct pl_network *net, const struct pl_matrix *m)
{
	const bool by_mpi = m->method && !strcmp(m->method, "mpi");

	for (size_t i = 0; i < net->n * net->n; i++) {
		const struct pl_message_cost *a = &net->cost[i / net->n];
		const struct pl_message_cost *b = &net->cost[i % net->n];
		const double in_it_s =
			by_mpi ? a->send_s + b->recv_s : (a->probe_s + b->probe_s) / 2;

		net->latency_s[i] = fmax(net->latency_s[i] - in_it_s, 0);
	}
}

static int take_costs(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	net->cost = pl_array_create(net->n, sizeof(*net->cost));
	if (!net->cost)
		return pl_err_nomem(err);
	if (pl_message_costs_read(net->cost, m, err) || even_out(net->cost, net->n, err))
		return -1;
	subtract_costs(net, m);
	return 0;
}

int pl_network_init(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	memset(net, 0, sizeof(*net));
	net->n = m->hosts.n;
	if (take_latencies(net, m, err) || take_rates(net, m, err) ||
	    pl_tiers_read(&net->tiers, m, err) || take_failed(net, m, err) ||
	    take_costs(net, m, err) || pl_network_find_congestion(&net->congestion, m, err)) {
		pl_network_fini(net);
		return -1;
	}
	return 0;
}

int pl_network_set_rates(struct pl_network *net, double card_bps, double uplink_bps,
			 struct pl_err *err)
{
	if (uplink_bps > 0 && net->tiers.n_groups == 0)
		return pl_err_set(err, PL_EINPUT,
				  "uplinks have a rate, but the matrix names no racks (\"# rack "
				  "HOST NUMBER\")");
	if (card_bps > 0)
		pl_tiers_set_cards(&net->tiers, card_bps);
	if (uplink_bps > 0)
		pl_tiers_set_uplinks(&net->tiers, uplink_bps);
	return 0;
}

/* Do all pairs of the host have a rate of their own? */
static bool has_pair_rates(const struct pl_network *net, size_t host)
{
	for (size_t i = 0; net->bytes_per_s && i < net->n; i++)
		if (i != host && (isinf(net->bytes_per_s[host * net->n + i]) ||
				  isinf(net->bytes_per_s[i * net->n + host])))
			return false;
	return net->bytes_per_s != NULL;
}

static bool suppose_rate(struct pl_link_rate *rate, double bps)
{
	const bool all = rate->out_bps > 0 && rate->in_bps > 0;

	if (!(rate->out_bps > 0))
		rate->out_bps = bps;
	if (!(rate->in_bps > 0))
		rate->in_bps = bps;
	return !all;
}

/* Did flows of hosts behind the group's uplink show their cards' rates? */
static bool has_flowed(const struct pl_tiers *t, size_t group)
{
	for (size_t h = 0; h < t->n; h++) {
		size_t g = t->rack[h];

		while (g != group && g != PL_NO_GROUP)
			g = t->within[g];
		if (g == group && (t->card[h].out_bps > 0 || t->card[h].in_bps > 0))
			return true;
	}
	return false;
}

double pl_network_least_bps(const struct pl_network *net)
{
	for (size_t i = 0; i < net->n * net->n; i++)
		if (net->latency_s[i] > NEAR_S)
			return 1e9;
	return 1e10;
}

bool pl_network_suppose(struct pl_network *net, double bps)
{
	struct pl_tiers *t = &net->tiers;
	bool any = false;

	for (size_t g = 0; g < t->n_groups; g++) {
		const bool passed = has_flowed(t, g) && !(net->failed && net->failed[g]);

		if (!passed && !net->bytes_per_s)
			any |= suppose_rate(&t->uplink[g], bps);
	}
	for (size_t h = 0; h < t->n; h++)
		if (!has_pair_rates(net, h))
			any |= suppose_rate(&t->card[h], bps);
	return any;
}

void pl_network_fini(struct pl_network *net)
{
	free(net->latency_s);
	free(net->failed);
	free(net->bytes_per_s);
	free(net->cost);
	pl_tiers_fini(&net->tiers);
	memset(net, 0, sizeof(*net));
}
