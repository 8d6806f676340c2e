/* SPDX-License-Identifier: BSD-3-Clause */
/* net.c - networks as programs see them: a matrix */
#include "config.h"

#include "lib/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct pl_net *wrap(struct pl_matrix *m, struct pl_error *error)
{
	struct pl_net *net = m ? malloc(sizeof(*net)) : NULL;

	if (net)
		net->m = m;
	else
		pl_matrix_destroy(m);
	if (m && !net)
		pl_lib_nomem(error);
	return net;
}

struct pl_net *pl_net_read(const char *path, struct pl_error *error)
{
	const struct pl_matrix_options options = {.unit = PL_NS};
	struct pl_err err;
	struct pl_matrix *m = pl_matrix_read(path, &options, &err);

	if (!m)
		pl_lib_fail(error, &err);
	return wrap(m, error);
}

static int add_host(struct pl_hosts *hosts, const char *name, struct pl_error *error)
{
	struct pl_host host = {.slots = 1};
	const size_t len = strlen(name);
	size_t at;
	const char *fault =
		len > PL_HOST_NAME_MAX ? "it is too long" : pl_host_name_fault(name, len, &at);

	if (fault)
		return pl_lib_refuse(error, "name of host %zu: %s", hosts->n, fault);
	host.name = strdup(name);
	if (!host.name || pl_hosts_add(hosts, &host)) {
		free(host.name);
		return pl_lib_nomem(error);
	}
	free(host.name);
	return 0;
}

static int check_hosts(const struct pl_hosts *hosts, struct pl_error *error)
{
	size_t first, again;

	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_lib_nomem(error);
	if (again == hosts->n)
		return 0;
	return pl_lib_refuse(error, "hosts %zu and %zu are both \"%s\"", first, again,
			     hosts->v[again].name);
}

static struct pl_matrix *make(const struct pl_hosts *hosts, struct pl_error *error)
{
	const char *statistic = "value";
	struct pl_err err;
	struct pl_matrix *m = pl_matrix_create(hosts, &err);

	if (!m) {
		pl_lib_fail(error, &err);
	} else if (pl_matrix_describe(m, "told", &statistic, 1, 1)) {
		pl_matrix_destroy(m);
		m = NULL;
		pl_lib_nomem(error);
	}
	return m;
}

struct pl_net *pl_net_create(const char *const *name, size_t n_hosts, struct pl_error *error)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;

	if (n_hosts == 0 || n_hosts > PL_MATRIX_HOSTS_MAX) {
		pl_lib_refuse(error, "%zu hosts: 1 to %d can be ordered", n_hosts,
			      PL_MATRIX_HOSTS_MAX);
		return NULL;
	}
	for (size_t h = 0; h < n_hosts; h++)
		if (add_host(&hosts, name[h], error))
			goto out;
	if (check_hosts(&hosts, error) == 0)
		m = make(&hosts, error);
out:
	pl_hosts_fini(&hosts);
	return wrap(m, error);
}

/* The cells of @from among the hosts host[n]. */
static void take_cells(struct pl_layer *to, const struct pl_layer *from, const size_t *host,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			to->cell[i * n + j] = from->cell[host[i] * from->n + host[j]];
}

static struct pl_matrix *part(const struct pl_matrix *m, const struct pl_hosts *hosts,
			      const size_t *host, struct pl_error *error)
{
	const struct pl_layer *rates = pl_matrix_bandwidths(m, NULL);
	struct pl_matrix *some = make(hosts, error);
	struct pl_layer *to;

	if (!some)
		return NULL;
	some->symmetrize = m->symmetrize;
	some->layer[0].quantity = m->layer[0].quantity;
	some->layer[0].unit = m->layer[0].unit;
	take_cells(&some->layer[0], &m->layer[0], host, hosts->n);
	if (!rates)
		return some;
	to = pl_matrix_add_layer(some, rates->statistic, rates->quantity, rates->unit);
	if (!to) {
		pl_lib_nomem(error);
		pl_matrix_destroy(some);
		return NULL;
	}
	take_cells(to, rates, host, hosts->n);
	return some;
}

struct pl_net *pl_net_part(const struct pl_net *net, const size_t *host, size_t n_hosts,
			   struct pl_error *error)
{
	const struct pl_hosts *all = &net->m->hosts;
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;

