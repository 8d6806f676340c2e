/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - an order and all that is known about it, as JSON */
#include "config.h"

#include "src/order/output.h"

#include "costmodels/catalogue.h"
#include "src/common/json.h"
#include "src/order/forecast-json.h"
#include "src/order/job.h"
#include "src/order/nccl-takes.h"

#include <math.h>

/* Whole numbers are written as such. NaN and numbers that no double can hold become null. */
static json_t *number(double x)
{
	if (!isfinite(x))
		return json_null();
	if (x == floor(x) && fabs(x) < 9e15)
		return json_integer((json_int_t)x);
	return json_real(x);
}

json_t *pl_reorder_json_names(const struct pl_hosts *hosts, const size_t *host_at)
{
	json_t *list = json_array();

	for (size_t k = 0; k < hosts->n; k++)
		pl_list_add(&list, pl_tool_json_text(hosts->v[host_at ? host_at[k] : k].name));
	return list;
}

/* To the microsecond: more would be noise. */
static json_t *seconds(const struct pl_reorder_answer *a)
{
	return json_pack("{s:f, s:f, s:f}", "probe", round(a->from->probe.seconds * 1e6) / 1e6,
			 "solve", round(a->r->solve_seconds * 1e6) / 1e6, "bound",
			 round(a->r->bound_seconds * 1e6) / 1e6);
}

static json_t *misplaced(const struct pl_reorder_topology *topology)
{
	json_t *list = json_array();

	for (size_t k = 0; k < topology->n_misplaced && k < PL_REORDER_TOPOLOGY_WORST; k++) {
		const struct pl_reorder_misplaced *m = &topology->worst[k];

		pl_list_add(&list, json_pack("{s:o, s:o, s:o, s:f, s:f}", "host",
					     pl_tool_json_text(m->host), "told",
					     pl_tool_json_text(m->told), "near",
					     pl_tool_json_text(m->near), "own_cost", m->own_cost,
					     "near_cost", m->near_cost));
	}
	return list;
}

/* The file of --topology, and how it agrees with the measurements. */
static json_t *topology(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_topology *topology = &a->from->topology;
	json_t *obj = json_object();

	pl_obj_set(&obj, "form", pl_tool_json_text(topology->form));
	pl_obj_set(&obj, "levels", pl_tool_json_whole(topology->levels));
	pl_obj_set(&obj, "hosts_unknown", pl_tool_json_whole(topology->n_unknown));
	pl_obj_set(&obj, "pairs_told", pl_tool_json_whole(topology->pairs));
	if (a->o->matrix) {
		pl_obj_set(&obj, "affinity", number(topology->affinity));
		pl_obj_set(&obj, "hosts_compared", pl_tool_json_whole(topology->n_judged));
		pl_obj_set(&obj, "hosts_misplaced", pl_tool_json_whole(topology->n_misplaced));
		pl_obj_set(&obj, "misplaced", misplaced(topology));
	}
	return obj;
}

static void set_algorithm(json_t **obj, const struct pl_reorder_answer *a)
{
	const struct pl_order_algorithm *what = &a->o->request.what;
	const char *takes;

	pl_obj_set(obj, "collective", pl_tool_json_text(pl_collective_name(what->a->collective)));
	pl_obj_set(obj, "algorithm", pl_tool_json_text(what->name));
	pl_obj_set(obj, "impl", pl_tool_json_text(pl_impl_name(what->a->impl)));
	if (a->r->taken)
		pl_obj_set(obj, "taken", pl_tool_json_text(a->r->taken->name));
	if (a->r->taken && !what->has_size && what->a->collective != PL_BARRIER)
		pl_obj_set(obj, "taken_at",
			   pl_tool_json_whole(
				   pl_order_unsaid_bytes(what, pl_hosts_ranks(&a->in->hosts))));
	if (pl_reorder_nccl_algo(a))
		pl_obj_set(obj, "nccl_algo", pl_tool_json_text(pl_reorder_nccl_algo(a)));
	if (pl_reorder_nccl_takes(a, &takes))
		pl_obj_set(obj, "nccl_takes", takes ? pl_tool_json_text(takes) : json_null());
	if (pl_collective_has_root(what->a->collective))
		pl_obj_set(obj, "root", pl_tool_json_whole(what->root));
	pl_obj_set(obj, "size", what->has_size ? pl_tool_json_whole(what->bytes) : json_null());
}

static json_t *named_call(const struct pl_order_work *work)
{
	json_t *obj = json_object();

	pl_obj_set(&obj, "collective",
		   pl_tool_json_text(pl_collective_name(work->what.a->collective)));
	pl_obj_set(&obj, "size",
		   work->what.has_size ? pl_tool_json_whole(work->what.bytes) : json_null());
	pl_obj_set(&obj, "algorithm", pl_tool_json_text(work->what.name));
	if (work->taken)
		pl_obj_set(&obj, "taken", pl_tool_json_text(work->taken->name));
	return obj;
}

