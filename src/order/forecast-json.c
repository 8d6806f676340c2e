/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-json.c - --predict as JSON */
#include "config.h"

#include "src/order/forecast-json.h"

#include "costmodels/catalogue.h"
#include "src/order/setting.h"

/* Sets @key of @obj, taking @value; -1 where memory ran out before or now. */
static int set(json_t *obj, const char *key, json_t *value)
{
	return json_object_set_new(obj, key, value);
}

static json_t *rate(double bps)
{
	return bps > 0 ? json_real(bps) : json_null();
}

/* Seconds of the two orders under @key of @row. */
static json_t *times(const struct pl_order_time *given,
		     const struct pl_order_time *found)
{
	return json_pack("{s:f,s:f}", "given", given->seconds, "found",
			 found->seconds);
}

static int set_eager(json_t *obj, const struct pl_order_row *row)
{
	char setting[PL_SETTING_CHARS];
	int bad = 0;

	if (!row->eager_bytes)
		return 0;
	bad |= set(obj, "eager_limit",
		   json_integer((json_int_t)row->eager_bytes));
	bad |= set(obj, "eager_seconds",
		   times(&row->raised_given, &row->raised_found));
	bad |= set(obj, "eager_setting",
		   json_string(pl_order_eager_setting(setting, row)));
	return bad;
}

static int set_times(json_t *obj, const struct pl_order_row *row,
		     const struct pl_hosts *hosts)
{
	char setting[PL_SETTING_CHARS];
	int bad = 0;

	bad |= set(obj, "seconds", times(&row->given, &row->found));
	bad |= set(obj, "order", pl_order_json_names(hosts, row->host_at));
	bad |= set(obj, "waits_for",
		   json_string(pl_bound_name(row->found.bound)));
	bad |= set(obj, "waits_share", json_real(row->found.share));
	pl_algorithm_setting(setting, row->what.a, row->what.radix,
			     row->what.segment_bytes);
	if (*setting)
		bad |= set(obj, "setting", json_string(setting));
	return bad | set_eager(obj, row);
}

static json_t *algorithm(const struct pl_order_row *row,
			 const struct pl_hosts *hosts)
{
	json_t *obj = json_object();
	int bad = set(obj, "algorithm", json_string(row->what.name));

	if (row->taken)
		bad |= set(obj, "taken", json_string(row->taken->name));
	if (*row->why)
		bad |= set(obj, "unknown", json_string(row->why));
	else
		bad |= set_times(obj, row, hosts);
	if (!bad)
		return obj;
	json_decref(obj);
	return NULL;
}

static json_t *best(const struct pl_order_forecast *f, size_t size)
{
	bool given = true;
	const struct pl_order_row *row = pl_order_best(f, size, &given);

	return row ? json_pack("{s:s,s:s,s:f}", "algorithm", row->what.name,
			       "order", given ? "given" : "found", "seconds",
			       given ? row->given.seconds : row->found.seconds)
		   : json_null();
}

static json_t *one_size(const struct pl_order_answer *a, size_t size)
{
	const struct pl_order_forecast *f = a->forecast;
	const struct pl_order_row *row = &f->row[size * f->n_algorithms];
	json_t *obj = json_object(), *list = json_array();
	int bad = 0;

	bad |= set(obj, "size",
		   row->what.has_size
			   ? json_integer((json_int_t)row->what.bytes)
			   : json_null());
	bad |= set(obj, "best", best(f, size));
	for (size_t i = 0; i < f->n_algorithms; i++)
		bad |= json_array_append_new(list,
					     algorithm(&row[i], &a->in->hosts));
	bad |= set(obj, "algorithms", list);
	if (!bad)
		return obj;
	json_decref(obj);
	return NULL;
}

json_t *pl_order_json_forecast(const struct pl_order_answer *a)
{
	const struct pl_order_forecast *f = a->forecast;
	json_t *obj = json_object(), *sizes = json_array();
	int bad = 0;

	bad |= set(obj, "protocol", json_string(f->protocol.name));
	bad |= set(obj, "ranks", json_integer((json_int_t)f->n_ranks));
	bad |= set(obj, "racks", json_integer((json_int_t)f->n_racks));
	bad |= set(obj, "nic", rate(a->o->request.nic_bps));
	bad |= set(obj, "uplink", rate(a->o->request.uplink_bps));
	for (size_t s = 0; s < f->n_sizes; s++)
		bad |= json_array_append_new(sizes, one_size(a, s));
	bad |= set(obj, "sizes", sizes);
	if (!bad)
		return obj;
	json_decref(obj);
	return NULL;
}
