/* SPDX-License-Identifier: BSD-3-Clause */
/* market.h - which machines a job may be given, and at what price */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_MARKET_H
#define PLINK_PLANNER_SRIFT_SEARCH_MARKET_H

#include "base/err.h"
#include "planner/catalogue/catalogue.h"
#include "planner/srift/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_MARKET_TYPES_MAX 64
#define PL_MARKET_BATCHES_MAX 32
/* Machines of a type where nobody told how many there are. */
#define PL_MARKET_AVAILABLE 1024

/* Machines of one type at one price. */
struct pl_market_stock {
	enum pl_market_kind kind;
	double price_per_hour; /* of each */
	size_t available;      /* more than 0 */
};

/* A type of machine. Borrows from profile and catalogue. */
struct pl_market_type {
	const struct pl_profile_instance *instance;
	const char *zone[PL_MARKET_KINDS]; /* empty: not told */
	/* In the order in which machines are taken from them: spot first, but
	 * for a spot price that is not below the other. */
	struct pl_market_stock stock[PL_MARKET_KINDS];
	size_t n_stocks;
	size_t available; /* of all its stocks */
	/* Samples of each machine: a power of two for each of its accelerators,
	 * as far as the profile spans them, ascending; seconds of both passes
	 * without chance. */
	uint64_t batch[PL_MARKET_BATCHES_MAX];
	double mean_s[PL_MARKET_BATCHES_MAX];
	size_t n_batches;
};

/* In order of preference where nothing else decides: more accelerators to the
 * machine first, then more samples per second at the largest batch, then as in
 * the profile. */
struct pl_market {
	const struct pl_profile *profile;
	struct pl_market_type type[PL_MARKET_TYPES_MAX];
	size_t n_types;
};

/* How many machines of an instance (@len bytes of name) there are; name NULL:
 * of each other. */
struct pl_market_limit {
	const char *name;
	size_t len;
	/* so many of each kind, 0: none; or, if @either, so many of the kind
	 * that comes first */
	size_t available[PL_MARKET_KINDS];
	bool either;
};

struct pl_market_rule {
	const char *region, *zone; /* NULL: any */
	bool refused[PL_MARKET_KINDS];
	const struct pl_market_limit *limit;
	size_t n_limits;
	const char *const *excluded; /* names of instances */
	size_t n_excluded;
};

/*
 * Joins what the profile has times of with what the catalogue offers. Of
 * several zones the cheapest counts. 0, or -1 with @err set: PL_EUSAGE for
 * rules that leave no machine, name what neither has, or leave several regions;
 * PL_EINPUT, with its place, for an offer without a price.
 */
int pl_market_init(struct pl_market *m, const struct pl_profile *profile,
		   const struct pl_catalogue *catalogue,
		   const struct pl_market_rule *rule, struct pl_err *err);

/* Dollars an hour of so many machines of the type, no more than there are. */
double pl_market_price(const struct pl_market_type *type, size_t count);

/* How many of these are of that kind. */
size_t pl_market_count(const struct pl_market_type *type, size_t count,
		       enum pl_market_kind kind);

#endif
