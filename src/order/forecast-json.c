/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-json.c - --predict as JSON */
#include "config.h"

#include "src/order/forecast-json.h"

#include "costmodels/catalogue.h"
#include "src/common/json.h"
#include "src/order/setting.h"

static json_t *rate(double bps)
{
	return bps > 0 ? json_real(bps) : json_null();
}

/* Seconds of the two orders under @key of @row. */
static json_t *times(const struct pl_order_time *given, const struct pl_order_time *found)
{
	return json_pack("{s:f,s:f}", "given", given->seconds, "found", found->seconds);
}

static void set_eager(json_t **obj, const struct pl_reorder_row *row)
{
	char setting[PL_SETTING_CHARS];

	if (!row->eager_bytes)
		return;
	pl_obj_set(obj, "eager_limit", pl_tool_json_whole(row->eager_bytes));
	pl_obj_set(obj, "eager_seconds", times(&row->raised_given, &row->raised_found));
	pl_obj_set(obj, "eager_setting", pl_tool_json_text(pl_reorder_eager_setting(setting, row)));
}

static void set_times(json_t **obj, const struct pl_reorder_row *row,
		      const struct pl_reorder_answer *a)
{
	char setting[PL_REORDER_SETTING];

	pl_obj_set(obj, "seconds", times(&row->given, &row->found));
	pl_obj_set(obj, "order", pl_reorder_json_names(&a->in->hosts, row->host_at));
	pl_obj_set(obj, "waits_for", pl_tool_json_text(pl_bound_name(row->found.bound)));
	pl_obj_set(obj, "waits_share", json_real(row->found.share));
	pl_reorder_row_setting(setting, &a->o->mpi, row);
	if (*setting)
		pl_obj_set(obj, "setting", pl_tool_json_text(setting));
	set_eager(obj, row);
}

static json_t *algorithm(const struct pl_reorder_row *row, const struct pl_reorder_answer *a)
{
	json_t *obj = json_pack("{s:s}", "algorithm", row->what.name);

	if (row->taken)
		pl_obj_set(&obj, "taken", pl_tool_json_text(row->taken->name));
	if (*row->why)
		pl_obj_set(&obj, "unknown", pl_tool_json_text(row->why));
	else
		set_times(&obj, row, a);
	return obj;
}

static json_t *best(const struct pl_reorder_forecast *f, size_t size)
{
	bool given = true;
	const struct pl_reorder_row *row = pl_reorder_best(f, size, &given);

	return row ? json_pack("{s:s,s:s,s:f}", "algorithm", row->what.name, "order",
			       given ? "given" : "found", "seconds",
			       given ? row->given.seconds : row->found.seconds)
		   : json_null();
}

static json_t *one_size(const struct pl_reorder_answer *a, size_t size)
{
	const struct pl_reorder_forecast *f = a->forecast;
	const struct pl_reorder_row *row = &f->row[size * f->n_algorithms];
	json_t *list = json_array();

	for (size_t i = 0; i < f->n_algorithms; i++)
		pl_list_add(&list, algorithm(&row[i], a));
	return json_pack("{s:o, s:o, s:o}", "size",
			 row->what.has_size ? pl_tool_json_whole(row->what.bytes) : json_null(),
			 "best", best(f, size), "algorithms", list);
}

json_t *pl_reorder_json_forecast(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_forecast *f = a->forecast;
	json_t *sizes = json_array();

	for (size_t s = 0; s < f->n_sizes; s++)
		pl_list_add(&sizes, one_size(a, s));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "protocol", f->protocol.name, "ranks",
			 pl_tool_json_whole(f->n_ranks), "racks", pl_tool_json_whole(f->n_racks),
			 "nic", rate(a->o->request.nic_bps), "uplink",
			 rate(a->o->request.uplink_bps), "sizes", sizes);
}
