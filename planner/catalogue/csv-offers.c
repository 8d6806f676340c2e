/* SPDX-License-Identifier: BSD-3-Clause */
/* csv-offers.c - catalogues as CSV: SkyPilot's, and plink's own */
#include "config.h"

#include "base/mem.h"
#include "base/text/fields.h"
#include "base/text/number.h"
#include "planner/catalogue/offers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 64
#define NAME_MAX_BYTES 255

enum column {
	INSTANCE,
	PRICE,
	SPOT_PRICE,
	AVAILABLE,
	SPOT_AVAILABLE,
	REGION,
	ZONE,
	GPU,
	GPUS,
	COLUMNS
};

/* Names of columns; all others are ignored. */
static const char *const skypilot[COLUMNS] = {
	[INSTANCE] = "InstanceType", [PRICE] = "Price",           [SPOT_PRICE] = "SpotPrice",
	[REGION] = "Region",         [ZONE] = "AvailabilityZone", [GPU] = "AcceleratorName",
	[GPUS] = "AcceleratorCount",
};
static const char *const own[COLUMNS] = {
	[INSTANCE] = "instance",   [PRICE] = "price",   [SPOT_PRICE] = "spot",
	[AVAILABLE] = "available", [REGION] = "region", [SPOT_AVAILABLE] = "spot_available",
	[ZONE] = "zone",
};

/*
 * Of Google Cloud, SkyPilot lists a machine without its GPUs, and these on a line of their own,
 * without a machine. Instances have the number of GPUs at their end, or (vCPUs) that of a table.
 */
static const struct family {
	const char *begins, *gpu;
} families[] = {
	{"a2-highgpu-", "A100"},  {"a2-megagpu-", "A100"}, {"a2-ultragpu-", "A100-80GB"},
	{"a3-highgpu-", "H100"},  {"a3-edgegpu-", "H100"}, {"a3-megagpu-", "H100-MEGA"},
	{"a3-ultragpu-", "H200"}, {"a4-highgpu-", "B200"}, {"a4x-highgpu-", "GB200"},
	{"g2-standard-", "L4"},
};
static const struct {
	uint64_t cpus, gpus;
} g2[] = {{4, 1}, {8, 1}, {12, 1}, {16, 1}, {24, 2}, {32, 1}, {48, 4}, {96, 8}};

/* GPUs without a machine, and machines without their GPUs. */
struct gpus {
	struct pl_word name, region, zone;
	double n, price[PL_MARKET_KINDS];
};
struct bare {
	size_t offer;
	const char *gpu; /* NULL: not known */
	double n;
};

struct reader {
	struct pl_catalogue *c;
	struct gpus *gpus;
	struct bare *bare;
	size_t n_gpus, gpus_room, n_bare, bare_room;
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

/* Those of an instance, by its name: 0, or 1 if it is none that has GPUs of its own. */
static int find_gpus(const struct pl_word *name, struct bare *bare)
{
	const char *end = name->s + name->len, *s = end;
	uint64_t n;

	*bare = (struct bare){.n = 0};
	s -= s > name->s && s[-1] == 'g';
	end = s;
	while (s > name->s && isdigit((unsigned char)s[-1]))
		s--;
	if (pl_uint_parse(s, (size_t)(end - s), 1024, &n))
		return 1;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if ((size_t)(s - name->s) == strlen(families[i].begins) &&
		    memcmp(name->s, families[i].begins, strlen(families[i].begins)) == 0)
			bare->gpu = families[i].gpu;
	if (*end == 'g') {
		bare->n = (double)n;
		return bare->gpu || (s - name->s > 4 && memcmp(s - 4, "gpu-", 4) == 0) ? 0 : 1;
	}
	for (size_t i = 0; bare->gpu && i < sizeof(g2) / sizeof(g2[0]); i++)
		if (g2[i].cpus == n)
			bare->n = (double)g2[i].gpus;
	return bare->gpu ? 0 : 1;
}

static int take_gpus(struct reader *r, const struct pl_word w[COLUMNS])
{
	struct gpus *g;

	if (w[GPU].len == 0 || w[GPUS].len == 0)
		return 0;
	if (pl_array_grow((void **)&r->gpus, &r->gpus_room, r->n_gpus, sizeof(*r->gpus)))
		return pl_err_nomem(r->err);
	g = &r->gpus[r->n_gpus++];
	*g = (struct gpus){
		.name = w[GPU], .region = w[REGION], .zone = w[ZONE], .price = {NAN, NAN}};
	if (pl_double_parse(w[GPUS].s, w[GPUS].len, &g->n))
		return pl_err_at(r->err, w[GPUS].place, "\"%.*s\" is not a number of GPUs",
				 (int)w[GPUS].len, w[GPUS].s);
	return take_price(r, &w[PRICE], &g->price[PL_ON_DEMAND]) ||
			       take_price(r, &w[SPOT_PRICE], &g->price[PL_SPOT])
		       ? -1
		       : 0;
}

/* The offer just added, if its price is that of a machine without its GPUs. */
static int take_bare(struct reader *r, const struct pl_word w[COLUMNS])
{
	struct bare bare;

	if (!r->is_skypilot || r->at[GPU] == r->n || w[GPU].len > 0 ||
	    find_gpus(&w[INSTANCE], &bare))
		return 0;
	if (pl_array_grow((void **)&r->bare, &r->bare_room, r->n_bare, sizeof(*r->bare)))
		return pl_err_nomem(r->err);
	bare.offer = r->c->n - 1;
	r->bare[r->n_bare++] = bare;
	return 0;
}

static bool is_of(const struct gpus *g, const struct bare *bare, const struct pl_offer *offer)
{
	return bare->gpu && pl_word_is(&g->name, bare->gpu) && g->n == bare->n &&
	       pl_word_is(&g->region, offer->region) && pl_word_is(&g->zone, offer->zone);
}

/* Adds the prices of their GPUs; a machine whose GPUs have none has no price. */
static void add_gpus(const struct reader *r)
{
	for (size_t i = 0; i < r->n_bare; i++) {
		struct pl_offer *offer = &r->c->offer[r->bare[i].offer];
		size_t k = 0;

		while (k < r->n_gpus && !is_of(&r->gpus[k], &r->bare[i], offer))
			k++;
		for (int kind = 0; kind < PL_MARKET_KINDS; kind++)
			offer->price[kind] += k < r->n_gpus ? r->gpus[k].price[kind] : NAN;
	}
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
		return take_gpus(r, w);
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
	    take_count(r, &w[SPOT_AVAILABLE], &offer->available[PL_SPOT]) || take_bare(r, w))
		return -1;
	if (r->is_skypilot || !isnan(offer->price[PL_SPOT]) || !isnan(offer->price[PL_ON_DEMAND]))
		return 0;
	return pl_err_at(r->err, w[INSTANCE].place, "%s has no price", offer->instance);
}

int pl_offers_csv(struct pl_catalogue *c, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.c = c, .err = err};
	struct pl_line line;
	int rc = read_header(&r, text);

	while (rc == 0 && pl_text_next(text, &line))
		if (line.len > 0 && *line.s != '#')
			rc = take_row(&r, &line);
	if (rc == 0)
		add_gpus(&r);
	free(r.gpus);
	free(r.bare);
	return rc;
}
