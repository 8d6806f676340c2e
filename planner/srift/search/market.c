/* SPDX-License-Identifier: BSD-3-Clause */
/* market.c - which machines a job may be given, and at what price */
#include "config.h"

#include "planner/srift/search/market.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *s, size_t len)
{
	return strlen(a) == len && memcmp(a, s, len) == 0;
}

static bool in_place(const struct pl_offer *offer, const struct pl_market_rule *rule)
{
	return (!rule->region || strcmp(rule->region, offer->region) == 0) &&
	       (!rule->zone || strcmp(rule->zone, offer->zone) == 0);
}

static bool is_excluded(const struct pl_market_rule *rule, const char *name)
{
	for (size_t i = 0; i < rule->n_excluded; i++)
		if (strcmp(rule->excluded[i], name) == 0)
			return true;
	return false;
}

/* The machines that the type can get. */
static void take_batches(struct pl_market_type *type)
{
	const struct pl_profile_instance *in = type->instance;
	const struct pl_profile_curve *curve = &in->forward;
	const double most = curve->batch[curve->n - 1];

	for (uint64_t b = in->ranks; (double)b <= most; b *= 2) {
		const double batch = (double)b;

		if (batch < curve->batch[0] || type->n_batches == PL_MARKET_BATCHES_MAX)
			continue;
		type->mean_s[type->n_batches] = pl_profile_seconds(&in->forward, batch) +
						pl_profile_seconds(&in->backward, batch);
		type->batch[type->n_batches++] = b;
	}
}

/* What is known about a type while offers are read. */
struct found {
	const struct pl_offer *offer[PL_MARKET_KINDS]; /* the cheapest */
};

static int take_offer(struct found *found, const struct pl_catalogue *c,
		      const struct pl_offer *offer, struct pl_err *err)
{
	if (isnan(offer->price[PL_SPOT]) && isnan(offer->price[PL_ON_DEMAND]))
		return pl_err_at(err, (struct pl_place){c->file, offer->line, offer->col},
				 "%s has no price: give it one, or --exclude=%s", offer->instance,
				 offer->instance);
	for (int k = 0; k < PL_MARKET_KINDS; k++)
		if (!isnan(offer->price[k]) &&
		    (!found->offer[k] || offer->price[k] < found->offer[k]->price[k]))
			found->offer[k] = offer;
	return 0;
}

/* The limit for that name, else the limit for all. */
static const struct pl_market_limit *find_limit(const struct pl_market_rule *rule, const char *name)
{
	const struct pl_market_limit *limit = NULL;

	for (size_t i = 0; i < rule->n_limits; i++) {
		const struct pl_market_limit *l = &rule->limit[i];

		if (l->name ? same(name, l->name, l->len) : !limit)
			limit = l;
	}
	return limit;
}

static size_t available(const struct pl_offer *offer, const char *name,
			const struct pl_market_limit *limit, const struct pl_market_rule *rule,
			enum pl_market_kind k)
{
	size_t n = offer->available[k] ? offer->available[k] : PL_MARKET_AVAILABLE;

	if (limit)
		n = limit->available[k];
	for (size_t i = 0; i < rule->n_caps; i++)
		if (rule->cap[i].kind == k && rule->cap[i].most < n &&
		    strcmp(rule->cap[i].name, name) == 0)
			n = rule->cap[i].most;
	return n;
}

/* Spot comes first, unless it costs no less. */
static void put_in_order(struct pl_market_type *type)
{
	struct pl_market_stock *stock = type->stock;
	const struct pl_market_stock first = stock[0];

	if (type->n_stocks < 2 || first.price_per_hour < stock[1].price_per_hour)
		return;
	stock[0] = stock[1];
	stock[1] = first;
}

/* What the first kind leaves of a limit on both. */
static void share_limit(struct pl_market_type *type, const struct pl_market_limit *limit)
{
	const size_t all = limit->available[type->stock[1].kind];
	const size_t left = all - type->stock[0].available;

	if (type->stock[1].available > left)
		type->stock[1].available = left;
	type->n_stocks = left > 0 ? 2 : 1;
}

static void take_stocks(struct pl_market_type *type, const char *name, const struct found *found,
			const struct pl_market_rule *rule)
{
	const struct pl_market_limit *limit = find_limit(rule, name);

	for (int k = 0; k < PL_MARKET_KINDS; k++) {
		const struct pl_offer *offer = found->offer[k];
		const size_t n = offer ? available(offer, name, limit, rule, k) : 0;

		type->zone[k] = offer ? offer->zone : "";
		if (!rule->refused[k] && n > 0)
			type->stock[type->n_stocks++] =
				(struct pl_market_stock){k, offer->price[k], n};
	}
	put_in_order(type);
	if (limit && limit->either && type->n_stocks > 1)
		share_limit(type, limit);
	for (size_t k = 0; k < type->n_stocks; k++)
		type->available += type->stock[k].available;
}

