/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-catalogue.c - any bytes as a catalogue: prices from 0, or an error with its place */
#include "config.h"

#include "planner/catalogue/catalogue.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_offer *offer)
{
	if (!offer->instance || !offer->region || !offer->zone || offer->line < 0)
		abort();
	for (int k = 0; k < PL_MARKET_KINDS; k++)
		if (!(isnan(offer->price[k]) ||
		      (offer->price[k] >= 0 && offer->price[k] <= PL_PRICE_MAX)) ||
		    offer->available[k] > PL_AVAILABLE_MAX)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_catalogue c = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_catalogue_parse(&c, &text, &err) == 0)
		for (size_t i = 0; i < c.n; i++)
			check(&c.offer[i]);
	else if (err.code != PL_EINPUT || err.line < 1 || err.col < 1 || c.offer || c.file)
		abort();
	pl_catalogue_fini(&c);
	pl_text_fini(&text);
	return 0;
}
