/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - what plink-probe measured, as JSON (plink-probe(1)) */
#include "config.h"

#include "src/probe/show.h"

#include "base/mem.h"
#include "probes/protocol/control.h"
#include "src/common/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static json_t *host_list(const struct pl_hosts *hosts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < hosts->n; i++) {
		const struct pl_host *h = &hosts->v[i];

		pl_list_add(&list, json_pack("{s:o, s:o, s:o}", "name", pl_tool_json_text(h->name),
					     "node", pl_tool_json_text(h->node), "addr",
					     pl_tool_json_text(h->addr)));
	}
	return list;
}

/* n rows of n numbers; null where missing. */
static json_t *square(const struct pl_layer *layer)
{
	const size_t n = layer->n;
	json_t *rows = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *row = json_array();

		for (size_t j = 0; j < n; j++) {
			const double v = pl_layer_get(layer, i * n + j);

			/* figures are whole: ns, counts */
			pl_list_add(&row, isnan(v) ? json_null() : json_integer((json_int_t)v));
		}
		pl_list_add(&rows, row);
	}
	return rows;
}

static json_t *layers(const struct pl_matrix *m)
{
	json_t *object = json_object();

	for (size_t k = 0; k < m->n_layers; k++) {
		const struct pl_layer *l = &m->layer[k];

		pl_obj_set(&object, l->statistic,
			   json_pack("{s:s, s:s, s:o}", "quantity", pl_quantity_name(l->quantity),
				     "unit", pl_unit_name(l->unit), "cells", square(l)));
	}
	return object;
}

static json_t *notes(const struct pl_matrix *m)
{
	json_t *list = json_array();

	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];

		pl_list_add(&list, json_pack("{s:o, s:o, s:o}", "src",
					     pl_tool_json_text(m->hosts.v[note->src].name), "dst",
					     pl_tool_json_text(m->hosts.v[note->dst].name), "why",
					     pl_tool_json_text(note->text)));
	}
	return list;
}

/* Header lines of the matrix that have no key of their own here: by key, an array of the values in
 * their order, since a key may come again. */
