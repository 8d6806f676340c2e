/* SPDX-License-Identifier: BSD-3-Clause */
/* prices.h - what a spot machine cost over a while, as recorded */
#ifndef PLINK_PLANNER_TRANSIENT_PRICES_H
#define PLINK_PLANNER_TRANSIENT_PRICES_H

#include <stddef.h>

/* Prices that follow one another. Start with {0}, end with fini. */
struct pl_prices {
	double *end_s; /* [n]: until when each held, since the first began */
	double *spent; /* [n]: dollars by then */
	size_t n, room, spent_room;
};
void pl_prices_fini(struct pl_prices *p);

/* Adds a price of an hour that held for @for_s > 0. 0, or -1: out of memory. */
int pl_prices_add(struct pl_prices *p, double per_hour, double for_s);

/* The length of the record, in seconds; 0: nothing is recorded. */
double pl_prices_length_s(const struct pl_prices *p);

/* The mean dollars an hour over the record; NaN: nothing is recorded. */
double pl_prices_mean(const struct pl_prices *p);

/* Dollars for a machine from @from_s to @to_s, both from 0 on, of a record that begins anew where
 * it ends, and has a price. */
double pl_prices_dollars(const struct pl_prices *p, double from_s, double to_s);

#endif