	if (n_hosts == 0 || n_hosts > all->n) {
		pl_lib_refuse(error, "%zu hosts of %zu", n_hosts, all->n);
		return NULL;
	}
	for (size_t i = 0; i < n_hosts; i++) {
		if (host[i] >= all->n) {
			pl_lib_refuse(error, "no host %zu: there are %zu", host[i], all->n);
			goto out;
		}
		if (pl_hosts_add(&hosts, &all->v[host[i]])) {
			pl_lib_nomem(error);
			goto out;
		}
	}
	if (check_hosts(&hosts, error) == 0)
		m = part(net->m, &hosts, host, error);
out:
	pl_hosts_fini(&hosts);
	return wrap(m, error);
}

static int check_pair(const struct pl_net *net, size_t src, size_t dst, struct pl_error *error)
{
	const size_t n = net->m->hosts.n;

	if (src < n && dst < n && src != dst)
		return 0;
	return pl_lib_refuse(error, "no pair from host %zu to host %zu: there are %zu hosts", src,
			     dst, n);
}

static int check_value(double value, struct pl_error *error)
{
	if (isfinite(value) && value > 0)
		return 0;
	return pl_lib_refuse(error, "%g: must be above 0 and finite", value);
}

int pl_net_set_rtt(struct pl_net *net, size_t src, size_t dst, double rtt_ns,
		   struct pl_error *error)
{
	struct pl_layer *layer = &net->m->layer[0];

	if (check_pair(net, src, dst, error) || check_value(rtt_ns, error))
		return -1;
	if (layer->quantity != PL_RTT)
		return pl_lib_refuse(error, "the network does not hold round trips but a %s",
				     pl_quantity_name(layer->quantity));
	layer->cell[src * net->m->hosts.n + dst] = rtt_ns / pl_unit_ns(layer->unit);
	return 0;
}

/* The layer of bandwidths; made where there is none yet. NULL: no memory. */
static struct pl_layer *bandwidths(struct pl_matrix *m)
{
	struct pl_layer *layer = pl_matrix_bandwidths(m, NULL);

	return layer ? layer : pl_matrix_add_layer(m, "bandwidth", PL_BANDWIDTH, PL_BYTES_PER_S);
}

int pl_net_set_bandwidth(struct pl_net *net, size_t src, size_t dst, double bytes_per_s,
			 struct pl_error *error)
{
	struct pl_layer *layer;

	if (check_pair(net, src, dst, error) || check_value(bytes_per_s, error))
		return -1;
	layer = bandwidths(net->m);
	if (!layer)
		return pl_lib_nomem(error);
	layer->cell[src * net->m->hosts.n + dst] = bytes_per_s;
	return 0;
}

int pl_net_set_slots(struct pl_net *net, size_t host, int slots, struct pl_error *error)
{
	if (host >= net->m->hosts.n)
		return pl_lib_refuse(error, "no host %zu: there are %zu", host, net->m->hosts.n);
	if (slots < 1 || slots > PL_HOST_SLOTS_MAX)
		return pl_lib_refuse(error, "%d slots: not from 1 to %d", slots, PL_HOST_SLOTS_MAX);
	net->m->hosts.v[host].slots = slots;
	return 0;
}

size_t pl_net_hosts(const struct pl_net *net)
{
	return net->m->hosts.n;
}

const char *pl_net_name(const struct pl_net *net, size_t host)
{
	return host < net->m->hosts.n ? net->m->hosts.v[host].name : NULL;
}

ptrdiff_t pl_net_find(const struct pl_net *net, const char *name)
{
	const struct pl_hosts *hosts = &net->m->hosts;
	const ptrdiff_t first = pl_hosts_find(hosts, name);

	for (size_t h = first < 0 ? hosts->n : (size_t)first + 1; h < hosts->n; h++)
		if (strcmp(hosts->v[h].name, name) == 0)
			return -1;
	return first;
}

double pl_net_cell(const struct pl_net *net, size_t src, size_t dst)
{
	const size_t n = net->m->hosts.n;

	return src < n && dst < n ? net->m->layer[0].cell[src * n + dst] : NAN;
}

const char *pl_net_unit(const struct pl_net *net)
{
	return pl_unit_name(net->m->layer[0].unit);
}

void pl_net_destroy(struct pl_net *net)
{
	if (net)
		pl_matrix_destroy(net->m);
	free(net);
}
