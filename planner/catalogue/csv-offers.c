/* SPDX-License-Identifier: BSD-3-Clause */
/* csv-offers.c - catalogues as CSV: SkyPilot's, and plink's own */
#include "config.h"

#include "base/text/fields.h"
#include "base/text/number.h"
#include "planner/catalogue/offers.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 64
#define NAME_MAX_BYTES 255

enum column { INSTANCE, PRICE, SPOT_PRICE, AVAILABLE, SPOT_AVAILABLE, REGION, ZONE, COLUMNS };

/* Names of columns; all others are ignored. */
static const char *const skypilot[COLUMNS] = {
	[INSTANCE] = "InstanceType", [PRICE] = "Price",           [SPOT_PRICE] = "SpotPrice",
	[REGION] = "Region",         [ZONE] = "AvailabilityZone",
};
static const char *const own[COLUMNS] = {
	[INSTANCE] = "instance",   [PRICE] = "price",   [SPOT_PRICE] = "spot",
	[AVAILABLE] = "available", [REGION] = "region", [SPOT_AVAILABLE] = "spot_available",
	[ZONE] = "zone",
};

struct reader {
	struct pl_catalogue *c;
	bool is_skypilot;
	size_t n;           /* columns */
	size_t at[COLUMNS]; /* which one each is; n: there is none */
	struct pl_err *err;
};

/* Cuts a line into fields. -1 with @err set: PL_EINPUT. */
static int cut(const struct pl_line *line, struct pl_word field[COLUMNS_MAX], size_t *n,
	       struct pl_err *err)
{
	struct pl_fields fields = {.line = *line, .more = true};
	struct pl_word word;
	int more;

	*n = 0;
	while ((more = pl_fields_next(&fields, &word, err)) > 0) {
		if (*n == COLUMNS_MAX)
			return pl_err_at(err, word.place, "more than %d columns", COLUMNS_MAX);
		field[(*n)++] = word;
	}
	return more;
}

/* The columns by name: 0; 1 where it is another catalogue; -1 with @err set. */
static int take_header(struct reader *r, const char *const *names, const struct pl_word *field,
		       size_t n)
{
	for (size_t k = 0; k < COLUMNS; k++)
		r->at[k] = n;
	r->n = n;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < COLUMNS; k++) {
			if (!names[k] || !pl_word_is(&field[i], names[k]))
				continue;
			if (r->at[k] < n)
				return pl_err_at(r->err, field[i].place,
						 "column \"%s\" comes again", names[k]);
			r->at[k] = i;
		}
	return r->at[INSTANCE] == n;
}

static int read_header(struct reader *r, struct pl_text *text)
{
	struct pl_word field[COLUMNS_MAX];
	struct pl_line line = {.file = text->name, .number = 1};
	size_t n;
	int other;

	do {
		if (!pl_text_next(text, &line))
			return pl_err_at(r->err, (struct pl_place){text->name, 1, 1},
					 "this is not a catalogue: the file is empty");
	} while (line.len == 0 || *line.s == '#');
	if (cut(&line, field, &n, r->err))
		return -1;
	r->is_skypilot = true;
	other = take_header(r, skypilot, field, n);
	if (other == 1) {
		r->is_skypilot = false;
		other = take_header(r, own, field, n);
	}
	if (other < 0)
		return -1;
	if (other)
		return pl_err_at(
			r->err, field[0].place,
			"this is not a catalogue: no column is called instance or InstanceType");
	if (r->at[PRICE] < n || r->at[SPOT_PRICE] < n)
		return 0;
	return pl_err_at(r->err, field[0].place, "no column has prices");
}

/* An empty field is no price; nor is a 0 in SkyPilot's catalogue. */
static int take_price(const struct reader *r, const struct pl_word *w, double *price)
{
	if (w->len == 0)
		return 0;
	if (pl_double_parse(w->s, w->len, price) || isnan(*price))
		return pl_err_at(r->err, w->place, "\"%.*s\" is not a price", (int)w->len, w->s);
	if (!(*price >= 0 && *price <= PL_PRICE_MAX))
		return pl_err_at(r->err, w->place,
				 "a price of %g dollars an hour is not from 0 to %g", *price,
				 PL_PRICE_MAX);
	if (*price == 0 && r->is_skypilot)
		*price = NAN;
	return 0;
}

static int take_count(const struct reader *r, const struct pl_word *w, size_t *count)
{
	uint64_t n;

	if (w->len == 0)
		return 0;
	if (pl_uint_parse(w->s, w->len, PL_AVAILABLE_MAX, &n) || n == 0)
		return pl_err_at(r->err, w->place,
				 "\"%.*s\" is not a number of machines from 1 to %d; leave out a "
				 "line without machines",
				 (int)w->len, w->s, PL_AVAILABLE_MAX);
	*count = (size_t)n;
	return 0;
}

static int check_name(const struct reader *r, const struct pl_word *w)
{
	if (w->len > NAME_MAX_BYTES)
		return pl_err_at(r->err, w->place, "more than %d bytes", NAME_MAX_BYTES);
	for (size_t i = 0; i < w->len; i++)
		if ((unsigned char)w->s[i] < ' ' || w->s[i] == 0x7f)
			return pl_err_at(r->err, w->place, "a control character");
	return 0;
}

/* SkyPilot lists accelerators, too, that are not machines: they have no instance. */
static int take_row(struct reader *r, const struct pl_line *line)
{
	struct pl_word field[COLUMNS_MAX], w[COLUMNS] = {{0}};
	struct pl_offer_names names;
	struct pl_offer *offer;
	size_t n;

	if (cut(line, field, &n, r->err))
		return -1;
	if (n != r->n)
		return pl_err_at(r->err, field[n - 1].place, "the line has %zu columns, not %zu", n,
				 r->n);
	for (size_t k = 0; k < COLUMNS; k++)
		if (r->at[k] < n)
			w[k] = field[r->at[k]];
	if (check_name(r, &w[INSTANCE]) || check_name(r, &w[REGION]) || check_name(r, &w[ZONE]))
		return -1;
	if (w[INSTANCE].len == 0 && r->is_skypilot)
		return 0;
	if (w[INSTANCE].len == 0)
		return pl_err_at(r->err, w[INSTANCE].place, "an instance without a name");
	names = (struct pl_offer_names){w[INSTANCE].s,
					w[REGION].len ? w[REGION].s : "",
					w[ZONE].len ? w[ZONE].s : "",
					w[INSTANCE].len,
					w[REGION].len,
					w[ZONE].len};
	offer = pl_offers_add(r->c, &names, r->err);
	if (!offer)
		return -1;
	offer->line = line->number;
	offer->col = w[INSTANCE].place.col;
	if (take_price(r, &w[PRICE], &offer->price[PL_ON_DEMAND]) ||
	    take_price(r, &w[SPOT_PRICE], &offer->price[PL_SPOT]) ||
	    take_count(r, &w[AVAILABLE], &offer->available[PL_ON_DEMAND]) ||
	    take_count(r, &w[SPOT_AVAILABLE], &offer->available[PL_SPOT]))
		return -1;
	if (r->is_skypilot || !isnan(offer->price[PL_SPOT]) || !isnan(offer->price[PL_ON_DEMAND]))
		return 0;
	return pl_err_at(r->err, w[INSTANCE].place, "%s has no price", offer->instance);
}

int pl_offers_csv(struct pl_catalogue *c, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.c = c, .err = err};
	struct pl_line line;

	if (read_header(&r, text))
		return -1;
	while (pl_text_next(text, &line))
		if (line.len > 0 && *line.s != '#' && take_row(&r, &line))
			return -1;
	return 0;
}
