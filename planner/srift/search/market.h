/* SPDX-License-Identifier: BSD-3-Clause */
/* market.h - the machines that a job may use, and their prices */
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
/* Number of machines of a type if no number is given. */
#define PL_MARKET_AVAILABLE 1024

/* Machines of one type at one price. */
struct pl_market_stock {
	enum pl_market_kind kind;
	double price_per_hour; /* of each */
	size_t available;      /* more than 0, unless all are hubs */
};

/* A type of machine. Borrows from profile and catalogue. */
struct pl_market_type {
	const struct pl_profile_instance *instance;
	const char *zone[PL_MARKET_KINDS]; /* empty: not given */
	/* In the order in which machines are taken: spot first, unless its price is not below the
	 * other one. */
	struct pl_market_stock stock[PL_MARKET_KINDS];
	size_t n_stocks;
	size_t available; /* sum of all stocks */
	size_t preferred; /* place in rule->preferred, or behind them */
	/* Samples of each machine, ascending: a power of two for each of its accelerators, within
	 * the range of the profile. mean_s: seconds of both passes, without random slowness. */
	uint64_t batch[PL_MARKET_BATCHES_MAX];
	double mean_s[PL_MARKET_BATCHES_MAX];
	size_t n_batches;
};

/* In order of preference if nothing else decides: the rule's preferred types first, in its order;
 * then more accelerators in a machine first, then more samples per second at the largest batch,
 * then as in the profile. */
struct pl_market {
	const struct pl_profile *profile;
	struct pl_market_type type[PL_MARKET_TYPES_MAX];
	size_t n_types;
	/* The type that may be rented for hubs, hosts beside the ranks that only add up; it has
	 * neither instance nor batches, and no stocks without the rule's hub. */
	struct pl_market_type hub;
	size_t n_hubs; /* that stand beside every choice */
	double hubs_per_hour;
};

/* The number of machines of an instance (@len bytes of name); name NULL: of each instance without a
 * limit of its own. */
struct pl_market_limit {
	const char *name;
	size_t len;
	/* number of each kind, 0: none; or, with either, the number of both together, of the kind
	 * that comes first unless it is capped */
	size_t available[PL_MARKET_KINDS];
	bool either;
};

/* At most so many of a kind, whatever limits and offers say. */
struct pl_market_cap {
	const char *name; /* of an instance */
	enum pl_market_kind kind;
	size_t most;
};

struct pl_market_rule {
	const char *region, *zone; /* NULL: any */
	bool refused[PL_MARKET_KINDS];
	const struct pl_market_limit *limit;
	size_t n_limits;
	const char *const *excluded; /* names of instances */
	size_t n_excluded;
	const struct pl_market_cap *cap;
	size_t n_caps;
	const char *const *preferred; /* names of instances, the best first */
	size_t n_preferred;
	const char *hub; /* an instance of the catalogue; NULL: no hubs */
};

/*
 * Joins the instances of the profile with the offers of the catalogue. Of several zones the
 * cheapest counts. 0, or -1 with @err set: PL_EUSAGE for rules that leave no machine, name an
 * instance that neither file has, or leave several regions; PL_EINPUT, with its place, for an offer
 * without a price.
 */
int pl_market_init(struct pl_market *m, const struct pl_profile *profile,
		   const struct pl_catalogue *catalogue, const struct pl_market_rule *rule,
		   struct pl_err *err);

/* The market @from, which has no hubs, with @n of them beside every choice: they are taken first
 * from the stocks of their type. False: there are fewer.
 */
bool pl_market_take_hubs(struct pl_market *to, const struct pl_market *from, const char *hub,
			 size_t n);

/* Dollars an hour of @count machines of the type, at most type->available. */
double pl_market_price(const struct pl_market_type *type, size_t count);

/* How many of @count machines are of that kind. */
size_t pl_market_count(const struct pl_market_type *type, size_t count, enum pl_market_kind kind);

#endif
