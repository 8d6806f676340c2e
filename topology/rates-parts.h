/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-parts.h - what the rates of cards and of uplinks are found by */
#ifndef PLINK_TOPOLOGY_RATES_PARTS_H
#define PLINK_TOPOLOGY_RATES_PARTS_H

#include "topology/rates.h"

/* What counts for a link's rate lies within this share of the greatest. */
#define PL_RATES_NEAR 0.05

/* The mean of values near the greatest, or near the one after it where the
 * greatest looks like noise: twice over the values, first all by most(), then
 * all by near(). */
struct pl_rates_top {
	double most, next, sum;
	size_t n_all, n_near;
};
void pl_rates_top_most(struct pl_rates_top *top, double value);
void pl_rates_top_near(struct pl_rates_top *top, double value);

/* What all are held against; 0: there are none. */
double pl_rates_top_base(const struct pl_rates_top *top);

/* That mean of bytes per second, as bits per second on the wire; 0: there were
 * none. */
double pl_rates_top_bps(const struct pl_rates_top *top);

/* Bytes per second; has it got any? */
bool pl_rates_flowed(const struct pl_rate_flow *flow);

/* All flows between @n_hosts: of the sets, and behind them those alone. */
size_t pl_rates_n_flows(const struct pl_rate_flows *f, size_t n_hosts);
struct pl_rate_flow pl_rates_flow(const struct pl_rate_flows *f, size_t n_hosts,
				  size_t k);

/* Cards of all hosts. 0, or -1: no memory. */
int pl_rates_cards(struct pl_tiers *t, const struct pl_rate_flows *f);

/* Uplinks of all groups, when cards are known. 0, or -1: no memory. */
int pl_rates_uplinks(struct pl_tiers *t, const struct pl_rate_flows *f);

#endif