static int compare(const void *a, const void *b)
{
	const struct pl_market_type *x = a, *y = b;
	const size_t i = x->n_batches - 1, j = y->n_batches - 1;
	const double x_rate = (double)x->batch[i] / x->mean_s[i];
	const double y_rate = (double)y->batch[j] / y->mean_s[j];

	if (x->preferred != y->preferred)
		return x->preferred < y->preferred ? -1 : 1;
	if (x->instance->ranks != y->instance->ranks)
		return x->instance->ranks > y->instance->ranks ? -1 : 1;
	if (x_rate != y_rate)
		return x_rate > y_rate ? -1 : 1;
	return x->instance < y->instance ? -1 : 1;
}

/* Offers of what is rented together must be in one region. */
static int check_region(const struct pl_offer *offer, const struct pl_offer **first,
			struct pl_err *err)
{
	if (!*first)
		*first = offer;
	if (strcmp(offer->region, (*first)->region) == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "the catalogue has prices of several regions, such as %s and %s: choose "
			  "one with --region",
			  (*first)->region, offer->region);
}

static int find_offers(struct found *found, const char *name, const struct pl_catalogue *c,
		       const struct pl_market_rule *rule, const struct pl_offer **first,
		       struct pl_err *err)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->offer[i].instance, name) == 0 && in_place(&c->offer[i], rule) &&
		    (check_region(&c->offer[i], first, err) ||
		     take_offer(found, c, &c->offer[i], err)))
			return -1;
	return 0;
}

static int add_type(struct pl_market *m, const struct pl_profile_instance *in,
		    const struct found *found, const struct pl_market_rule *rule,
		    struct pl_err *err)
{
	struct pl_market_type type = {.instance = in};

	while (type.preferred < rule->n_preferred &&
	       strcmp(rule->preferred[type.preferred], in->name) != 0)
		type.preferred++;
	take_stocks(&type, in->name, found, rule);
	take_batches(&type);
	if (type.n_stocks == 0 || type.n_batches == 0)
		return 0;
	if (m->n_types == PL_MARKET_TYPES_MAX)
		return pl_err_set(err, PL_EUSAGE,
				  "more than %d types of machines to choose from: --exclude some",
				  PL_MARKET_TYPES_MAX);
	m->type[m->n_types++] = type;
	return 0;
}

static int check_list(const struct pl_profile *profile, const char *const *name, size_t n,
		      struct pl_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!pl_profile_find(profile, name[i], strlen(name[i])))
			return pl_err_set(err, PL_EUSAGE, "no instance \"%s\" in the profile",
					  name[i]);
	return 0;
}

/* Names in rules must be those of the profile. */
static int check_names(const struct pl_profile *profile, const struct pl_market_rule *rule,
		       struct pl_err *err)
{
	for (size_t i = 0; i < rule->n_limits; i++) {
		const struct pl_market_limit *l = &rule->limit[i];

		if (l->name && !pl_profile_find(profile, l->name, l->len) &&
		    !(rule->hub && same(rule->hub, l->name, l->len)))
			return pl_err_set(err, PL_EUSAGE, "no instance \"%.*s\" in the profile",
					  (int)l->len, l->name);
	}
	if (check_list(profile, rule->excluded, rule->n_excluded, err))
		return -1;
	return check_list(profile, rule->preferred, rule->n_preferred, err);
}

/* Names for a message, as many as there is room for. */
struct listed {
	char text[160];
	size_t used;
};

static void list(struct listed *l, const char *name)
{
	const size_t room = sizeof(l->text) - l->used;
	const int len = snprintf(l->text + l->used, room, "%s%s", l->used ? ", " : "", name);

	if ((size_t)len + sizeof(", ...") > room) {
		strcpy(l->text + l->used, l->used ? ", ..." : "...");
		l->used = sizeof(l->text);
	} else {
		l->used += (size_t)len;
	}
}

static bool is_full(const struct listed *l)
{
	return l->used == sizeof(l->text);
}

static bool came_before(const struct pl_catalogue *c, size_t i, const struct pl_market_rule *rule)
{
	for (size_t k = 0; k < i; k++)
		if (in_place(&c->offer[k], rule) &&
		    strcmp(c->offer[k].instance, c->offer[i].instance) == 0)
			return true;
	return false;
}

