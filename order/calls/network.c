/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - the input in the form that the predictor needs */
#include "config.h"

#include "order/calls/network.h"

#include "base/matrix/message-cost.h"
#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "order/bandwidth.h"
#include "order/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries that are different machines: first[k] is the input's host that is machine k; returns
 * their number. index[h] is the matrix's host. */
static size_t machines(struct pl_order_input *in, const size_t *index, size_t n_all, size_t *first,
		       size_t *machine_of)
{
	size_t n = 0;

	for (size_t i = 0; i < n_all; i++)
		machine_of[i] = n_all;
	for (size_t h = 0; h < in->hosts.n; h++) {
		size_t *machine = &machine_of[index[h]];

		if (*machine == n_all) {
			*machine = n;
			first[n++] = h;
		}
		in->machine[h] = *machine;
	}
	return n;
}

/* A cell of the matrix or, if it is missing, its substitute. */
static double cell(const struct pl_layer *layer, size_t at, double instead)
{
	return isnan(layer->cell[at]) ? instead : layer->cell[at];
}

/* The first layer; and p50, which tells how much longer times are mostly. */
static int copy_times(struct pl_order_input *in, const struct pl_matrix *m, const size_t *index,
		      const size_t *first, struct pl_err *err)
{
	const struct pl_layer *from = &m->layer[0], *p50 = pl_matrix_layer(m, "p50");
	const size_t n = in->matrix->hosts.n, n_all = m->hosts.n;
	struct pl_layer *to = &in->matrix->layer[0], *more = NULL;

	if (p50 && p50 != from && p50->quantity == from->quantity && p50->unit == from->unit) {
		more = pl_matrix_add_layer(in->matrix, "p50", p50->quantity, p50->unit);
		if (!more)
			return pl_err_nomem(err);
		to = &in->matrix->layer[0];
	}
	to->quantity = from->quantity;
	to->unit = from->unit;
	in->matrix->symmetrize = m->symmetrize;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t a = first[i], b = first[j];
			const size_t at = index[a] * n_all + index[b];

			if (i == j)
				continue;
			to->cell[i * n + j] = cell(from, at, in->c[a * in->hosts.n + b]);
			if (more)
				more->cell[i * n + j] = p50->cell[at];
		}
	return 0;
}

static int copy_bandwidths(struct pl_order_input *in, const struct pl_matrix *m,
			   const size_t *index, const size_t *first, struct pl_err *err)
{
	const struct pl_layer *from = pl_matrix_bandwidths(m, NULL);
	const size_t n = in->matrix->hosts.n, n_all = m->hosts.n;
	const double units_per_s = 1e9 / pl_unit_ns(in->unit);
	struct pl_layer *to;

	if (!from || !in->per_byte)
		return 0;
	to = pl_matrix_add_layer(in->matrix, from->statistic, PL_BANDWIDTH, PL_BYTES_PER_S);
	if (!to)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t a = first[i], b = first[j];
			const double per_byte = in->per_byte[a * in->hosts.n + b];

			if (i != j)
				to->cell[i * n + j] = cell(from, index[a] * n_all + index[b],
							   units_per_s / per_byte);
		}
	return 0;
}

/* Keeps the matrix's header lines about the machines that are left; @host: their hosts in the
 * matrix. */
static int copy_tiers(struct pl_matrix *to, const struct pl_matrix *m, const size_t *host,
		      struct pl_err *err)
{
	struct pl_tiers all = {0}, left = {0};
	int rc = pl_tiers_read(&all, m, err);

	if (rc == 0)
		rc = pl_tiers_subset(&left, &all, host, to->hosts.n, err);
	if (rc == 0)
		rc = pl_tiers_write(&left, to, err);
	pl_tiers_fini(&left);
	pl_tiers_fini(&all);
	return rc;
}

/* The properties of the hosts' connections. */
static int copy_congestion(struct pl_matrix *to, const struct pl_matrix *m, struct pl_err *err)
{
	enum pl_congestion ignored;

	/* as long as line numbers are known */
	if (pl_network_find_congestion(&ignored, m, err))
		return -1;
	for (size_t i = 0; i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, "tcp") &&
		    pl_matrix_add_header(to, "tcp", m->header[i].value))
			return pl_err_nomem(err);
	return 0;
}

/* Those between machines that are left. */
static int copy_failed_flows(struct pl_matrix *to, const struct pl_matrix *m,
			     const size_t *machine_of, struct pl_err *err)
{
	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];
		const size_t src = machine_of[note->src];
		const size_t dst = machine_of[note->dst];

		if (src < to->hosts.n && dst < to->hosts.n && pl_tiers_flow_failed(note) &&
		    pl_matrix_add_note(to, src, dst, note->text))
			return pl_err_nomem(err);
	}
	return 0;
}

static int fill(struct pl_order_input *in, const struct pl_matrix *m, const size_t *index,
		size_t *first, size_t *machine_of, struct pl_err *err)
{
	const size_t n = machines(in, index, m->hosts.n, first, machine_of);
	struct pl_hosts hosts = {0};
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < n; k++)
		rc = pl_hosts_add(&hosts, &in->hosts.v[first[k]]);
	in->matrix = rc ? NULL : pl_matrix_create(&hosts, err);
	pl_hosts_fini(&hosts);
	if (!in->matrix)
		return pl_err_nomem(err);
	if (copy_times(in, m, index, first, err) || copy_bandwidths(in, m, index, first, err))
		return -1;
	for (size_t k = 0; k < n; k++)
		first[k] = index[first[k]];
	if (m->method && pl_matrix_set_method(in->matrix, m->method))
		return pl_err_nomem(err);
	return copy_congestion(in->matrix, m, err) ||
			       pl_message_costs_copy(in->matrix, m, first, err) ||
			       copy_failed_flows(in->matrix, m, machine_of, err) ||
			       copy_tiers(in->matrix, m, first, err)
		       ? -1
		       : 0;
}

int pl_order_network_keep(struct pl_order_input *in, const struct pl_matrix *m, struct pl_err *err)
{
	size_t *index = pl_array_create(in->hosts.n, sizeof(*index));
	size_t *first = pl_array_create(in->hosts.n, sizeof(*first));
	size_t *machine_of = pl_array_create(m->hosts.n, sizeof(*machine_of));
	int rc = -1;

	in->machine = pl_array_create(in->hosts.n, sizeof(*in->machine));
	if (!index || !first || !machine_of || !in->machine)
		pl_err_nomem(err);
	else if (pl_order_match(in, m, index, err) == 0)
		rc = fill(in, m, index, first, machine_of, err);
	free(machine_of);
	free(first);
	free(index);
	return rc;
}

int pl_order_network_init(struct pl_network *net, const struct pl_order_input *in,
			  const struct pl_order_request *q, struct pl_err *err)
{
	if (pl_network_init(net, in->matrix, err))
		return -1;
	if (pl_network_set_rates(net, q->nic_bps, q->uplink_bps, err) == 0)
		return 0;
	pl_network_fini(net);
	return -1;
}
