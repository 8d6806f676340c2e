/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what a matrix tells of the network between hosts */
#include "config.h"

#include "predict/network.h"

#include "src/mem.h"
#include "src/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int take_latencies(struct pl_network *net, const struct pl_matrix *m,
			  struct pl_err *err)
{
	const struct pl_layer *layer = &m->layer[0];
	const double scale = pl_unit_ns(layer->unit) * 1e-9 *
			     (layer->quantity == PL_RTT ? 0.5 : 1);

	if (layer->quantity != PL_RTT && layer->quantity != PL_ONE_WAY)
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %s says no times",
				  pl_quantity_name(layer->quantity));
	net->latency_s = pl_array_create(net->n * net->n, sizeof(double));
	if (!net->latency_s)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n * net->n; i++) {
		const double cell = layer->cell[i];

		if (!(cell >= 0))
			return pl_err_set(err, PL_EINPUT,
					  "no time from %s to %s",
					  m->hosts.v[i / net->n].name,
					  m->hosts.v[i % net->n].name);
		net->latency_s[i] = cell * scale;
	}
	return 0;
}

/* Pairs whose rate is missing or 0 have none of their own. */
static int take_rates(struct pl_network *net, const struct pl_matrix *m,
		      struct pl_err *err)
{
	const struct pl_layer *layer = NULL;

	for (size_t k = 1; k < m->n_layers && !layer; k++)
		if (m->layer[k].quantity == PL_BANDWIDTH)
			layer = &m->layer[k];
	if (!layer)
		return 0;
	net->bytes_per_s = pl_array_create(net->n * net->n, sizeof(double));
	if (!net->bytes_per_s)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n * net->n; i++)
		net->bytes_per_s[i] =
			layer->cell[i] > 0 ? layer->cell[i] : INFINITY;
	return 0;
}

/* "HOST NUMBER" */
static int take_rack(struct pl_network *net, const struct pl_matrix *m,
		     const char *value, struct pl_err *err)
{
	const size_t len = strcspn(value, " \t");
	const char *number = value + len + strspn(value + len, " \t");
	char *name = pl_string_copy(value, len);
	ptrdiff_t host;
	int64_t rack;

	if (!name)
		return pl_err_nomem(err);
	host = pl_hosts_find(&m->hosts, name);
	free(name);
	if (host < 0 || pl_int_parse(number, strlen(number), 0,
				     PL_MATRIX_HOSTS_MAX - 1, &rack))
		return pl_err_set(err, PL_EINPUT,
				  "\"# rack %s\" is not a host and a number",
				  value);
	net->rack[host] = (size_t)rack;
	if (net->n_racks <= (size_t)rack)
		net->n_racks = (size_t)rack + 1;
	return 0;
}

static int take_racks(struct pl_network *net, const struct pl_matrix *m,
		      struct pl_err *err)
{
	net->rack = pl_array_create(net->n, sizeof(*net->rack));
	if (!net->rack)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n; i++)
		net->rack[i] = SIZE_MAX;
	for (size_t i = 0; i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, "rack") &&
		    take_rack(net, m, m->header[i].value, err))
			return -1;
	if (net->n_racks == 0) {
		free(net->rack);
		net->rack = NULL;
		return 0;
	}
	for (size_t i = 0; i < net->n; i++)
		if (net->rack[i] == SIZE_MAX)
			return pl_err_set(err, PL_EINPUT, "no rack for host %s",
					  m->hosts.v[i].name);
	return 0;
}

int pl_network_init(struct pl_network *net, const struct pl_matrix *m,
		    struct pl_err *err)
{
	memset(net, 0, sizeof(*net));
	net->n = m->hosts.n;
	if (take_latencies(net, m, err) || take_rates(net, m, err) ||
	    take_racks(net, m, err)) {
		pl_network_fini(net);
		return -1;
	}
	return 0;
}

void pl_network_fini(struct pl_network *net)
{
	free(net->latency_s);
	free(net->bytes_per_s);
	free(net->rack);
	memset(net, 0, sizeof(*net));
}
