/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - an order and all that is known about it, as JSON */
#include "config.h"

#include "src/order/output.h"

#include "costmodels/catalogue.h"
#include "src/order/forecast-json.h"
#include "src/order/nccl-takes.h"

#include <jansson.h>
#include <math.h>

/* Sets @key of @obj, taking @value; -1 where memory ran out before or now. */
static int set(json_t *obj, const char *key, json_t *value)
{
	return json_object_set_new(obj, key, value);
}

/* Whole numbers are written as such, NaN and what no double can hold as null:
 * JSON has no word for either. */
static json_t *number(double x)
{
	if (!isfinite(x))
		return json_null();
	if (x == floor(x) && fabs(x) < 9e15)
		return json_integer((json_int_t)x);
	return json_real(x);
}

json_t *pl_order_json_names(const struct pl_hosts *hosts, const size_t *host_at)
{
	json_t *list = json_array();

	for (size_t k = 0; list && k < hosts->n; k++) {
		const size_t h = host_at ? host_at[k] : k;

		if (json_array_append_new(list,
					  json_string(hosts->v[h].name))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

/* To the microsecond: more would be noise. */
static json_t *seconds(const struct pl_order_answer *a)
{
	json_t *obj = json_object();
	const double probe = round(a->from->probe_seconds * 1e6) / 1e6;
	const double solve = round(a->r->solve_seconds * 1e6) / 1e6;
	const double bound = round(a->r->bound_seconds * 1e6) / 1e6;

	if (set(obj, "probe", json_real(probe)) ||
	    set(obj, "solve", json_real(solve)) ||
	    set(obj, "bound", json_real(bound))) {
		json_decref(obj);
		return NULL;
	}
	return obj;
}

static json_t *misplaced(const struct pl_order_topology *topology)
{
	json_t *list = json_array();

	for (size_t k = 0;
	     list && k < topology->n_misplaced && k < PL_ORDER_TOPOLOGY_WORST;
	     k++) {
		const struct pl_order_misplaced *m = &topology->worst[k];

		if (json_array_append_new(
			    list, json_pack("{s:s, s:s, s:s, s:f, s:f}", "host",
					    m->host, "told", m->told, "near",
					    m->near, "own_cost", m->own_cost,
					    "near_cost", m->near_cost))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

/* What was read of --topology, and how it fits what was measured. */
static json_t *topology(const struct pl_order_answer *a)
{
	const struct pl_order_topology *topology = &a->from->topology;
	json_t *obj = json_object();
	int bad = 0;

	bad |= set(obj, "form", json_string(topology->form));
	bad |= set(obj, "levels", json_integer((json_int_t)topology->levels));
	bad |= set(obj, "hosts_unknown",
		   json_integer((json_int_t)topology->n_unknown));
	bad |= set(obj, "pairs_told",
		   json_integer((json_int_t)topology->pairs));
	if (a->o->matrix) {
		bad |= set(obj, "affinity", number(topology->affinity));
		bad |= set(obj, "hosts_compared",
			   json_integer((json_int_t)topology->n_judged));
		bad |= set(obj, "hosts_misplaced",
			   json_integer((json_int_t)topology->n_misplaced));
		bad |= set(obj, "misplaced", misplaced(topology));
	}
	if (bad) {
		json_decref(obj);
		return NULL;
	}
	return obj;
}

static int set_algorithm(json_t *obj, const struct pl_order_answer *a)
{
	const struct pl_order_algorithm *what = &a->o->request.what;
	const char *takes;
	int bad = 0;

	bad |= set(obj, "collective",
		   json_string(pl_collective_name(what->a->collective)));
	bad |= set(obj, "algorithm", json_string(what->name));
	bad |= set(obj, "impl", json_string(pl_impl_name(what->a->impl)));
	if (a->r->taken)
		bad |= set(obj, "taken", json_string(a->r->taken->name));
	if (a->r->taken && !what->has_size && what->a->collective != PL_BARRIER)
		bad |= set(obj, "taken_at",
			   json_integer((json_int_t)pl_order_unsaid_bytes(
				   what, pl_hosts_ranks(&a->in->hosts))));
	if (pl_order_nccl_algo(a))
		bad |= set(obj, "nccl_algo",
			   json_string(pl_order_nccl_algo(a)));
	if (pl_order_nccl_takes(a, &takes))
		bad |= set(obj, "nccl_takes",
			   takes ? json_string(takes) : json_null());
	if (pl_collective_has_root(what->a->collective))
		bad |= set(obj, "root", json_integer((json_int_t)what->root));
	bad |= set(obj, "size",
		   what->has_size ? json_integer((json_int_t)what->bytes)
				  : json_null());
	return bad;
}

/* A call of the workload, in both orders. */
static json_t *call(const struct pl_order_promise *p, size_t i)
{
	const struct pl_order_work *work = &p->w.v[i];
	const struct pl_order_pledge *pledge = &p->call[i];
	json_t *obj = json_object();
	int bad = 0;

	bad |= set(obj, "collective",
		   json_string(pl_collective_name(work->what.a->collective)));
	bad |= set(obj, "size",
		   work->what.has_size
			   ? json_integer((json_int_t)work->what.bytes)
			   : json_null());
	bad |= set(obj, "algorithm", json_string(work->what.name));
	if (work->taken)
		bad |= set(obj, "taken", json_string(work->taken->name));
	bad |= set(obj, "weight", number(work->weight));
	bad |= set(obj, p->in_seconds ? "seconds_given" : "cost_given",
		   number(pledge->given));
	bad |= set(obj, p->in_seconds ? "seconds" : "cost",
		   number(pledge->found));
	bad |= set(obj, p->in_seconds ? "seconds_least" : "cost_least",
		   number(pledge->least));
	if (bad) {
		json_decref(obj);
		return NULL;
	}
	return obj;
}

static json_t *calls(const struct pl_order_promise *p)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < p->w.n; i++)
		if (json_array_append_new(list, call(p, i))) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/* What gains in all and loses at one call: the order taken, or another that was
 * not. */
static json_t *trade(const struct pl_order_promise *p)
{
	return isnan(p->refused_loss)
		       ? json_null()
		       : json_pack("{s:b, s:f, s:f, s:I}", "taken",
				   pl_order_loses(p), "gain_percent",
				   p->refused_gain, "loss_percent",
				   p->refused_loss, "call",
				   (json_int_t)p->refused_call);
}

static int fill(json_t *obj, const struct pl_order_answer *a)
{
	const struct pl_order_input *in = a->in;
	const struct pl_order_result *r = a->r;
	int bad = 0;

	bad |= set(obj, "version", json_string(PACKAGE_VERSION));
	bad |= set_algorithm(obj, a);
	if (in->window_bytes > 0)
		bad |= set(obj, "window", number(in->window_bytes));
	bad |= set(obj, "unit",
		   a->promise && a->promise->blended
			   ? json_null()
			   : json_string(pl_unit_name(in->unit)));
	bad |= set(obj, "n", json_integer((json_int_t)in->hosts.n));
	bad |= set(obj, "hosts", pl_order_json_names(a->given, NULL));
	bad |= set(obj, "order", pl_order_json_names(&in->hosts, r->host_at));
	if (a->left_out) {
		bad |= set(obj, "chosen",
			   pl_order_json_names(&in->hosts, NULL));
		bad |= set(obj, "left_out",
			   pl_order_json_names(a->left_out, NULL));
	}
	if (a->promise) {
		bad |= set(obj, "gain_percent", number(a->promise->gain));
		bad |= set(obj, "calls", calls(a->promise));
	}
	if (a->promise && !a->o->cost_of) {
		bad |= set(obj, "kept",
			   json_boolean(a->r->kept || a->promise->held));
		bad |= set(obj, "trade", trade(a->promise));
	}
	bad |= set(obj, "cost_given", number(r->cost_given));
	bad |= set(obj, "cost", number(r->cost));
	bad |= set(obj, "bound", number(r->bound));
	bad |= set(obj, "gap", number(pl_order_gap(r)));
	bad |= set(obj, "exact", json_boolean(r->exact));
	if (!isnan(r->hops)) {
		bad |= set(obj, "hops_given", number(r->hops_given));
		bad |= set(obj, "hops", number(r->hops));
	}
	if (a->o->request.method != PL_METHOD_SEARCH)
		bad |= set(obj, "method",
			   json_string(
				   pl_order_method_name(a->o->request.method)));
	bad |= set(obj, "seed", json_integer((json_int_t)a->o->request.seed));
	bad |= set(obj, "moves", json_integer((json_int_t)r->moves));
	bad |= set(obj, "threads", json_integer((json_int_t)r->threads));
	bad |= set(obj, "pairs_measured",
		   json_integer((json_int_t)in->pairs_measured));
	bad |= set(obj, "pairs_missing",
		   json_integer((json_int_t)in->pairs_missing));
	if (in->bandwidths.n > 0)
		bad |= set(
			obj, "bandwidths_unreliable",
			json_integer((json_int_t)in->bandwidths.n_unreliable));
	if (a->from->topology.form)
		bad |= set(obj, "topology", topology(a));
	bad |= set(obj, "seconds", seconds(a));
	if (a->forecast)
		bad |= set(obj, "predict", pl_order_json_forecast(a));
	return bad;
}

int pl_order_write_json(const struct pl_order_answer *a, FILE *out,
			struct pl_err *err)
{
	const size_t flags =
		JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15);
	json_t *obj = json_object();
	int rc = 0;

	if (!obj || fill(obj, a))
		rc = pl_err_nomem(err);
	else if (json_dumpf(obj, out, flags))
		rc = pl_err_set(err, PL_ESYSTEM, "cannot write JSON");
	else
		fputc('\n', out);
	json_decref(obj);
	return rc;
}
