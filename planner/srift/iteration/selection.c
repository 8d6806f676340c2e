/* SPDX-License-Identifier: BSD-3-Clause */
/* selection.c - which machines a job runs on, each with how many samples */
#include "config.h"

#include "planner/srift/iteration/selection.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 1000000000
#define PRICE_MAX 1e6

void pl_selection_fini(struct pl_selection *sel)
{
	free(sel->part);
	memset(sel, 0, sizeof(*sel));
}

double pl_selection_data_s(const struct pl_selection_part *part)
{
	return (double)part->batch * (part->instance->prep_s + part->instance->fetch_s);
}

size_t pl_selection_machines(const struct pl_selection *sel)
{
	size_t n = 0;

	for (size_t i = 0; i < sel->n_parts; i++)
		n += sel->part[i].count;
	return n;
}

size_t pl_selection_ranks(const struct pl_selection *sel)
{
	size_t n = 0;

	for (size_t i = 0; i < sel->n_parts; i++)
		n += sel->part[i].count * sel->part[i].instance->ranks;
	return n;
}

uint64_t pl_selection_batch(const struct pl_selection *sel)
{
	uint64_t n = 0;

	for (size_t i = 0; i < sel->n_parts; i++)
		n += sel->part[i].count * sel->part[i].batch;
	return n;
}

double pl_selection_per_hour(const struct pl_selection *sel)
{
	double sum = (double)sel->n_hubs * sel->hub_price_per_hour;

	for (size_t i = 0; i < sel->n_parts; i++)
		sum += (double)sel->part[i].count * sel->part[i].price_per_hour;
	return sum;
}

double pl_selection_cost(const struct pl_selection *sel, double seconds)
{
	return pl_selection_per_hour(sel) * seconds / 3600;
}

static struct pl_selection_part *find(struct pl_selection *sel,
				      const struct pl_profile_instance *instance)
{
	for (size_t i = 0; i < sel->n_parts; i++)
		if (sel->part[i].instance == instance)
			return &sel->part[i];
	return NULL;
}

/* The names in the profile, for a message about another name. */
static int fault_type(const char *name, size_t len, const struct pl_profile *profile,
		      struct pl_err *err)
{
	char names[300] = "";
	size_t used = 0;

	for (size_t i = 0; i < profile->n_instances; i++) {
		const char *known = profile->instance[i].name;

		if (used + strlen(known) + 8 > sizeof(names)) {
			strcpy(names + used, ", ...");
			break;
		}
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 known);
	}
	return pl_err_set(err, PL_EUSAGE, "no instance \"%.*s\" in the profile; it has %s",
			  (int)len, name, names);
}

/* "4xp3.8xlarge@1024" */
static int parse_part(struct pl_selection *sel, const char *s, size_t len, bool has_global,
		      const struct pl_profile *profile, struct pl_err *err)
{
	const size_t digits = strspn(s, "0123456789");
	const char *name = s + digits + 1;
	const char *at = memchr(s, '@', len);
	const size_t name_end = at ? (size_t)(at - s) : len;
	struct pl_selection_part part = {.price_per_hour = NAN};
	uint64_t count = 0;

	if (digits + 1 >= name_end || s[digits] != 'x' ||
	    pl_uint_parse(s, digits, PL_SELECTION_MACHINES_MAX, &count) || count == 0 ||
	    has_global == (at != NULL) ||
	    (at && (pl_uint_parse(at + 1, len - name_end - 1, BATCH_MAX, &part.batch) ||
		    part.batch == 0)))
		return pl_err_set(err, PL_EUSAGE, "\"%.*s\" is not like %s: machines, instance%s",
				  (int)len, s, has_global ? "4xNAME" : "4xNAME@64",
				  has_global ? ", and no samples of each beside those of all"
					     : ", samples of each");
	part.count = (size_t)count;
	part.instance = pl_profile_find(profile, name, name_end - digits - 1);
	if (!part.instance)
		return fault_type(name, name_end - digits - 1, profile, err);
	if (find(sel, part.instance))
		return pl_err_set(err, PL_EUSAGE, "\"%s\" comes twice", part.instance->name);
	if (pl_array_grow((void **)&sel->part, &sel->room, sel->n_parts, sizeof(*sel->part)))
		return pl_err_nomem(err);
	sel->part[sel->n_parts++] = part;
	return 0;
}