static json_t *headers(const struct pl_matrix *m)
{
	json_t *object = json_object();

	for (size_t k = 0; k < m->n_headers; k++) {
		const struct pl_header *h = &m->header[k];
		json_t *list = json_object_get(object, h->key);

		if (!list && !json_object_set_new(object, h->key, json_array()))
			list = json_object_get(object, h->key);
		if (json_array_append_new(list, pl_tool_json_text(h->value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *warnings(const struct pl_matrix *m)
{
	char text[PROBE_WARNING_CHARS];
	json_t *list = json_array();

	for (size_t k = 0; probe_warning(m, k, text); k++)
		pl_list_add(&list, pl_tool_json_text(text));
	return list;
}

static json_t *settings(const struct pl_probe_options *o, const struct pl_probe_report *r)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:[ii], s:[ii], s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:f, "
		"s:I, s:f, s:i, s:b, s:b, s:b, s:i, s:f, s:I}",
		"launch", pl_tool_json_text(o->launch), "agent", pl_tool_json_text(o->agent),
		"push", pl_tool_json_text(o->push), "iface", pl_tool_json_text(o->iface), "ports",
		o->ports.min, o->ports.max, "probes", (int)o->probes_min, (int)o->probes_max,
		"precision_percent", o->precision * 100, "precision_us",
		PL_PROBE_PRECISION_NS / 1e3, "gap_us", (double)r->gap_ns / 1e3, "pair_s",
		seconds(o->pair_ns), "silence_s", seconds(o->silence_ns), "start_s",
		seconds(o->start_ns), "flows", (int)r->flows, "pps", o->pps, "budget_s",
		seconds(o->budget_ns), "budget_probes", (json_int_t)o->budget_probes,
		"again_percent", 100 * o->again_share, "drift_pairs", (int)o->drift_pairs,
		"bandwidth_few", (o->bandwidth & PL_BANDWIDTH_FEW) != 0, "bandwidth_alone",
		(o->bandwidth & PL_BANDWIDTH_ALONE) != 0, "bandwidth_together",
		(o->bandwidth & PL_BANDWIDTH_TOGETHER) != 0, "streams", (int)o->streams, "flow_s",
		seconds(o->flow_ns), "flow_bytes", (json_int_t)o->flow_bytes);
}

static json_t *asked(const struct probe_args *args)
{
	json_t *object = json_object();

	for (size_t k = 0; k < args->n_asked; k++)
		pl_obj_set(&object, args->asked[k].name, pl_tool_json_text(args->asked[k].value));
	return object;
}

static json_t *drift(const struct pl_probe_report *r)
{
	if (r->drift_ways == 0)
		return json_null();
	return json_pack("{s:I, s:I, s:f}", "ways", (json_int_t)r->drift_ways, "beyond",
			 (json_int_t)r->drift_beyond, "median_percent", 100 * r->drift_share);
}

/* How pairs were chosen; null where all were wanted. */
static json_t *choice(const struct pl_probe_report *r, const struct probe_args *args,
		      const struct probe_off *off)
{
	json_t *object;

	if (!off)
		return json_null();
	object = json_pack(
		"{s:o, s:o, s:I, s:I, s:I, s:I}", "topology", pl_tool_json_text(args->topology),
		"per_host", args->per_host ? json_integer((json_int_t)args->per_host) : json_null(),
		"seed", (json_int_t)args->seed, "steps", (json_int_t)r->n_steps, "pairs_left_out",
		(json_int_t)r->pairs_left_out, "ways_held_back", (json_int_t)off->n_ways);
	if (off->n_ways > 0) {
		pl_obj_set(&object, "off_median_percent", json_real(100 * off->median));
		pl_obj_set(&object, "off_p90_percent", json_real(100 * off->p90));
	}
	return object;
}

static json_t *flows(const struct pl_probe_report *r)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "measured",
			 (json_int_t)r->flows_measured, "missing", (json_int_t)r->flows_missing,
			 "unsettled", (json_int_t)r->flows_unsettled, "sets",
			 (json_int_t)r->flow_sets, "bytes", (json_int_t)r->flow_bytes,
			 "segments_resent", (json_int_t)r->flow_resent, "seconds",
			 seconds(r->flows_ns));
}

static json_t *figures(const struct pl_probe_report *r)
{
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:b, "
		"s:b, s:b, s:o, s:{s:f, s:f}}",
		"pairs_kept", (json_int_t)r->pairs_kept, "pairs_again", (json_int_t)r->pairs_again,
		"ways_replaced", (json_int_t)r->ways_replaced, "packets_sent",
		(json_int_t)r->packets_sent, "hosts_lost", (json_int_t)r->n_lost_hosts, "rounds",
		(json_int_t)r->n_rounds, "pairs_measured", (json_int_t)r->pairs_measured,
		"pairs_missing", (json_int_t)r->pairs_missing, "probes_sent",
		(json_int_t)r->probes_sent, "probes_lost", (json_int_t)r->probes_lost,
		"probes_late", (json_int_t)r->probes_late, "probes_duplicate",
		(json_int_t)r->probes_duplicate, "packets_refused", (json_int_t)r->replies_refused,
		"packets_stale", (json_int_t)r->packets_stale, "drift", drift(r), "interrupted",
		r->interrupted, "budget_spent", r->budget_spent, "again_cut", r->again_cut, "flows",
		flows(r), "seconds", "start", seconds(r->start_ns), "total",
		seconds(r->elapsed_ns));
}

int probe_json_write(const struct pl_matrix *m, const struct pl_probe_report *report,
		     const struct probe_args *args, const struct probe_off *off, FILE *out,
		     struct pl_err *err)
{
	json_t *root = json_pack(
		"{s:o, s:o, s:i, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "created",
		pl_tool_json_text(m->created), "method", pl_tool_json_text(m->method), "n",
		(int)m->hosts.n, "statistic", pl_tool_json_text(m->layer[0].statistic),
		"symmetrize", pl_symmetrize_name(m->symmetrize), "asked", asked(args), "settings",
		settings(&args->probe, report), "hosts", host_list(&m->hosts), "layers", layers(m),
		"notes", notes(m), "headers", headers(m), "warnings", warnings(m), "chosen",
		choice(report, args, off), "run", figures(report));

	return pl_tool_json_write(PL_PROBE_TOOL, root, out, err);
}
