/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - what a matrix tells of the network between hosts */
#include "config.h"

#include "predict/network.h"

#include "src/mem.h"
#include "src/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is no measurement, and would end in sums that are infinite or lose what is
 * small: beyond days, and below a byte a second. */
#define SECONDS_MAX 1e6
#define BYTES_PER_S_MIN 1.0

/* @why, of the pair in that cell. */
static int bad_cell(const struct pl_matrix *m, size_t cell, const char *why,
		    struct pl_err *err)
{
	return pl_err_set(err, PL_EINPUT, "%s from %s to %s", why,
			  m->hosts.v[cell / m->hosts.n].name,
			  m->hosts.v[cell % m->hosts.n].name);
}

static int take_latencies(struct pl_network *net, const struct pl_matrix *m,
			  struct pl_err *err)
{
	const struct pl_layer *layer = &m->layer[0];
	const double scale = pl_unit_ns(layer->unit) * 1e-9 *
			     (layer->quantity == PL_RTT ? 0.5 : 1);

	if (layer->quantity != PL_RTT && layer->quantity != PL_ONE_WAY)
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %s says no times: rtt or "
				  "one-way is needed",
				  pl_quantity_name(layer->quantity));
	net->latency_s = pl_array_create(net->n * net->n, sizeof(double));
	if (!net->latency_s)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n * net->n; i++) {
		const double cell = layer->cell[i];

		if (!(cell >= 0))
			return bad_cell(m, i, "no time", err);
		net->latency_s[i] = cell * scale;
		if (net->latency_s[i] > SECONDS_MAX)
			return bad_cell(m, i, "more than a million seconds",
					err);
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
	for (size_t i = 0; i < net->n * net->n; i++) {
		const double cell = layer->cell[i];

		if (cell > 0 && cell < BYTES_PER_S_MIN)
			return bad_cell(m, i, "less than a byte a second", err);
		net->bytes_per_s[i] = cell > 0 ? cell : INFINITY;
	}
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
	if (net->rack[host] != SIZE_MAX && net->rack[host] != (size_t)rack)
		return pl_err_set(err, PL_EINPUT, "two racks for host %s",
				  m->hosts.v[host].name);
	net->rack[host] = (size_t)rack;
	if (net->n_racks <= (size_t)rack)
		net->n_racks = (size_t)rack + 1;
	return 0;
}

/* Numbers without those of racks that hold no host here. */
static int number_racks(struct pl_network *net, struct pl_err *err)
{
	size_t *number = pl_array_create(net->n_racks, sizeof(*number));
	size_t n = 0;

	if (!number)
		return pl_err_nomem(err);
	for (size_t i = 0; i < net->n; i++)
		number[net->rack[i]] = 1;
	for (size_t r = 0; r < net->n_racks; r++)
		number[r] = number[r] ? n++ : 0;
	for (size_t i = 0; i < net->n; i++)
		net->rack[i] = number[net->rack[i]];
	net->n_racks = n;
	free(number);
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
			return pl_err_set(err, PL_EINPUT,
					  "no rack for host %s: \"# rack %s "
					  "NUMBER\" is wanted",
					  m->hosts.v[i].name,
					  m->hosts.v[i].name);
	return number_racks(net, err);
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