static int split(struct pl_selection *sel, uint64_t global, struct pl_err *err)
{
	const size_t n = pl_selection_machines(sel);

	if (global % n)
		return pl_err_set(err, PL_EUSAGE,
				  "%" PRIu64 " samples cannot be split evenly over %zu machines",
				  global, n);
	for (size_t i = 0; i < sel->n_parts; i++)
		sel->part[i].batch = global / n;
	return 0;
}

/* Checks its batch and takes the times at it. */
static int take_times(struct pl_selection_part *part, struct pl_err *err)
{
	const struct pl_profile_instance *in = part->instance;
	const struct pl_profile_curve *curve = &in->forward;
	const double batch = (double)part->batch;

	if (part->batch % in->ranks)
		return pl_err_set(err, PL_EUSAGE,
				  "%s: %" PRIu64
				  " samples cannot be split evenly over its %zu accelerators",
				  in->name, part->batch, in->ranks);
	if (batch > curve->batch[curve->n - 1])
		return pl_err_set(err, PL_EUSAGE,
				  "%s: %" PRIu64
				  " samples are more than the %g that the profile says it can hold",
				  in->name, part->batch, curve->batch[curve->n - 1]);
	if (batch < curve->batch[0])
		return pl_err_set(err, PL_EUSAGE,
				  "%s: %" PRIu64
				  " samples are fewer than the least batch of the profile, %g",
				  in->name, part->batch, curve->batch[0]);
	part->forward_s = pl_profile_seconds(&in->forward, batch);
	part->backward_s = pl_profile_seconds(&in->backward, batch);
	return 0;
}

static int parse(struct pl_selection *sel, const char *s, uint64_t global,
		 const struct pl_profile *profile, struct pl_err *err)
{
	for (;;) {
		const size_t len = strcspn(s, ",");

		if (parse_part(sel, s, len, global != 0, profile, err))
			return -1;
		if (!s[len])
			break;
		s += len + 1;
	}
	if (pl_selection_machines(sel) > PL_SELECTION_MACHINES_MAX)
		return pl_err_set(err, PL_EUSAGE, "more than %d machines",
				  PL_SELECTION_MACHINES_MAX);
	if (global && split(sel, global, err))
		return -1;
	for (size_t i = 0; i < sel->n_parts; i++)
		if (take_times(&sel->part[i], err))
			return -1;
	return 0;
}

int pl_selection_parse(struct pl_selection *sel, const char *s, uint64_t global,
		       const struct pl_profile *profile, struct pl_err *err)
{
	const int rc = parse(sel, s, global, profile, err);

	if (rc)
		pl_selection_fini(sel);
	return rc;
}

static bool is_called(const char *name, const char *s, const char *end)
{
	return strlen(name) == (size_t)(end - s) && strncmp(name, s, strlen(name)) == 0;
}

int pl_selection_prices(struct pl_selection *sel, const char *s, struct pl_err *err)
{
	sel->hub_price_per_hour = sel->hub ? NAN : 0;
	for (const char *end; *s; s = end + (*end == ',')) {
		const char *equals = s + strcspn(s, "=,");
		double price;

		end = s + strcspn(s, ",");
		if (*equals != '=' ||
		    pl_double_parse(equals + 1, (size_t)(end - equals - 1), &price) ||
		    !(price >= 0 && price <= PRICE_MAX))
			return pl_err_set(err, PL_EUSAGE,
					  "\"%.*s\" is not like NAME=0.72: instance, hourly price "
					  "from 0 to %g",
					  (int)(end - s), s, PRICE_MAX);
		for (size_t i = 0; i < sel->n_parts; i++) {
			struct pl_selection_part *part = &sel->part[i];

			if (is_called(part->instance->name, s, equals))
				part->price_per_hour = price;
		}
		if (sel->hub && is_called(sel->hub, s, equals))
			sel->hub_price_per_hour = price;
	}
	for (size_t i = 0; i < sel->n_parts; i++)
		if (isnan(sel->part[i].price_per_hour))
			return pl_err_set(err, PL_EUSAGE, "no hourly price is given for %s",
					  sel->part[i].instance->name);
	if (isnan(sel->hub_price_per_hour))
		return pl_err_set(err, PL_EUSAGE, "no hourly price is given for %s", sel->hub);
	return 0;
}
