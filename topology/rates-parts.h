/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-parts.h - helpers that infer the rates of cards and of uplinks */
#ifndef PLINK_TOPOLOGY_RATES_PARTS_H
#define PLINK_TOPOLOGY_RATES_PARTS_H

#include "topology/rates.h"

/* Values within this share of the base value count for a link's rate. */
#define PL_RATES_NEAR 0.05

/* The mean of the values near the base value: the greatest one, or the second greatest where the
 * greatest looks like noise. Pass all values to most() first, then all again to near(). */
struct pl_rates_top {
	double most, next, sum;
	size_t n_all, n_near;
};
void pl_rates_top_most(struct pl_rates_top *top, double value);
void pl_rates_top_near(struct pl_rates_top *top, double value);

/* The base value that near() compares with; 0: there are no values. */
double pl_rates_top_base(const struct pl_rates_top *top);

/* The mean, converted from bytes per second of payload to bits per second on the wire; 0: there are
 * no values. */
double pl_rates_top_bps(const struct pl_rates_top *top);

/* Is no cell of the host measured, either way? */
bool pl_rates_is_lonely(const struct pl_matrix *m, size_t host);

/* Did any bytes arrive? */
bool pl_rates_flowed(const struct pl_rate_flow *flow);

/* The number of flows between @n_hosts, and flow k: first those of the sets, then those of
 * f->alone. */
size_t pl_rates_n_flows(const struct pl_rate_flows *f, size_t n_hosts);
struct pl_rate_flow pl_rates_flow(const struct pl_rate_flows *f, size_t n_hosts, size_t k);

/* Infers the rates of all groups' uplinks; cards must be known. 0, or -1: no memory. */
int pl_rates_uplinks(struct pl_tiers *t, const struct pl_rate_flows *f);

#endif