/* A call of the workload, in both orders. */
static json_t *call(const struct pl_order_promise *p, size_t i)
{
	const struct pl_order_work *work = &p->w.v[i];
	const struct pl_order_pledge *pledge = &p->call[i];
	json_t *obj = named_call(work);

	pl_obj_set(&obj, "weight", number(work->weight));
	pl_obj_set(&obj, p->in_seconds ? "seconds_given" : "cost_given", number(pledge->given));
	pl_obj_set(&obj, p->in_seconds ? "seconds" : "cost", number(pledge->found));
	pl_obj_set(&obj, p->in_seconds ? "seconds_least" : "cost_least", number(pledge->least));
	return obj;
}

static json_t *calls(const struct pl_order_promise *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->w.n && !p->guessed; i++)
		pl_list_add(&list, call(p, i));
	return list;
}

/* Those that depend on rates that are not known. */
static json_t *not_promised(const struct pl_order_promise *p)
{
	const struct pl_order_work *v = p->guessed ? p->w.v : p->w.guessed;
	const size_t n = p->guessed ? p->w.n : p->w.n_guessed;
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		pl_list_add(&list, named_call(&v[i]));
	return list;
}

static json_t *texts(const struct pl_reorder_remarks *remarks)
{
	json_t *list = json_array();

	for (size_t i = 0; i < remarks->n; i++)
		pl_list_add(&list, pl_tool_json_text(remarks->v[i].text));
	return list;
}

/* An order that gains in all and loses at one call: the one taken, or one that was not. */
static json_t *trade(const struct pl_order_promise *p)
{
	return isnan(p->refused_loss)
		       ? json_null()
		       : json_pack("{s:b, s:f, s:f, s:f, s:I}", "taken", pl_order_loses(p),
				   "gain_percent", p->refused_gain, "loss_percent", p->refused_loss,
				   "chance_percent", p->refused_chance, "call",
				   (json_int_t)p->refused_call);
}

static json_t *answer(const struct pl_reorder_answer *a)
{
	json_t *obj = json_object();
	const struct pl_order_input *in = a->in;
	const struct pl_order_result *r = a->r;

	if (a->job)
		pl_obj_set(&obj, "job", pl_reorder_json_job(a));
	else
		set_algorithm(&obj, a);
	if (in->window_bytes > 0)
		pl_obj_set(&obj, "window", number(in->window_bytes));
	pl_obj_set(&obj, "unit",
		   a->promise && a->promise->blended ? json_null()
						     : pl_tool_json_text(pl_unit_name(in->unit)));
	pl_obj_set(&obj, "n", pl_tool_json_whole(in->hosts.n));
	pl_obj_set(&obj, "hosts", pl_reorder_json_names(a->given, NULL));
	pl_obj_set(&obj, "order", pl_reorder_json_names(&in->hosts, r->host_at));
	if (a->left_out) {
		pl_obj_set(&obj, "chosen", pl_reorder_json_names(&in->hosts, NULL));
		pl_obj_set(&obj, "left_out", pl_reorder_json_names(a->left_out, NULL));
	}
	if (a->promise) {
		pl_obj_set(&obj, "gain_percent",
			   number(a->promise->guessed ? NAN : a->promise->gain));
		pl_obj_set(&obj, "calls", calls(a->promise));
		pl_obj_set(&obj, "not_promised", not_promised(a->promise));
		pl_obj_set(&obj, "rates_missing", texts(&a->from->no_rates));
	}
	if (a->promise && !a->o->cost_of) {
		pl_obj_set(&obj, "kept", json_boolean(a->r->kept || a->promise->held));
		pl_obj_set(&obj, "trade", trade(a->promise));
	}
	pl_obj_set(&obj, "cost_given", number(r->cost_given));
	pl_obj_set(&obj, "cost", number(r->cost));
	pl_obj_set(&obj, "bound", number(r->bound));
	pl_obj_set(&obj, "gap", number(pl_order_gap(r)));
	pl_obj_set(&obj, "exact", json_boolean(r->exact));
	if (!isnan(r->hops)) {
		pl_obj_set(&obj, "hops_given", number(r->hops_given));
		pl_obj_set(&obj, "hops", number(r->hops));
	}
	if (a->o->request.method != PL_METHOD_SEARCH)
		pl_obj_set(&obj, "method",
			   pl_tool_json_text(pl_order_method_name(a->o->request.method)));
	pl_obj_set(&obj, "seed", pl_tool_json_whole(a->o->request.seed));
	pl_obj_set(&obj, "moves", pl_tool_json_whole(r->moves));
	pl_obj_set(&obj, "threads", pl_tool_json_whole(r->threads));
	pl_obj_set(&obj, "pairs_measured", pl_tool_json_whole(in->pairs_measured));
	pl_obj_set(&obj, "pairs_missing", pl_tool_json_whole(in->pairs_missing));
	if (in->bandwidths.n > 0)
		pl_obj_set(&obj, "bandwidths_unreliable",
			   pl_tool_json_whole(in->bandwidths.n_unreliable));
	if (a->from->topology.form)
		pl_obj_set(&obj, "topology", topology(a));
	pl_obj_set(&obj, "seconds", seconds(a));
	if (a->forecast)
		pl_obj_set(&obj, "predict", pl_reorder_json_forecast(a));
	return obj;
}

int pl_reorder_write_json(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	return pl_tool_json_write(PL_REORDER_TOOL, answer(a), out, err);
}
