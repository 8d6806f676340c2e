/* SPDX-License-Identifier: BSD-3-Clause */
/* ec2instances.c - prices from the JSON of ec2instances.info */
#include "config.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "planner/catalogue/offers.h"
#include "planner/json.h"

#include <math.h>
#include <string.h>

#define INSTANCES_MAX 1000000

/* "0.526", or a number; an unknown price is missing, null, "" or "N/A". */
static int take_price(const struct pl_json_at *at, double *price, struct pl_err *err)
{
	const char *s = json_string_value(at->value);
	double x = NAN;

	if (!at->value || json_is_null(at->value) || (s && (!*s || strcmp(s, "N/A") == 0)))
		return 0;
	if (json_is_number(at->value))
		x = json_number_value(at->value);
	else if (!s || pl_double_parse(s, strlen(s), &x))
		return pl_json_fault(at, err, "this is not a price");
	if (!(x >= 0 && x <= PL_PRICE_MAX))
		return pl_json_fault(at, err, "a price of %g dollars an hour is not from 0 to %g",
				     x, PL_PRICE_MAX);
	*price = x;
	return 0;
}

/* The share taken away in a month: the middle of AWS' ranges, of which the last has no end. */
static double take_interruptions(const struct pl_json_at *at)
{
	static const struct {
		const char *range;
		double share;
	} ranges[] = {
		{"<5%", 0.025},    {"5-10%", 0.075}, {"10-15%", 0.125},
		{"15-20%", 0.175}, {">20%", 0.25},
	};
	const char *s = json_string_value(at->value);

	for (size_t i = 0; s && i < sizeof(ranges) / sizeof(*ranges); i++)
		if (strcmp(s, ranges[i].range) == 0)
			return ranges[i].share;
	return NAN;
}

/* Prices for Linux; a region without one is skipped. */
static int take_region(struct pl_catalogue *c, const char *instance,
		       const struct pl_json_at *region, struct pl_err *err)
{
	const struct pl_json_at linux_at = pl_json_member(region, "linux");
	const struct pl_json_at on_demand = pl_json_member(&linux_at, "ondemand");
	const struct pl_json_at spot = pl_json_member(&linux_at, "spot_avg");
	const struct pl_json_at taken = pl_json_member(&linux_at, "pct_interrupt");
	const struct pl_offer_names names = {instance,         region->key,         "",
					     strlen(instance), strlen(region->key), 0};
	double price[PL_MARKET_KINDS] = {NAN, NAN};
	struct pl_offer *offer;

	if (pl_json_object(region, NULL, err))
		return -1;
	if (!linux_at.value)
		return 0;
	if (pl_json_object(&linux_at, NULL, err) || take_price(&spot, &price[PL_SPOT], err) ||
	    take_price(&on_demand, &price[PL_ON_DEMAND], err))
		return -1;
	if (isnan(price[PL_SPOT]) && isnan(price[PL_ON_DEMAND]))
		return 0;
	offer = pl_offers_add(c, &names, err);
	if (!offer)
		return -1;
	memcpy(offer->price, price, sizeof(price));
	offer->taken = take_interruptions(&taken);
	return 0;
}

/* Nothing was added of it. */
static int leave_out(struct pl_catalogue *c, const char *instance, struct pl_err *err)
{
	if (c->n_unpriced++ > 0)
		return 0;
	c->unpriced = pl_string_copy(instance, strlen(instance));
	return c->unpriced ? 0 : pl_err_nomem(err);
}

static int take_instance(struct pl_catalogue *c, const struct pl_json_at *at, struct pl_err *err)
{
	const size_t before = c->n;
	const struct pl_json_at name = pl_json_member(at, "instance_type");
	const struct pl_json_at pricing = pl_json_member(at, "pricing");
	const char *instance, *key;
	json_t *value;

	if (pl_json_object(at, NULL, err) || pl_json_string(&name, &instance, err) ||
	    pl_json_object(&pricing, NULL, err))
		return -1;
	json_object_foreach(pricing.value, key, value)
	{
		const struct pl_json_at region = pl_json_member(&pricing, key);

		if (take_region(c, instance, &region, err))
			return -1;
	}
	return c->n > before ? 0 : leave_out(c, instance, err);
}

static int take_all(struct pl_catalogue *c, const struct pl_json_at *root, struct pl_err *err)
{
	size_t n;

	if (json_is_object(root->value))
		return take_instance(c, root, err);
	if (pl_json_array(root, 1, INSTANCES_MAX, &n, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at at = pl_json_element(root, i);

		if (take_instance(c, &at, err))
			return -1;
	}
	return 0;
}

int pl_offers_ec2instances(struct pl_catalogue *c, const struct pl_text *text, struct pl_err *err)
{
	struct pl_json doc;
	struct pl_json_at root;
	int rc;

	if (pl_json_parse(&doc, text, err))
		return -1;
	root = pl_json_root(&doc);
	rc = take_all(c, &root, err);
	if (rc == 0 && c->n == 0)
		rc = pl_json_fault(&root, err,
				   "no instance has a Linux price: there is nothing to choose");
	pl_json_fini(&doc);
	return rc;
}
