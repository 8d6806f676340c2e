/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.c - the cost of a byte between hosts, if bandwidths were
 * measured */
#include "config.h"

#include "order/bandwidth.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As in pl_matrix_costs, a missing direction gets the value of the other. */
static double both(double there, double back, enum pl_symmetrize how)
{
	if (how == PL_SYM_NONE || isnan(back))
		return there;
	if (isnan(there))
		return back;
	return how == PL_SYM_MAX ? fmax(there, back) : (there + back) / 2;
}

/* Seconds of a byte through a link that @n hosts share; 0: its rate is not known. */
static double byte_s(double bps, size_t n)
{
	return bps > 0 ? 8 * (double)n / bps : 0;
}

/* Hosts of the job within each group, [n_groups]. */
static size_t *count_hosts(const struct pl_tiers *t, const bool *listed)
{
	size_t *n = pl_array_create(t->n_groups, sizeof(*n));

	for (size_t h = 0; n && h < t->n; h++)
		for (size_t g = t->rack[h]; listed[h] && g != PL_NO_GROUP; g = t->within[g])
			n[g]++;
	return n;
}

static double slowest_s(const struct pl_tiers *t, const size_t *n_hosts, struct pl_tiers_way *way,
			size_t src, size_t dst)
{
	double s = fmax(byte_s(t->card[src].out_bps, 1), byte_s(t->card[dst].in_bps, 1));

	pl_tiers_cross(t, src, dst, way);
	for (size_t i = 0; i < way->n_leave; i++) {
		const size_t g = way->leave[i];

		s = fmax(s, byte_s(t->uplink[g].out_bps, n_hosts[g]));
	}
	for (size_t i = 0; i < way->n_enter; i++) {
		const size_t g = way->enter[i];

		s = fmax(s, byte_s(t->uplink[g].in_bps, n_hosts[g]));
	}
	return s;
}

static int fill_shared(const struct pl_tiers *t, const bool *listed, double units_per_s,
		       double *per_byte, struct pl_err *err)
{
	size_t *n_hosts = count_hosts(t, listed);
	size_t *groups = pl_array_create(2 * t->n_groups, sizeof(*groups));
	struct pl_tiers_way way = {.leave = groups, .enter = groups ? groups + t->n_groups : NULL};
	const int rc = n_hosts && groups ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < t->n; i++)
		for (size_t j = 0; j < t->n; j++)
			per_byte[i * t->n + j] =
				i == j ? 0 : units_per_s * slowest_s(t, n_hosts, &way, i, j);
	free(groups);
	free(n_hosts);
	return rc;
}

int pl_order_shared_per_byte(const struct pl_matrix *m, const struct pl_order_request *q,
			     const bool *listed, double *per_byte, bool *known, struct pl_err *err)
{
	struct pl_tiers t;
	int rc = 0;

	if (pl_tiers_read(&t, m, err))
		return -1;
	if (q->nic_bps > 0)
		pl_tiers_set_cards(&t, q->nic_bps);
	if (q->uplink_bps > 0)
		pl_tiers_set_uplinks(&t, q->uplink_bps);
	*known = pl_tiers_have_rates(&t);
	if (*known)
		rc = fill_shared(&t, listed, 1e9 / pl_unit_ns(m->layer[0].unit), per_byte, err);
	pl_tiers_fini(&t);
	return rc;
}

/* Turns bytes per second into the cost of a byte. */
static void turn(const struct pl_matrix *m, enum pl_symmetrize how, double *per_byte)
{
	const double units_per_s = 1e9 / pl_unit_ns(m->layer[0].unit);
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n * n; i++) {
		const double bytes_per_s = per_byte[i];

		per_byte[i] = i / n == i % n    ? 0
			      : bytes_per_s > 0 ? units_per_s / bytes_per_s
						: NAN;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const double there = per_byte[i * n + j];
			const double back = per_byte[j * n + i];

			per_byte[i * n + j] = both(there, back, how);
			per_byte[j * n + i] = both(back, there, how);
		}
}

void pl_order_per_byte(const struct pl_matrix *m, const struct pl_layer *layer,
		       enum pl_symmetrize how, double *per_byte)
{
	const size_t n = m->hosts.n;

	memcpy(per_byte, layer->cell, n * n * sizeof(*per_byte));
	turn(m, how, per_byte);
}

static int fill_lone(const struct pl_tiers *t, double *bytes_per_s)
{
	struct pl_tiers_way way = {
		.leave = pl_array_create(t->n_groups, sizeof(*way.leave)),
		.enter = pl_array_create(t->n_groups, sizeof(*way.enter)),
	};
	const bool ready = way.leave && way.enter;

	for (size_t at = 0; ready && at < t->n * t->n; at++)
		bytes_per_s[at] =
			pl_tiers_lone(t, at / t->n, at % t->n, &way) / 8 * PL_TIERS_TCP_SHARE;
	free(way.leave);
	free(way.enter);
	return ready ? 0 : -1;
}

int pl_order_per_byte_told(const struct pl_matrix *m, enum pl_symmetrize how, double *per_byte,
			   bool *told, struct pl_err *err)
{
	struct pl_tiers t;
	int rc = 0;

	*told = false;
	if (pl_tiers_read(&t, m, err))
		return -1;
	*told = pl_tiers_have_rates(&t);
	if (*told)
		rc = fill_lone(&t, per_byte);
	pl_tiers_fini(&t);
	if (rc)
		return pl_err_nomem(err);
	if (*told)
		turn(m, how, per_byte);
	return 0;
}
