/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what a matrix tells of the network between hosts */
#include "config.h"

#include "predict/network.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is no measurement, and would end in sums that are infinite or lose what
 * is small: beyond days, and below a byte a second. */
#define SECONDS_MAX 1e6
#define BYTES_PER_S_MIN 1.0

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
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %s has no times: a matrix of "
				  "rtt or one-way is needed",
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

int pl_network_init(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err)
{
	memset(net, 0, sizeof(*net));
	net->n = m->hosts.n;
	if (take_latencies(net, m, err) || take_rates(net, m, err) ||
	    pl_tiers_read(&net->tiers, m, err) ||
	    pl_network_find_congestion(&net->congestion, m, err)) {
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
				  "uplinks have a rate, but the matrix names "
				  "no racks (\"# rack HOST NUMBER\")");
	if (card_bps > 0)
		pl_tiers_set_cards(&net->tiers, card_bps);
	if (uplink_bps > 0)
		pl_tiers_set_uplinks(&net->tiers, uplink_bps);
	return 0;
}

void pl_network_fini(struct pl_network *net)
{
	free(net->latency_s);
	free(net->bytes_per_s);
	pl_tiers_fini(&net->tiers);
	memset(net, 0, sizeof(*net));
}