/* The catalogue has other types than the profile. */
static int fault_types(const struct pl_profile *profile, const struct pl_catalogue *c,
		       const struct pl_market_rule *rule, struct pl_err *err)
{
	struct listed offered = {.used = 0}, profiled = {.used = 0};

	for (size_t i = 0; i < c->n && !is_full(&offered); i++)
		if (in_place(&c->offer[i], rule) && !came_before(c, i, rule))
			list(&offered, c->offer[i].instance);
	for (size_t i = 0; i < profile->n_instances && !is_full(&profiled); i++)
		if (!is_excluded(rule, profile->instance[i].name))
			list(&profiled, profile->instance[i].name);
	return pl_err_set(
		err, PL_EUSAGE,
		"the catalogue has no machine that the profile has%s: prices of %s, times of %s",
		rule->region || rule->zone ? " there" : "", offered.used ? offered.text : "none",
		profiled.used ? profiled.text : "none that is not excluded");
}

static int find_hub(struct pl_market *m, const struct pl_catalogue *c,
		    const struct pl_market_rule *rule, const struct pl_offer **first,
		    struct pl_err *err)
{
	struct found found = {{NULL, NULL}};

	if (!rule->hub)
		return 0;
	if (find_offers(&found, rule->hub, c, rule, first, err))
		return -1;
	take_stocks(&m->hub, rule->hub, &found, rule);
	if (m->hub.n_stocks > 0)
		return 0;
	return pl_err_set(
		err, PL_EUSAGE,
		"no machine \"%s\" for hubs is left to rent: the catalogue has no such offer%s",
		rule->hub, rule->region || rule->zone ? " there" : "");
}

int pl_market_init(struct pl_market *m, const struct pl_profile *profile,
		   const struct pl_catalogue *catalogue, const struct pl_market_rule *rule,
		   struct pl_err *err)
{
	const struct pl_offer *first = NULL;

	m->profile = profile;
	m->n_types = 0;
	m->hub = (struct pl_market_type){0};
	m->n_hubs = 0;
	m->hubs_per_hour = 0;
	if (check_names(profile, rule, err))
		return -1;
	for (size_t i = 0; i < profile->n_instances; i++) {
		const struct pl_profile_instance *in = &profile->instance[i];
		struct found found = {{NULL, NULL}};

		if (is_excluded(rule, in->name))
			continue;
		if (find_offers(&found, in->name, catalogue, rule, &first, err) ||
		    add_type(m, in, &found, rule, err))
			return -1;
	}
	if (m->n_types == 0 && !first)
		return fault_types(profile, catalogue, rule, err);
	if (m->n_types == 0)
		return pl_err_set(err, PL_EUSAGE, "no machine is left to choose");
	if (find_hub(m, catalogue, rule, &first, err))
		return -1;
	qsort(m->type, m->n_types, sizeof(*m->type), compare);
	return 0;
}

double pl_market_price(const struct pl_market_type *type, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < type->n_stocks && count > 0; i++) {
		const struct pl_market_stock *stock = &type->stock[i];
		const size_t n = count < stock->available ? count : stock->available;

		sum += (double)n * stock->price_per_hour;
		count -= n;
	}
	return sum;
}

size_t pl_market_count(const struct pl_market_type *type, size_t count, enum pl_market_kind kind)
{
	for (size_t i = 0; i < type->n_stocks; i++) {
		const struct pl_market_stock *stock = &type->stock[i];
		const size_t n = count < stock->available ? count : stock->available;

		if (stock->kind == kind)
			return n;
		count -= n;
	}
	return 0;
}

/* The cheapest first. */
static void take_away(struct pl_market_type *type, size_t n)
{
	type->available -= n;
	while (n > 0) {
		struct pl_market_stock *first = &type->stock[0];
		const size_t here = n < first->available ? n : first->available;

		first->available -= here;
		n -= here;
		if (first->available > 0 || type->n_stocks == 1)
			return;
		*first = type->stock[1];
		type->n_stocks = 1;
	}
}

bool pl_market_take_hubs(struct pl_market *to, const struct pl_market *from, const char *hub,
			 size_t n)
{
	*to = *from;
	if (n == 0)
		return true;
	if (n > from->hub.available)
		return false;
	to->n_hubs = n;
	to->hubs_per_hour = pl_market_price(&from->hub, n);
	for (size_t i = 0; i < to->n_types; i++)
		if (strcmp(to->type[i].instance->name, hub) == 0)
			take_away(&to->type[i], n);
	return true;
}
