/* SPDX-License-Identifier: BSD-3-Clause */
/* offers.h - what the readers of catalogues share */
#ifndef PLINK_PLANNER_CATALOGUE_OFFERS_H
#define PLINK_PLANNER_CATALOGUE_OFFERS_H

#include "planner/catalogue/catalogue.h"

/* Adds the offers in the rest of the text. 0, or -1 with @err set; offers added before the error
 * stay. */
int pl_offers_csv(struct pl_catalogue *c, struct pl_text *text, struct pl_err *err);
int pl_offers_ec2instances(struct pl_catalogue *c, const struct pl_text *text, struct pl_err *err);

/* Strings of an offer to add; they need not end in a zero byte. */
struct pl_offer_names {
	const char *instance, *region, *zone;
	size_t instance_len, region_len, zone_len;
};

/* Adds an offer with copies of the strings. Returns it, for the caller to fill in prices,
 * availability and place; NULL with @err set: out of memory. */
struct pl_offer *pl_offers_add(struct pl_catalogue *c, const struct pl_offer_names *names,
			       struct pl_err *err);

#endif
