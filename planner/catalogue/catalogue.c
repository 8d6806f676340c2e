/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.c - machines for rent and their prices */
#include "config.h"

#include "planner/catalogue/catalogue.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "planner/catalogue/offers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ec2instances.info has 10^8 bytes. */
#define TEXT_MAX ((size_t)512 << 20)

void pl_catalogue_fini(struct pl_catalogue *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->offer[i].instance);
		free(c->offer[i].region);
		free(c->offer[i].zone);
	}
	free(c->offer);
	free(c->unpriced);
	free(c->file);
	memset(c, 0, sizeof(*c));
}

struct pl_offer *pl_offers_add(struct pl_catalogue *c, const struct pl_offer_names *names,
			       struct pl_err *err)
{
	struct pl_offer offer = {
		.instance = pl_string_copy(names->instance, names->instance_len),
		.region = pl_string_copy(names->region, names->region_len),
		.zone = pl_string_copy(names->zone, names->zone_len),
		.price = {NAN, NAN},
		.taken = NAN,
	};

	if (!offer.instance || !offer.region || !offer.zone ||
	    pl_array_grow((void **)&c->offer, &c->room, c->n, sizeof(*c->offer))) {
		free(offer.instance);
		free(offer.region);
		free(offer.zone);
		pl_err_nomem(err);
		return NULL;
	}
	c->offer[c->n] = offer;
	return &c->offer[c->n++];
}

int pl_catalogue_parse(struct pl_catalogue *c, struct pl_text *text, struct pl_err *err)
{
	const char *s = text->data + text->pos;
	int rc;

	c->file = pl_string_copy(text->name, strlen(text->name));
	if (!c->file)
		return pl_err_nomem(err);
	s += strspn(s, " \t\r\n");
	rc = *s == '[' || *s == '{' ? pl_offers_ec2instances(c, text, err)
				    : pl_offers_csv(c, text, err);
	if (rc)
		pl_catalogue_fini(c);
	return rc;
}

int pl_catalogue_read(struct pl_catalogue *c, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_catalogue_parse(c, &text, err), PL_KIND_CATALOGUE, err);
}
